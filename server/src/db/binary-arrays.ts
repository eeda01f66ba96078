/**
 * Encodes lists as arrays in PostgreSQL's binary format. The driver sends a Buffer as a binary parameter. PostgreSQL
 * reads a binary array four times as fast as an array literal, and no value needs quotes.
 *
 * Format: the number of dimensions, whether there are nulls, and the element type; the length and the lower bound of the
 * dimension; then each element with its size before it, or -1 for null. All numbers are big-endian.
 */
const emptyHeaderBytes = 12
const headerBytes = 20
const sizeBytes = 4
const nullSize = -1

/** A value does not belong to its type. As a literal, PostgreSQL would have rejected it. */
export class UnstorableValue extends Error {}

/** A Buffer would drop fractions and digits without an error. */
function check<T>(value: T, isValid: boolean, type: string): T {
  if (!isValid) throw new UnstorableValue(`An array element is not ${type}.`)
  return value
}

type Value<T> = T | null | undefined

export type EncodeArray<T> = (values: ReadonlyArray<Value<T>>) => Buffer

/** An element type of PostgreSQL: its object id, and how a value is written. */
interface Element<T> {
  oid: number
  size: (value: T) => number
  /** Writes the value at `offset`, in the space that `size` returned. */
  write: (value: T, buffer: Buffer, offset: number) => void
}

function arrayOf<T>({ oid, size, write }: Element<T>): EncodeArray<T> {
  return (values) => {
    let total = values.length === 0 ? emptyHeaderBytes : headerBytes + values.length * sizeBytes
    let hasNulls = 0
    for (const value of values)
      if (value == null) hasNulls = 1
      else total += size(value)
    const buffer = Buffer.allocUnsafe(total)
    buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0)
    buffer.writeInt32BE(hasNulls, 4)
    buffer.writeInt32BE(oid, 8)
    if (values.length === 0) return buffer
    buffer.writeInt32BE(values.length, 12)
    buffer.writeInt32BE(1, 16)
    let offset = headerBytes
    for (const value of values) {
      const bytes = value == null ? nullSize : size(value)
      buffer.writeInt32BE(bytes, offset)
      offset += sizeBytes
      if (value == null) continue
      write(value, buffer, offset)
      offset += bytes
    }
    return buffer
  }
}

function fixed<T>(oid: number, bytes: number, write: Element<T>['write']): EncodeArray<T> {
  return arrayOf({ oid, size: () => bytes, write })
}

export const booleanArray = fixed<boolean>(16, 1, (value, buffer, offset) => {
  buffer[offset] = value ? 1 : 0
})
export const smallintArray = fixed<number>(21, 2, (value, buffer, offset) => {
  buffer.writeInt16BE(check(value, (value << 16) >> 16 === value, 'a smallint'), offset)
})
export const integerArray = fixed<number>(23, 4, (value, buffer, offset) => {
  buffer.writeInt32BE(check(value, (value | 0) === value, 'an integer'), offset)
})
export const realArray = fixed<number>(700, 4, (value, buffer, offset) => {
  buffer.writeFloatBE(value, offset)
})
export const float8Array = fixed<number>(701, 8, (value, buffer, offset) => {
  buffer.writeDoubleBE(value, offset)
})

/** Large integers, which JavaScript keeps as text. */
export const bigintArray = fixed<string>(20, 8, (value, buffer, offset) => {
  const integer = toBigInt(value)
  buffer.writeBigInt64BE(check(integer, BigInt.asIntN(64, integer) === integer, 'a bigint'), offset)
})
export const xid8Array = fixed<string>(5069, 8, (value, buffer, offset) => {
  const integer = toBigInt(value)
  buffer.writeBigUInt64BE(check(integer, BigInt.asUintN(64, integer) === integer, 'an xid8'), offset)
})

function toBigInt(value: string): bigint {
  return BigInt(check(value, /^-?\d{1,20}$/.test(value), 'an integer'))
}

const epoch = Date.UTC(2000, 0, 1)
const twoTo32 = 2 ** 32

/** Microseconds since 2000. Within 285 years of it they are exact as a number, which is faster than a BigInt. */
export const timestamptzArray = fixed<Date>(1184, 8, (value, buffer, offset) => {
  const ms = value.getTime() - epoch
  const micros = check(ms, !Number.isNaN(ms), 'a date') * 1000
  if (!Number.isSafeInteger(micros)) {
    buffer.writeBigInt64BE(BigInt(ms) * 1000n, offset)
    return
  }
  const high = Math.floor(micros / twoTo32)
  buffer.writeInt32BE(high, offset)
  buffer.writeUInt32BE(micros - high * twoTo32, offset + 4)
})

export const uuidArray = fixed<string>(2950, 16, (value, buffer, offset) => {
  const hex = value.replaceAll('-', '')
  const written = value.length === 36 && hex.length === 32 ? buffer.write(hex, offset, 'hex') : 0
  check(value, written === 16, 'a UUID')
})

export const textArray = arrayOf<string>({
  oid: 25,
  size: (value) => Buffer.byteLength(value),
  write: (value, buffer, offset) => {
    buffer.write(value, offset)
  },
})
export const byteaArray = arrayOf<Buffer>({
  oid: 17,
  size: (value) => value.length,
  write: (value, buffer, offset) => {
    value.copy(buffer, offset)
  },
})
