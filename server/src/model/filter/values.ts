/** Values of expressions: those of JSON, and the types that CEL adds. */

/** The result of a failed operation. A value, not an exception: a loop may fail once per element. */
export class Failure {
  /** Contains no value of the event. */
  readonly text: string
  /** The value that caused the failure; undefined if the text says it all. */
  readonly value: unknown
  /** The part of the expression that failed, as written. */
  location = ''

  constructor(text: string, value?: unknown) {
    this.text = text
    this.value = value
  }
}

/** Stands for event values when the minimum cost of a filter is computed. */
export const unknownValue = new Failure('unknown')

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

  /** In milliseconds, like timestamps. */
  get ms(): number {
    return Number(this.nanos / nanosPerMs)
  }

  static between(from: Date, to: Date): Duration {
    const ms = to.getTime() - from.getTime()
    return new Duration(Number.isNaN(ms) ? 0n : BigInt(ms) * nanosPerMs)
  }
}

/** The value of type names such as `int` and `string`. */
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

/** Cost of converting a value to text. Doubles with many digits need long division. */
export function textUnits(value: unknown): number {
  if (typeof value === 'string') return value.length / 2
  if (typeof value !== 'number') return 200
  return Number.isSafeInteger(value) ? 300 : 8_000
}

/** No event has longer keys. The engine interns every key it has seen, so long ones would fill its table. */
export const maxKeyLength = 256

/** Returns the map key of a value, which JSON writes as text; undefined if it cannot be a key. */
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
