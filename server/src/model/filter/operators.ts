/** The operators of expressions. Each charges its cost before it runs. */
import type { Meter } from './budget.ts'
import { type EventText, keysOf, readKey } from './maps.ts'
import { Duration, Failure, typeOf, Uint, type ValueType } from './values.ts'

export interface Operands {
  meter: Meter
  event: EventText
}

/** Deeper values are not compared: each level is a stack frame. */
const maxDepth = 64

export function areEqual(left: unknown, right: unknown, run: Operands, depth = 0): boolean | Failure {
  run.meter.spend(25)
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length) run.meter.spend(left.length / 4)
    return left === right
  }
  if (left === right) return true
  if (isNumber(left) && isNumber(right)) {
    run.meter.spend(50)
    // oxlint-disable-next-line eqeqeq -- a bigint and a number are compared by value
    return numeric(left) == numeric(right)
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  run.meter.spend(100)
  const type = typeOf(left)
  if (type !== typeOf(right)) return false
  if (depth === maxDepth) return new Failure(`values nested deeper than ${maxDepth} levels are not compared`)
  switch (type) {
    case 'list':
      return areListsEqual(left as unknown[], right as unknown[], run, depth)
    case 'map':
      return areMapsEqual(left as Record<string, unknown>, right, run, depth)
    case 'bytes':
      run.meter.spend((left as Uint8Array).length / 4)
      return Buffer.compare(left as Uint8Array, right as Uint8Array) === 0
    case 'google.protobuf.Timestamp':
      return (left as Date).getTime() === (right as Date).getTime()
    case 'google.protobuf.Duration':
      return (left as Duration).nanos === (right as Duration).nanos
    default:
      return false
  }
}

function areListsEqual(left: unknown[], right: unknown[], run: Operands, depth: number): boolean | Failure {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    const isSame = areEqual(left[index], right[index], run, depth + 1)
    if (isSame !== true) return isSame
  }
  return true
}

function areMapsEqual(
  left: Record<string, unknown>,
  right: object,
  run: Operands,
  depth: number,
): boolean | Failure {
  const keys = keysOf(left, run)
  if (keys.length !== keysOf(right, run).length) return false
  for (const key of keys) {
    const other = readKey(right, key, run)
    if (other === undefined) return false
    const isSame = areEqual(left[key], other, run, depth + 1)
    if (isSame !== true) return isSame
  }
  return true
}

export function isIn(value: unknown, container: unknown, run: Operands): boolean | Failure {
  if (Array.isArray(container)) {
    for (const element of container) {
      const isSame = areEqual(value, element, run)
      if (isSame !== false) return isSame
    }
    return false
  }
  if (typeOf(container) !== 'map') return noOverload(value, 'in', container)
  return readKey(container as object, value, run) !== undefined
}

type Comparison = '<' | '<=' | '>' | '>='

export function compare(op: Comparison, left: unknown, right: unknown, run: Operands): boolean | Failure {
  run.meter.spend(100)
  if (typeof left === 'string' && typeof right === 'string')
    run.meter.spend(Math.min(left.length, right.length) / 2)
  const areNumbers = isNumber(left) && isNumber(right)
  if (!areNumbers && !(ordered.has(typeOf(left)) && typeOf(left) === typeOf(right)))
    return noOverload(left, op, right)
  const [a, b] = [sortable(left), sortable(right)]
  if (op === '<') return a < b
  if (op === '<=') return a <= b
  return op === '>' ? a > b : a >= b
}

/** Converts values whose order in CEL is that of the engine. The types are already equal. */
function sortable(value: unknown): number {
  return (value instanceof Duration ? value.nanos : value instanceof Uint ? value.value : value) as number
}

const ordered: ReadonlySet<ValueType> = new Set([
  'bool',
  'string',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
])

type Arithmetic = '+' | '-' | '*' | '/' | '%'

export function calculate(op: Arithmetic, left: unknown, right: unknown, { meter }: Operands): unknown {
  meter.spend(30)
  if (typeof left === 'bigint' && typeof right === 'bigint') return calculateInt(op, left, right)
  if (typeof left === 'number' && typeof right === 'number' && op !== '%')
    return calculateDouble(op, left, right)
  if (left instanceof Uint && right instanceof Uint) return calculateUint(op, left, right)
  const result = op === '+' ? add(left, right, meter) : op === '-' ? subtract(left, right) : undefined
  return result ?? noOverload(left, op, right)
}

/** A list of decimals stores plain doubles. Concatenated with other values, each becomes an object. */
const unitsPerJoinedElement = 40

/** Returns undefined if the values cannot be added. */
function add(left: unknown, right: unknown, meter: Meter): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    // The engine copies both when the result is read, with twice the bytes if one is not Latin-1.
    meter.spend(2 * (left.length + right.length))
    return left + right
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    meter.spend(unitsPerJoinedElement * (left.length + right.length))
    // `concat` instead of spreading, which grows the list step by step.
    return (left as unknown[]).concat(right as unknown[])
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    meter.spend(200 + left.length + right.length)
    return Buffer.concat([left, right])
  }
  if (left instanceof Duration) {
    if (right instanceof Duration) return new Duration(left.nanos + right.nanos)
    return right instanceof Date ? new Date(right.getTime() + left.ms) : undefined
  }
  return left instanceof Date && right instanceof Duration ? new Date(left.getTime() + right.ms) : undefined
}

function subtract(left: unknown, right: unknown): unknown {
  if (left instanceof Duration && right instanceof Duration) return new Duration(left.nanos - right.nanos)
  if (!(left instanceof Date)) return undefined
  if (right instanceof Duration) return new Date(left.getTime() - right.ms)
  return right instanceof Date ? Duration.between(right, left) : undefined
}

const [minInt, maxInt] = [-(2n ** 63n), 2n ** 63n - 1n]
const maxUint = 2n ** 64n - 1n

function calculateInt(op: Arithmetic, left: bigint, right: bigint): bigint | Failure {
  const result = whole(op, left, right)
  if (result instanceof Failure) return result
  return result <= maxInt && result >= minInt ? result : new Failure('integer overflow', result)
}

function calculateUint(op: Arithmetic, left: Uint, right: Uint): Uint | Failure {
  const result = whole(op, left.value, right.value)
  if (result instanceof Failure) return result
  return result <= maxUint && result >= 0n ? new Uint(result) : new Failure('integer overflow', result)
}

function whole(op: Arithmetic, left: bigint, right: bigint): bigint | Failure {
  if (right === 0n && op === '/') return new Failure('division by zero')
  if (right === 0n && op === '%') return new Failure('modulo by zero')
  if (op === '+') return left + right
  if (op === '-') return left - right
  if (op === '*') return left * right
  return op === '/' ? left / right : left % right
}

function calculateDouble(op: Exclude<Arithmetic, '%'>, left: number, right: number): number {
  if (op === '+') return left + right
  if (op === '-') return left - right
  return op === '*' ? left * right : left / right
}

export function negate(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return -value
  return new Failure(`no such overload: -${typeOf(value)}`)
}

function isNumber(value: unknown): value is number | bigint | Uint {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint
}

function numeric(value: number | bigint | Uint): number | bigint {
  return value instanceof Uint ? value.value : value
}

function noOverload(left: unknown, op: string, right: unknown): Failure {
  return new Failure(`no such overload: ${typeOf(left)} ${op} ${typeOf(right)}`)
}
