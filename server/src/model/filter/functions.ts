/**
 * The functions that filters may call. Others are rejected when the filter is saved. Each overload has its argument
 * types, its cost by the sizes of the arguments, and its implementation. The cost is charged first.
 */
import type { Meter } from './budget.ts'
import { type EventText, keysOf } from './maps.ts'
import { codesOf, indexOfText, lastIndexOfText, searchUnits, splitText } from './search-text.ts'
import { Duration, Failure, textUnits, typeNames, typeOf, Uint, type ValueType } from './values.ts'

interface Running {
  meter: Meter
  event: EventText
}

// The arguments have the types that the overload declares, which the compiler cannot see.
// oxlint-disable-next-line typescript/no-explicit-any
type Argument = any

export interface Overload {
  types: readonly ValueType[]
  units: (a: Argument, b: Argument, c: Argument) => number
  call: (a: Argument, b: Argument, c: Argument, running: Running) => unknown
}

const timestamp = 'google.protobuf.Timestamp'
const duration = 'google.protobuf.Duration'

/** Cost of an element in a new list of strings: the string, its slot in the list, and the time to cut it out. */
const unitsPerPart = 40
/** Formats of listed time zones are cached, about 23 MB if all are used. Other names are looked up each time. */
const listedZones: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
const unitsPerListedZone = 8_000
const unitsPerOtherZone = 150_000
/** Cost of invalid JSON: the parser creates an error. */
const unitsPerJson = 10_000
/** Objects with different keys are the most expensive: each gets its own shape. */
const unitsPerJsonByte = 300
const maxDurationLength = 64
/** The first double beyond the range of `int`. */
const maxDouble = 2 ** 63
const maxZoneLength = 64

const nanosPerUnit: ReadonlyMap<string, bigint> = new Map([
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
  ['ms', 1_000_000n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['ns', 1n],
])

const everyType: readonly ValueType[] = [
  'string',
  'int',
  'uint',
  'double',
  'bool',
  'null',
  'list',
  'map',
  'bytes',
  'type',
  timestamp,
  duration,
]

/** Keys are names with the number of arguments; methods start with a dot. */
export const functions: ReadonlyMap<string, readonly Overload[]> = new Map(
  Object.entries({
    'dyn/1': anyType(5, (value) => value),
    'type/1': anyType(20, (value) => typeNames.get(typeOf(value) === 'null' ? 'null_type' : typeOf(value))),
    'size/1': sizes(),
    '.size/0': sizes(),

    'bool/1': [on(['bool'], 5, (value) => value), on(['string'], 20, toBool)],
    'string/1': [
      on(['string'], 5, (value) => value),
      on(['bool'], 20, String),
      on(['int'], textUnits, String),
      on(
        ['uint'],
        ({ value }: Uint) => textUnits(value),
        ({ value }: Uint) => String(value),
      ),
      on(['double'], textUnits, (value: number) =>
        Math.abs(value) === Infinity ? `${value > 0 ? '+' : '-'}Inf` : String(value),
      ),
      on(
        ['bytes'],
        (value) => 500 + 2 * value.length,
        (value: Uint8Array) => Buffer.from(value).toString('utf8'),
      ),
    ],
    'int/1': [
      on(['int'], 5, (value) => value),
      on(['double'], 100, (value: number) =>
        Math.abs(value) < maxDouble ? BigInt(Math.trunc(value)) : new Failure('integer overflow', value),
      ),
      on(['string'], 300, toInt),
    ],
    'uint/1': [
      on(['uint'], 5, (value) => value),
      on(['int'], 50, (value: bigint) => toUint(value)),
      on(['double'], 100, (value: number) =>
        toUint(Math.abs(value) <= 2 * maxDouble ? BigInt(Math.trunc(value)) : -1n),
      ),
      on(['string'], 300, (value: string) => {
        const number = parseInteger(value)
        return number === undefined ? notConverted('uint') : toUint(number)
      }),
    ],
    'double/1': [
      on(['double'], 5, (value) => value),
      on(['int'], 50, Number),
      on(['uint'], 50, ({ value }: Uint) => Number(value)),
      on(['string'], (value) => 100 + 20 * value.length, toDouble),
    ],
    'bytes/1': [
      on(['bytes'], 5, (value) => value),
      on(
        ['string'],
        (value) => 500 + 3 * value.length,
        (value: string) => Buffer.from(value, 'utf8'),
      ),
    ],
    'timestamp/1': [
      on(['string'], 1_000, toTimestamp),
      on(['int'], 100, (value: bigint) => instantAt(Number(value) * 1_000)),
    ],
    'duration/1': [on(['string'], 3_000, toDuration)],

    '.contains/1': texts(searchUnits, (text, part) => indexOfText(text, part) !== -1),
    '.startsWith/1': texts(shorter, startsWith),
    '.endsWith/1': texts(shorter, endsWith),
    '.indexOf/1': texts(searchUnits, (text, part) => BigInt(indexOfText(text, part))),
    '.indexOf/2': [searchFrom('indexOf', indexOfText)],
    '.lastIndexOf/1': texts(searchUnits, (text, part) => BigInt(lastIndexOfText(text, part))),
    '.lastIndexOf/2': [searchFrom('lastIndexOf', lastIndexOfText)],
    '.lowerAscii/0': [on(['string'], caseUnits, (text: string) => text.toLowerCase())],
    '.upperAscii/0': [on(['string'], caseUnits, (text: string) => text.toUpperCase())],
    '.trim/0': [
      on(
        ['string'],
        (text) => 20 + 2 * text.length,
        (text: string) => text.trim(),
      ),
    ],
    '.substring/1': [on(['string', 'int'], 100, (text: string, start: bigint) => substring(text, start))],
    '.substring/2': [on(['string', 'int', 'int'], 100, substring)],
    '.split/1': [
      on(['string', 'string'], searchUnits, (text, separator, _, { meter }) => split(text, separator, meter)),
    ],
    '.split/2': [on(['string', 'string', 'int'], searchUnits, splitLimited)],
    '.join/0': [on(['list'], 20, (list: unknown[], _b, _c, { meter }) => join(list, '', meter))],
    '.join/1': [
      on(['list', 'string'], 20, (list: unknown[], separator, _, { meter }) => join(list, separator, meter)),
    ],

    '.json/0': [on(['bytes'], (value) => unitsPerJson + unitsPerJsonByte * value.length, parseJson)],
    '.hex/0': [
      on(
        ['bytes'],
        (value) => 500 + 2 * value.length,
        (value: Uint8Array) => Buffer.from(value).toString('hex'),
      ),
    ],
    '.base64/0': [
      on(
        ['bytes'],
        (value) => 500 + 2 * value.length,
        (value: Uint8Array) => Buffer.from(value).toString('base64'),
      ),
    ],
    '.string/0': [
      on(
        ['bytes'],
        (value) => 500 + 2 * value.length,
        (value: Uint8Array) => Buffer.from(value).toString('utf8'),
      ),
    ],
    '.at/1': [
      on(['bytes', 'int'], 50, (value: Uint8Array, index: bigint) => {
        const byte = value[Number(index)]
        return byte === undefined ? new Failure('Bytes index out of range') : BigInt(byte)
      }),
    ],

    ...datePart(
      'getFullYear',
      (date) => date.getUTCFullYear(),
      (date) => date.getFullYear(),
    ),
    ...datePart(
      'getMonth',
      (date) => date.getUTCMonth(),
      (date) => date.getMonth(),
    ),
    ...datePart(
      'getDate',
      (date) => date.getUTCDate(),
      (date) => date.getDate(),
    ),
    ...datePart(
      'getDayOfMonth',
      (date) => date.getUTCDate() - 1,
      (date) => date.getDate() - 1,
    ),
    ...datePart(
      'getDayOfWeek',
      (date) => date.getUTCDay(),
      (date) => date.getDay(),
    ),
    ...datePart('getDayOfYear', utcDayOfYear, localDayOfYear),
    ...datePart(
      'getHours',
      (date) => date.getUTCHours(),
      (date) => date.getHours(),
      'h',
    ),
    ...datePart(
      'getMinutes',
      (date) => date.getUTCMinutes(),
      (date) => date.getMinutes(),
      'm',
    ),
    ...datePart(
      'getSeconds',
      (date) => date.getUTCSeconds(),
      (date) => date.getSeconds(),
      's',
    ),
    ...datePart(
      'getMilliseconds',
      (date) => date.getUTCMilliseconds(),
      (_there, date) => date.getUTCMilliseconds(),
      'ms',
    ),
  }),
)

function on(
  types: readonly ValueType[],
  units: number | Overload['units'],
  call: Overload['call'],
): Overload {
  return { types, units: typeof units === 'number' ? () => units : units, call }
}

function anyType(units: number, call: (value: unknown) => unknown): Overload[] {
  return everyType.map((type) => on([type], units, call))
}

function sizes(): Overload[] {
  return [
    on(
      ['string'],
      (text) => 100 + 3 * text.length,
      (text: string) => BigInt(countCodePoints(text)),
    ),
    on(['bytes'], 20, (value: Uint8Array) => BigInt(value.length)),
    on(['list'], 20, (list: unknown[]) => BigInt(list.length)),
    on(['map'], 20, (map: object, _b, _c, running) => BigInt(keysOf(map, running).length)),
  ]
}

function countCodePoints(text: string): number {
  // For short text, copying the codes costs more than it saves.
  return text.length <= 32 ? Array.from(text).length : text.length - countPairs(codesOf(text))
}

/** Counts surrogate pairs: each is one character in two codes. */
function countPairs(codes: Uint16Array): number {
  let pairs = 0
  for (let at = 0; at + 1 < codes.length; at++) {
    if (!isBetween(codes[at], 0xd800, 0xdbff) || !isBetween(codes[at + 1], 0xdc00, 0xdfff)) continue
    pairs++
    at++
  }
  return pairs
}

function isBetween(code: number | undefined, first: number, last: number): boolean {
  return code !== undefined && code >= first && code <= last
}

function texts(
  units: (text: string, other: string) => number,
  call: (text: string, other: string) => unknown,
): Overload[] {
  return [on(['string', 'string'], units, call)]
}

/** The engine compares strings of equal length ten times faster than it checks a prefix. */
function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length) === start
}

function endsWith(text: string, end: string): boolean {
  return end.length <= text.length && text.slice(text.length - end.length) === end
}

function shorter(a: string, b: string): number {
  return 20 + Math.min(a.length, b.length) / 2
}

/** Outside ASCII one letter may become three, by tables. */
function caseUnits(text: string): number {
  // oxlint-disable-next-line no-control-regex -- ASCII has them
  return 150 + (text.length <= maxCheckedLength && /^[\0-\x7f]*$/.test(text) ? 3 : 40) * text.length
}

/** Longer text counts as non-ASCII: the check itself is not charged. */
const maxCheckedLength = 20_000

const outOfRange = (method: string, what: string): Failure =>
  new Failure(`string.${method}: ${what} out of range`)

function searchFrom(method: string, search: (text: string, part: string, from: number) => number): Overload {
  return on(['string', 'string', 'int'], searchUnits, (text: string, part: string, from: bigint) => {
    if (part === '') return from
    const start = Number(from)
    if (start < 0 || start >= text.length) return outOfRange(`${method}(search, fromIndex)`, 'fromIndex')
    return BigInt(search(text, part, start))
  })
}

function substring(text: string, from: bigint, to: bigint = BigInt(text.length)): string | Failure {
  const [start, end] = [Number(from), Number(to)]
  if (start < 0 || start > text.length) return outOfRange('substring(start, end)', 'start index')
  if (end < start || end > text.length) return outOfRange('substring(start, end)', 'end index')
  return text.substring(start, end)
}

/** Counts parts while splitting, so no more are created than the budget allows. */
function split(text: string, separator: string, meter: Meter): string[] {
  const parts = splitText(text, separator, Math.ceil(Math.max(0, meter.left) / unitsPerPart) + 1)
  meter.spend(unitsPerPart * parts.length)
  return parts
}

function splitLimited(text: string, separator: string, limit: bigint, { meter }: Running): string[] {
  const max = Number(limit)
  if (max === 0) return []
  const parts = split(text, separator, meter)
  if (max < 0 || parts.length <= max) return parts
  meter.spend(text.length + unitsPerPart * parts.length)
  return [...parts.slice(0, max - 1), parts.slice(max - 1).join(separator)]
}

function join(list: readonly unknown[], separator: string, meter: Meter): string | Failure {
  meter.spend(50 * list.length)
  let length = separator.length * Math.max(0, list.length - 1)
  for (const part of list) {
    if (typeof part !== 'string') return new Failure('string.join(): list must contain only strings')
    length += part.length
  }
  meter.spend(length)
  return list.join(separator)
}

function parseJson(value: Uint8Array): unknown {
  const { stackTraceLimit } = Error
  // A stack trace takes four times as long as the rest of the error, and is not used.
  Error.stackTraceLimit = 0
  try {
    return JSON.parse(Buffer.from(value).toString('utf8'))
  } catch {
    return new Failure('invalid JSON', '')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function toBool(text: string): boolean | Failure {
  if (['1', 't', 'true', 'TRUE', 'True'].includes(text)) return true
  if (['0', 'f', 'false', 'FALSE', 'False'].includes(text)) return false
  return new Failure('bool() conversion error', text)
}

function notConverted(to: string): Failure {
  return new Failure(`${to}() type error: cannot convert to ${to}`)
}

/** Returns undefined if the text is not an integer. */
function parseInteger(text: string): bigint | undefined {
  return text.length <= 20 && /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined
}

function toInt(text: string): bigint | Failure {
  const number = parseInteger(text)
  if (number === undefined || number > 2n ** 63n - 1n || number < -(2n ** 63n)) return notConverted('int')
  return number
}

function toUint(number: bigint): Uint | Failure {
  return number >= 0n && number < 2n ** 64n ? new Uint(number) : notConverted('uint')
}

const namedDoubles: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['+inf', Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-inf', -Infinity],
  ['-infinity', -Infinity],
  ['nan', NaN],
])

function toDouble(text: string): number | Failure {
  if (text === '' || text !== text.trim()) return notConverted('double')
  const named = namedDoubles.get(text.toLowerCase())
  if (named !== undefined) return named
  const number = Number(text)
  return Number.isNaN(number) ? notConverted('double') : number
}

function toTimestamp(text: string): Date | Failure {
  return instantAt(text.length < 20 || text.length > 30 ? NaN : new Date(text).getTime())
}

const [firstInstant, lastInstant] = [-62_135_596_800_000, 253_402_300_799_999]

function instantAt(ms: number): Date | Failure {
  return ms >= firstInstant && ms <= lastInstant
    ? new Date(ms)
    : new Failure('timestamp() requires a time in ISO 8601 format')
}

/** Matches each text in only one way: an ambiguous number would cause backtracking. */
const durationText = /^([+-]?)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/

/** Parses durations such as `1h30m` and `-1.5s`: numbers with units, as in Go. */
function toDuration(text: string): Duration | Failure {
  const parts = text.length > maxDurationLength ? null : durationText.exec(text)
  if (parts === null) return new Failure('invalid duration', text)
  let nanos = 0n
  for (const [, number = '', unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) {
    const [digits = '', fraction = ''] = number.split('.')
    const scale = nanosPerUnit.get(unit) ?? 0n
    nanos += BigInt(digits === '' ? '0' : digits) * scale
    nanos += (BigInt(fraction.slice(0, 13).padEnd(13, '0')) * scale) / 10_000_000_000_000n
  }
  return new Duration(parts[1] === '-' ? -nanos : nanos)
}

function wholePart(part: number): bigint | Failure {
  return Number.isNaN(part) ? new Failure('the time is out of range') : BigInt(part)
}

function datePart(
  name: string,
  utc: (date: Date) => number,
  local: (there: Date, date: Date) => number,
  durationUnit?: string,
): Record<string, Overload[]> {
  const scale = durationUnit === undefined ? undefined : nanosPerUnit.get(durationUnit)
  return {
    [`.${name}/0`]: [
      on([timestamp], 50, (date: Date) => wholePart(utc(date))),
      ...(scale === undefined ? [] : [on([duration], 50, (value: Duration) => value.nanos / scale)]),
    ],
    [`.${name}/1`]: [
      on([timestamp, 'string'], zoneUnits, (date: Date, zone: string) => {
        const there = inZone(date, zone)
        return there instanceof Failure ? there : wholePart(local(there, date))
      }),
    ],
  }
}

function zoneUnits(_date: Date, zone: string): number {
  return isListedZone(zone) ? unitsPerListedZone : unitsPerOtherZone
}

function isListedZone(zone: string): boolean {
  return zone.length <= maxZoneLength && listedZones.has(zone)
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time of a zone as if it were the local time of this process. */
function inZone(date: Date, zone: string): Date | Failure {
  if (zone.length > maxZoneLength) return new Failure('unknown time zone', zone)
  try {
    const format = zoneFormats.get(zone) ?? formatOfZone(zone)
    if (isListedZone(zone)) zoneFormats.set(zone, format)
    return new Date(format.format(date))
  } catch {
    return new Failure('unknown time zone', zone)
  }
}

function formatOfZone(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric'
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
}

const dayMs = 86_400_000

function utcDayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs)
}

function localDayOfYear(date: Date): number {
  const midnight = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.floor((midnight - Date.UTC(date.getFullYear(), 0, 1)) / dayMs)
}
