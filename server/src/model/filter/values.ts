/** The values of an expression: what JSON has, and the types that CEL adds to it. */
/** The result of an operation that failed. A value and no exception: a loop may fail once for each of its elements. */
export class Failure {
  /** Holds no value of the event. */
  readonly text: string
  /** What the operation failed on; undefined: the text says it all. */
  readonly value: unknown
  /** The part of the expression that failed, as it was written. */
  place = ''

  constructor(text: string, value?: unknown) {
    this.text = text
    this.value = value
  }
}

/** Stands for what is not known before there is an event, when the lowest cost of a filter is computed. */
export const unknownValue = new Failure('not known')

export class Uint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

const nanosPerMs = 1_000_000n

export class Duration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }

  /** In milliseconds, as timestamps are kept. */
  get ms(): number {
    return Number(this.nanos / nanosPerMs)
  }

  static between(from: Date, to: Date): Duration {
    const ms = to.getTime() - from.getTime()
    return new Duration(Number.isNaN(ms) ? 0n : BigInt(ms) * nanosPerMs)
  }
}

/** The value of `int`, `string` and the other names of types. */
class TypeName {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export type ValueType =
  | 'string'
  | 'int'
  | 'uint'
  | 'double'
  | 'bool'
  | 'null'
  | 'list'
  | 'map'
  | 'bytes'
  | 'type'
  | 'google.protobuf.Timestamp'
  | 'google.protobuf.Duration'

const namedTypes = ['string', 'int', 'uint', 'double', 'bool', 'list', 'map', 'bytes', 'type', 'null_type']

export const typeNames: ReadonlyMap<string, TypeName> = new Map(
  [...namedTypes, 'google.protobuf.Timestamp', 'google.protobuf.Duration'].map((name) => [
    name,
    new TypeName(name),
  ]),
)

/** What the text of a value costs. Some doubles of many digits can only be written by long division. */
export function textUnits(value: unknown): number {
  if (typeof value === 'string') return value.length / 2
  if (typeof value !== 'number') return 200
  return Number.isSafeInteger(value) ? 300 : 8_000
}

/** No event has longer keys, and the engine keeps every key that it has seen: long ones would crowd its table. */
export const maxKeyLength = 256

/** A value as the key of a map, which JSON writes as text; undefined: it cannot be one. */
export function keyName(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  return undefined
}

export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'double'
    case 'bigint':
      return 'int'
    case 'boolean':
      return 'bool'
    default:
      return typeOfObject(value)
  }
}

function typeOfObject(value: unknown): ValueType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Date) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Uint8Array) return 'bytes'
  return value instanceof TypeName ? 'type' : 'map'
}
