/**
 * Filters as they were compiled, shared by all hooks of the process that have the same text. Bounded by what they are made
 * of; the one that was not used for longest goes first and is compiled again when it is needed.
 */
import { type CompiledFilter, compileFilter } from './event-filter.ts'

/** A thousand of the largest filters; a part takes about 200 bytes. */
const maxParts = 500_000
const overheadParts = 10
const unitsPerCharacter = 300

interface Compiled {
  filter?: CompiledFilter
  /** Why it does not compile. */
  error?: unknown
}

const compiled = new Map<string, Compiled>()
let parts = 0

/** `units`: what compiling it has cost just now. */
export function cachedFilter(text: string): Compiled & { units: number } {
  const known = compiled.get(text)
  if (known === undefined) return { ...add(text), units: unitsPerCharacter * text.length }
  compiled.delete(text)
  compiled.set(text, known)
  return { ...known, units: 0 }
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
