/**
 * A guided search for the most expensive pair of filter and event. Filters are generated from a grammar of the whole
 * filter language; those expensive by units, CPU time or memory are mutated and measured again.
 */
import { builtInTraits } from '../../src/model/event-traits.ts'
import { getHeapStatistics } from 'node:v8'
import type { Event } from '../../src/model/event.ts'
import {
  type CompiledFilter,
  compileFilter,
  type FilterInput,
  filterInput,
  validateFilter,
  runFilter,
} from '../../src/model/filter/event-filter.ts'
import { maxFilterUnits } from '../../src/model/filter/budget.ts'

export interface Cost {
  filter: string
  event: string
  units: number
  cpuMs: number
  megabytes: number
}

export interface SearchResult {
  pairs: number
  filters: number
  tooExpensive: number
  /** The ten worst pairs, worst first. */
  byCpu: Cost[]
  byMemory: Cost[]
  /** The slowest validation of a filter. */
  validateMs: number
}

type Random = () => number

/** Returns the same numbers for the same seed, so that a finding is reproducible. */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

type Kind = 'text' | 'list' | 'map' | 'number' | 'bool'

/** `$t`, `$l`, `$m`, `$n`, `$b` are placeholders by kind; the part after `@` may use the name before it. */
const grammar: Record<Kind, readonly string[]> = {
  text: [
    'data.text',
    'data.other',
    'data.wide',
    'data.digits',
    'data.texts[0]',
    'event.id',
    '"a"',
    '""',
    '" "',
    '"aaaaaaaaaaaaaaaab"',
    '$t.lowerAscii()',
    '$t.upperAscii()',
    '$t.trim()',
    '$t.substring(1)',
    '$l.join()',
    '$l.join($t)',
    '($t + $t)',
    'string($n)',
    'bytes($t).hex()',
    'bytes($t).base64()',
    'string(bytes($t))',
    '($b ? $t : $t)',
    'cel.bind(s, $t, s@$t)',
  ],
  list: [
    'data.list',
    'data.texts',
    'data.nested',
    'data.maps',
    '[$t, $t, $t]',
    '$t.split($t)',
    '$t.split("")',
    '$t.split($t, 100)',
    '($l + $l)',
    '$l.map(x, x@$t)',
    '$l.filter(x, x@$b)',
  ],
  map: [
    'data',
    'data.keys',
    'data.indexes',
    'data.small',
    'event',
    '{"a": $t}',
    '{$t: 1}',
    '{$n: 1}',
    'bytes($t).json()',
  ],
  number: [
    '1',
    'data.count',
    'size($t)',
    'size($l)',
    'size($m)',
    '$t.indexOf($t)',
    '$t.lastIndexOf($t)',
    '$t.indexOf($t, 1)',
    'int($t)',
    'double($t)',
    'int(double($t))',
    'data.list[0]',
    'event.accepted_at.getHours("Europe/Berlin")',
    'timestamp(event.accepted_at.getMinutes() * 9).getFullYear($t)',
  ],
  bool: [
    '$t == $t',
    '$t != $t',
    '$t < $t',
    '$t.contains($t)',
    '$t.startsWith($t)',
    '$t.endsWith($t)',
    '$l == $l',
    '$m == $m',
    '$t in $l',
    '$n in $l',
    '$t in $m',
    '$n in $m',
    '$n > dyn($n)',
    '$l.exists(x, x@$b)',
    '$l.all(x, x@$b)',
    '$l.exists_one(x, x@$b)',
    '$m.exists(x, x@$b)',
    '($b && $b)',
    '($b || $b)',
    '!($b)',
    'duration($t) > duration("1s")',
    'timestamp($t) < event.accepted_at',
    'bool($t)',
    'has(data.text)',
    'data.nested == data.nested2',
    'data.missing == $t',
    'dyn($t) == dyn($l)',
  ],
}

const kinds: Record<string, Kind> = { t: 'text', l: 'list', m: 'map', n: 'number', b: 'bool' }

interface Tree {
  kind: Kind
  names: readonly string[]
  /** The text of the production, split at its children. */
  pieces: readonly string[]
  children: Tree[]
}

function grow(random: Random, kind: Kind, names: readonly string[], depth: number): Tree {
  const isInLoop = names.includes('x')
  const productions = grammar[kind].filter(
    (text) => !(isInLoop && text.includes('x@')) && (depth > 0 || !text.includes('$')),
  )
  const scopeNames = kind === 'text' ? names : []
  const production = pick(
    random,
    productions.length + scopeNames.length > 0 ? [...productions, ...scopeNames] : ['true'],
  )
  const pieces: string[] = []
  const children: Tree[] = []
  let rest = production
  for (;;) {
    const found = /(?:([sx])@)?\$([tlmnb])/.exec(rest)
    if (found === null) break
    const [all, name, letter = ''] = found
    pieces.push(rest.slice(0, found.index))
    const inner = name === undefined ? names : [...names, name]
    children.push(grow(random, kinds[letter] ?? 'text', inner, depth - 1))
    rest = rest.slice(found.index + all.length)
  }
  return { kind, names, pieces: [...pieces, rest], children }
}

function write({ pieces, children }: Tree): string {
  return pieces.map((piece, index) => `${piece}${children[index] ? write(children[index]) : ''}`).join('')
}

/** Regenerates one part of the tree. */
function mutate(random: Random, tree: Tree): Tree {
  const { children } = tree
  if (children.length === 0 || random() < 0.2)
    return grow(random, tree.kind, tree.names, 1 + Math.floor(random() * 4))
  const index = Math.floor(random() * children.length)
  return {
    ...tree,
    children: children.map((child, at) => (at === index ? mutate(random, child) : child)),
  }
}

interface Candidate {
  name: string
  input: FilterInput
}

const eventBytes = 262_144

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`
}

function many(count: number, make: (at: number) => string, open = '[', close = ']'): string {
  return `${open}${Array.from({ length: count }, (_, at) => make(at)).join(',')}${close}`
}

/** Events of the maximum size, each with all fields that the filters use, some of them large. */
export function worstEvents(): Candidate[] {
  const small = {
    text: 'STOP now',
    other: 'now',
    wide: 'Zürich ж',
    digits: '49170',
    texts: ['a', 'b'],
    list: [1, 2],
    nested: [[1]],
    nested2: [[1]],
    maps: [{ a: 1 }],
    keys: { a: 1 },
    indexes: { 1: 1 },
    small: { a: 1 },
    count: 3,
  }
  const payloadBytes = eventBytes - 600
  const text = JSON.stringify
  // Built as JSON text, because JSON.stringify cannot handle lists of that depth.
  const large: Record<string, Record<string, string>> = {
    ordinary: {},
    'one text': { text: text('a'.repeat(payloadBytes)) },
    'text and needle': {
      text: text('a'.repeat(payloadBytes / 2)),
      other: text(`b${'a'.repeat(payloadBytes / 4)}`),
    },
    'text and needle at the end': {
      text: text('a'.repeat(payloadBytes / 2)),
      other: text(`${'a'.repeat(payloadBytes / 4)}b`),
    },
    'two equal texts': {
      text: text('ab'.repeat(payloadBytes / 4)),
      other: text('ab'.repeat(payloadBytes / 4)),
    },
    words: { text: text('aaa '.repeat(payloadBytes / 8)), other: text('aaa aaa') },
    'text of 4 KB': { text: text('ab '.repeat(1_365)), other: text('ab ab') },
    'text of 40 KB': { text: text('ab '.repeat(13_650)), other: text(' ') },
    'text of 40 KB and a needle in each word': { text: text('ab '.repeat(13_650)), other: text('ab') },
    'long letters': { wide: text('İß'.repeat(payloadBytes / 5)), text: text('İ'.repeat(payloadBytes / 10)) },
    'nearly durations': {
      text: text(`${'1111s'.repeat(12)}111x`),
      texts: many(1_000, () => `"${'1111s'.repeat(12)}111x"`),
    },
    'a byte in every character': { text: text(`${'a'.repeat(200_000)}\u0100`), other: text('\u6100') },
    'numbers of many digits': { list: many(9_000, (at) => String(1e-300 / 3 + at * 1.1e-304)) },
    digits: { digits: text('1'.repeat(payloadBytes)), text: text('1'.repeat(100)) },
    'short texts': { texts: many(payloadBytes / 6, () => '"a"') },
    'long texts': { texts: many(100, () => `"${'ab'.repeat(payloadBytes / 220)}"`) },
    numbers: { list: many(payloadBytes / 2 - 2, () => '1') },
    'lists in a list': {
      nested: many(payloadBytes / 6, () => '[]'),
      nested2: many(payloadBytes / 6, () => '[]'),
    },
    'deep lists': { nested: deep(payloadBytes / 5), nested2: deep(payloadBytes / 5) },
    'lists of 60 levels': { nested: deep(60), nested2: deep(60), list: many(60_000, () => '1') },
    'maps in a list': { maps: many(payloadBytes / 12, () => '{"a":1}') },
    'maps of different keys': { maps: many(payloadBytes / 18, (at) => `{"${at.toString(36)}":{}}`) },
    'many keys': { keys: many(payloadBytes / 12, (at) => `"${at.toString(36)}k":1`, '{', '}') },
    'many indexes': { indexes: many(payloadBytes / 14, (at) => `"${at * 7}":1`, '{', '}') },
    'sparse indexes': { indexes: many(payloadBytes / 16, (at) => `"${4_000_000_000 + at}":1`, '{', '}') },
    json: { text: text(many(300, (at) => `{"${at.toString(36)}":{}}`)) },
  }
  return Object.entries(large).map(([name, fields]) => {
    const smallJson = Object.fromEntries(Object.entries(small).map(([key, value]) => [key, text(value)]))
    const data = many(
      1,
      () =>
        Object.entries({ ...smallJson, ...fields })
          .map(([key, json]) => `"${key}":${json}`)
          .join(','),
      '{',
      '}',
    )
    if (Buffer.byteLength(data) > eventBytes) throw new Error(`${name} exceeds the maximum event size`)
    return { name, input: filterInput(eventOf(data), builtInTraits.sms_mo) }
  })
}

export function eventOf(data: string): Event {
  return {
    id: '01938d5e-7c00-7000-8000-000000000001',
    accountId: 1,
    type: 'sms_mo',
    data,
    acceptedAt: new Date('2026-11-15T09:30:00Z'),
  }
}

/** Measures one evaluation by wall clock, to select pairs for a precise measurement. */
function measureOnceByClock(filter: CompiledFilter, input: FilterInput): Omit<Cost, 'filter' | 'event'> {
  const heapBefore = heapBytes()
  const before = performance.now()
  const { units } = runFilter(filter, input, maxFilterUnits)
  const cpuMs = performance.now() - before
  return { units, cpuMs, megabytes: Math.max(0, heapBytes() - heapBefore) / 1_000_000 }
}

const repeats = 10

/**
 * Measures the CPU time over several evaluations, because the system counts it in milliseconds. Returns the lower of two
 * measurements, to exclude other load on the machine.
 */
export function measure(filter: CompiledFilter, input: FilterInput): Omit<Cost, 'filter' | 'event'> {
  const first = measureOnce(filter, input)
  const second = measureOnce(filter, input)
  return {
    units: first.units,
    cpuMs: Math.min(first.cpuMs, second.cpuMs),
    megabytes: Math.max(first.megabytes, second.megabytes),
  }
}

function measureOnce(filter: CompiledFilter, input: FilterInput): Omit<Cost, 'filter' | 'event'> {
  const { units, megabytes } = measureOnceByClock(filter, input)
  const before = process.threadCpuUsage()
  for (let time = 0; time < repeats; time++) runFilter(filter, input, maxFilterUnits)
  const { user, system } = process.threadCpuUsage(before)
  return { units, megabytes, cpuMs: (user + system) / 1_000 / repeats }
}

function heapBytes(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics()
  return used + external
}

const maxKept = 10
const eventsPerFilter = 4
const maxBytes = 1_024

interface Finding extends Cost {
  tree: Tree
  candidate: Candidate
}

export function searchWorst(pairs: number, seed: number): SearchResult {
  const random = randomFrom(seed)
  const events = worstEvents()
  const best: Record<'cpuMs' | 'megabytes' | 'units' | 'rate', Finding[]> = {
    cpuMs: [],
    megabytes: [],
    units: [],
    rate: [],
  }
  const result = { pairs: 0, filters: 0, tooExpensive: 0, validateMs: 0 }

  function keep(found: Finding): void {
    insert(best.cpuMs, found, ({ cpuMs }) => cpuMs)
    insert(best.megabytes, found, ({ megabytes }) => megabytes)
    insert(best.units, found, ({ units }) => units)
    insert(best.rate, found, ({ cpuMs, units }) => (units < 20_000 ? 0 : cpuMs / units))
  }

  while (result.pairs < pairs) {
    const parents = pick(random, Object.values(best))
    const parent = random() < 0.7 && parents.length > 0 ? pick(random, parents) : undefined
    const tree = parent ? mutate(random, parent.tree) : grow(random, 'bool', [], 1 + Math.floor(random() * 6))
    const filter = `cel:${write(tree)}`
    const started = process.threadCpuUsage()
    const compiled = validated(filter)
    const validateMs = process.threadCpuUsage(started).user / 1_000
    result.validateMs = Math.max(result.validateMs, validateMs)
    if (compiled === undefined) continue
    result.filters++
    for (let time = 0; time < eventsPerFilter; time++) {
      const candidate = parent && time === 0 ? parent.candidate : pick(random, events)
      const cost = measureOnceByClock(compiled, candidate.input)
      result.pairs++
      if (cost.units > maxFilterUnits) result.tooExpensive++
      // Measures twice, because most slow evaluations were only interrupted.
      if (!isWorse(cost) || !isWorse(measureOnceByClock(compiled, candidate.input))) continue
      keep({ ...measure(compiled, candidate.input), filter, event: candidate.name, tree, candidate })
    }
  }

  function isWorse(cost: Omit<Cost, 'filter' | 'event'>): boolean {
    return (
      cost.cpuMs > (best.cpuMs.at(maxKept - 1)?.cpuMs ?? 0) ||
      cost.megabytes > (best.megabytes.at(maxKept - 1)?.megabytes ?? 0) ||
      (cost.units > 20_000 && cost.cpuMs / cost.units > rateOf(best.rate.at(maxKept - 1)))
    )
  }

  return { ...result, byCpu: best.cpuMs.map(costOf), byMemory: best.megabytes.map(costOf) }
}

function rateOf(found: Finding | undefined): number {
  return found === undefined ? 0 : found.cpuMs / found.units
}

function costOf({ filter, event, units, cpuMs, megabytes }: Finding): Cost {
  return { filter, event, units, cpuMs, megabytes }
}

function insert(list: Finding[], found: Finding, score: (found: Finding) => number): void {
  if (list.some(({ filter, event }) => filter === found.filter && event === found.event)) return
  list.push(found)
  list.sort((a, b) => score(b) - score(a))
  list.length = Math.min(list.length, maxKept)
}

/** Returns undefined for a filter that validation rejects. */
function validated(filter: string): CompiledFilter | undefined {
  try {
    validateFilter(filter, maxBytes)
    return compileFilter(filter)
  } catch {
    return undefined
  }
}
