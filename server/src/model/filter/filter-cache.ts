/**
 * Caches compiled filters, shared by all hooks of the process with the same text. Limited by total size. The least
 * recently used filter is evicted first and compiled again on next use.
 */
import { type CompiledFilter, compileFilter } from './event-filter.ts'

/** A thousand of the largest filters. A part takes about 200 bytes. */
const maxParts = 500_000
const overheadParts = 10
const unitsPerCharacter = 300

interface Compiled {
  filter?: CompiledFilter
  /** Why the filter does not compile. */
  error?: unknown
}

const compiled = new Map<string, Compiled>()
let parts = 0

/** Returns the cost of `cachedFilter`. */
export function unitsToCompile(text: string): number {
  return compiled.has(text) ? 0 : unitsPerCharacter * text.length
}

/** `units` is the cost of compiling in this call. */
export function cachedFilter(text: string): Compiled & { units: number } {
  const cached = compiled.get(text)
  if (cached === undefined) return { ...add(text), units: unitsPerCharacter * text.length }
  compiled.delete(text)
  compiled.set(text, cached)
  return { ...cached, units: 0 }
}

function add(text: string): Compiled {
  const added = compile(text)
  compiled.set(text, added)
  parts += partsOf(added)
  for (const [oldest, filter] of compiled) {
    if (parts <= maxParts) break
    compiled.delete(oldest)
    parts -= partsOf(filter)
  }
  return added
}

function compile(text: string): Compiled {
  try {
    return { filter: compileFilter(text) }
  } catch (error) {
    return { error }
  }
}

function partsOf({ filter }: Compiled): number {
  return overheadParts + (filter?.parts ?? 0)
}
