/**
 * Compiles an expression to a program: one function per part, created once and run on many events. Every function
 * charges the meter before it works. A failure is a value that ends its part.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { Meter } from './budget.ts'
import { functions, type Overload } from './functions.ts'
import { type EventText, keysOf, readKey } from './maps.ts'
import { areEqual, calculate, compare, isIn, negate } from './operators.ts'
import { Failure, keyName, maxKeyLength, textUnits, typeNames, typeOf, Uint, unknownValue } from './values.ts'

interface Running {
  meter: Meter
  event: EventText
  /** Values of variables: the event's, then those of loops and bindings. */
  slots: unknown[]
}

type Step = (running: Running) => unknown

export interface Program {
  /** Number of parts, a measure of memory use. */
  parts: number
  run: (running: Omit<Running, 'slots'>, event: unknown, data: unknown) => unknown
}

/** The expression has a part that cannot run within a budget. */
export class Unsupported extends Error {}

export function createProgram(ast: ASTNode): Program {
  const compiler = { parts: 0, slots: 2 }
  const step = compile(ast, {
    compiler,
    names: new Map([
      ['event', 0],
      ['data', 1],
    ]),
    isInLoop: false,
  })
  return {
    parts: compiler.parts,
    run(running, event, data) {
      running.meter.spend(unitsPerRun)
      const slots: unknown[] = [event, data]
      return step({ ...running, slots })
    },
  }
}

interface Scope {
  compiler: { parts: number; slots: number }
  names: ReadonlyMap<string, number>
  isInLoop: boolean
}

const unitsPerPart = 50
const unitsPerRun = 200
const unitsPerElement = 80
/** Maps with different keys: the engine cannot optimize operations on them. */
const unitsPerObject = 300

function compile(node: ASTNode, scope: Scope): Step {
  scope.compiler.parts++
  const { op } = node
  switch (op) {
    case 'value': {
      const value = literal(node.args)
      return () => value
    }
    case 'id':
      return variable(node.args, scope)
    case '.': {
      const [object, name] = node.args
      return field(rangeOf(node), compile(object, scope), () => name)
    }
    case '[]': {
      const [object, key] = node.args
      return field(rangeOf(node), compile(object, scope), compile(key, scope))
    }
    case 'list':
      return list(node.args.map((element) => compile(element, scope)))
    case 'map':
      return map(
        rangeOf(node),
        node.args.map(([key, value]) => [compile(key, scope), compile(value, scope)] as const),
      )
    case '?:':
      return choice(node, scope)
    case '&&':
    case '||':
      return logic(node, scope)
    case '!_':
      return unary(rangeOf(node), compile(node.args, scope), (value) =>
        typeof value === 'boolean' ? !value : new Failure(`no such overload: !${typeOf(value)}`),
      )
    case '-_':
      return unary(rangeOf(node), compile(node.args, scope), negate)
    case 'call':
      return call(node, scope)
    case 'rcall':
      return method(node, scope)
    case '.?':
    case '[?]':
      throw new Unsupported(`The filter uses ${op}, which is not supported in filters.`)
    default:
      return binary(node, scope)
  }
}

/** The library represents `1u` as a custom object. */
function literal(value: NodeOf<'value'>['args']): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return new Uint(value.valueOf())
}

type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>

function variable(name: string, { names }: Scope): Step {
  const slot = names.get(name)
  if (slot !== undefined) return ({ slots }) => slots[slot]
  const type = typeNames.get(name)
  if (type === undefined) throw new Unsupported(`The filter uses ${name}, which is not supported in filters.`)
  return () => type
}

/** Location of a part in the expression. The library's node is six times larger, and programs are cached. */
interface SourceRange {
  input: string
  start: number
  end: number
}

function rangeOf({ input, start, end }: ASTNode): SourceRange {
  return { input, start, end }
}

/** Charges a failure and records its location, the innermost first. */
function withLocation(range: SourceRange, result: unknown, { meter }: Running): unknown {
  if (result instanceof Failure && result.location === '' && result !== unknownValue) {
    meter.spend(unitsPerFailure)
    result.location = range.input.slice(range.start, range.end)
  }
  return result
}

const unitsPerFailure = 300

function field(range: SourceRange, object: Step, key: Step): Step {
  return (running) => {
    const container = object(running)
    if (container instanceof Failure) return container
    const name = key(running)
    if (name instanceof Failure) return name
    running.meter.spend(unitsPerPart)
    return withLocation(range, readField(container, name, running), running)
  }
}

function readField(container: unknown, key: unknown, running: Running): unknown {
  if (Array.isArray(container) && (typeof key === 'bigint' || typeof key === 'number')) {
    const element: unknown = container[Number(key)]
    return element === undefined ? new Failure('index out of bounds', key) : element
  }
  const value = typeOf(container) === 'map' ? readKey(container as object, key, running) : undefined
  return value === undefined ? new Failure('No such key', key) : value
}

function list(elements: readonly Step[]): Step {
  return (running) => {
    running.meter.spend(unitsPerPart + 5 * elements.length)
    const values: unknown[] = []
    for (const element of elements) {
      const value = element(running)
      if (value instanceof Failure) return value
      values.push(value)
    }
    return values
  }
}

function map(range: SourceRange, entries: ReadonlyArray<readonly [Step, Step]>): Step {
  return (running) => {
    running.meter.spend(unitsPerPart + 200 * entries.length)
    // No prototype: keys have no special meaning.
    const values = Object.create(null) as Record<string, unknown>
    for (const [keyStep, valueStep] of entries) {
      const key = keyStep(running)
      if (key instanceof Failure) return key
      const value = valueStep(running)
      if (value instanceof Failure) return value
      running.meter.spend(2 * textUnits(key))
      const name = keyName(key)
      if (name === undefined)
        return withLocation(range, new Failure(`a map cannot have a key of type ${typeOf(key)}`), running)
      if (name.length > maxKeyLength)
        return withLocation(
          range,
          new Failure(`a map cannot have a key longer than ${maxKeyLength} characters`),
          running,
        )
      values[name] = value
    }
    return values
  }
}

function choice(node: NodeOf<'?:'>, scope: Scope): Step {
  const [condition, yes, no] = node.args
  const range = rangeOf(condition)
  const [conditionStep, yesStep, noStep] = [
    compile(condition, scope),
    compile(yes, scope),
    compile(no, scope),
  ]
  return (running) => {
    running.meter.spend(unitsPerPart)
    const chosen = conditionStep(running)
    if (chosen === true) return yesStep(running)
    if (chosen === false) return noStep(running)
    if (chosen instanceof Failure) return chosen
    return withLocation(
      range,
      new Failure(`Ternary condition must be bool, got '${typeOf(chosen)}'`),
      running,
    )
  }
}

/** As in CEL, a side that decides the result does so even if the other side fails. */
function logic(node: NodeOf<'&&' | '||'>, scope: Scope): Step {
  const decisive = node.op === '||'
  const [left, right] = node.args
  const [leftRange, rightRange] = [rangeOf(left), rangeOf(right)]
  const [leftStep, rightStep] = [compile(left, scope), compile(right, scope)]
  return (running) => {
    running.meter.spend(unitsPerPart)
    const first = leftStep(running)
    if (first === decisive || first === unknownValue) return first
    const second = rightStep(running)
    if (second === decisive || second instanceof Failure) return second
    if (typeof second !== 'boolean') return withLocation(rightRange, notLogical(second), running)
    if (typeof first === 'boolean') return second
    return first instanceof Failure ? first : withLocation(leftRange, notLogical(first), running)
  }
}

function notLogical(value: unknown): Failure {
  return new Failure(`Logical operator requires bool operands, got '${typeOf(value)}'`)
}

function unary(range: SourceRange, operand: Step, apply: (value: unknown) => unknown): Step {
  return (running) => {
    running.meter.spend(unitsPerPart)
    const value = operand(running)
    return value instanceof Failure ? value : withLocation(range, apply(value), running)
  }
}

type BinaryNode = NodeOf<'==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='>

function binary(node: BinaryNode, scope: Scope): Step {
  const range = rangeOf(node)
  const apply = operator(node.op)
  const [leftStep, rightStep] = [compile(node.args[0], scope), compile(node.args[1], scope)]
  return (running) => {
    running.meter.spend(unitsPerPart)
    const left = leftStep(running)
    if (left instanceof Failure) return left
    const right = rightStep(running)
    if (right instanceof Failure) return right
    return withLocation(range, apply(left, right, running), running)
  }
}

function operator(op: BinaryNode['op']): (left: unknown, right: unknown, running: Running) => unknown {
  switch (op) {
    case '==':
      return areEqual
    case '!=':
      return (left, right, running) => {
        const isSame = areEqual(left, right, running)
        return isSame instanceof Failure ? isSame : !isSame
      }
    case 'in':
      return isIn
    case '<':
    case '<=':
    case '>':
    case '>=':
      return (left, right, running) => compare(op, left, right, running)
    default:
      return (left, right, running) => calculate(op, left, right, running)
  }
}

function call(node: NodeOf<'call'>, scope: Scope): Step {
  const [name, args] = node.args
  if (name === 'has') return has(args[0], scope)
  return callFunction(node, name, `${name}/${args.length}`, args, scope)
}

/** Whether the last field of the path exists. The fields before it must exist. */
function has(node: ASTNode | undefined, scope: Scope): Step {
  if (node?.op !== '.') throw new Unsupported('The filter uses has() without a field.')
  const [object, name] = node.args
  const objectStep = compile(object, scope)
  return (running) => {
    const container = objectStep(running)
    if (container instanceof Failure) return container
    running.meter.spend(unitsPerPart)
    return typeOf(container) === 'map' && readKey(container as object, name, running) !== undefined
  }
}

function method(node: NodeOf<'rcall'>, scope: Scope): Step {
  const [name, receiver, args] = node.args
  if (receiver.op === 'id' && receiver.args === 'cel' && name === 'bind') return bind(args, scope)
  if (loops.has(name)) return loop(node, scope)
  return callFunction(node, name, `.${name}/${args.length}`, [receiver, ...args], scope)
}

function callFunction(
  node: ASTNode,
  name: string,
  key: string,
  input: readonly ASTNode[],
  scope: Scope,
): Step {
  const overloads = functions.get(key)
  if (overloads === undefined) throw new Unsupported(describeUnsupported(name))
  const range = rangeOf(node)
  const steps = input.map((argument) => compile(argument, scope))
  const [firstStep, secondStep, thirdStep] = steps
  const count = steps.length
  return (running) => {
    const first = firstStep?.(running)
    if (first instanceof Failure) return first
    const second = secondStep?.(running)
    if (second instanceof Failure) return second
    const third = thirdStep?.(running)
    if (third instanceof Failure) return third
    running.meter.spend(2 * unitsPerPart)
    const overload = overloads.find(({ types }) => acceptsTypes(types, first, second, third))
    if (overload === undefined)
      return withLocation(range, noOverload(name, key, [first, second, third], count), running)
    running.meter.spend(overload.units(first, second, third))
    return withLocation(range, overload.call(first, second, third, running), running)
  }
}

function acceptsTypes(types: Overload['types'], first: unknown, second: unknown, third: unknown): boolean {
  return (
    types[0] === typeOf(first) &&
    (types.length < 2 || types[1] === typeOf(second)) &&
    (types.length < 3 || types[2] === typeOf(third))
  )
}

function noOverload(name: string, key: string, values: readonly unknown[], count: number): Failure {
  const types = values.slice(0, count).map(typeOf)
  const receiver = key.startsWith('.') ? `${types.shift() ?? ''}.` : ''
  return new Failure(`found no matching overload for '${receiver}${name}(${types.join(', ')})'`)
}

function describeUnsupported(name: string): string {
  if (name === 'matches')
    return 'The filter uses matches(), which cannot be bounded. Use contains(), startsWith() or endsWith().'
  return `The filter uses ${name}(), which is not supported in filters.`
}

function bind(input: readonly ASTNode[], scope: Scope): Step {
  const [name, value, body] = input
  if (name?.op !== 'id' || value === undefined || body === undefined)
    throw new Unsupported('The filter uses cel.bind() without a name, a value and an expression.')
  const valueStep = compile(value, scope)
  const { slot, inner } = withName(name.args, scope)
  const bodyStep = compile(body, inner)
  return (running) => {
    running.meter.spend(unitsPerPart)
    const bound = valueStep(running)
    if (bound instanceof Failure) return bound
    running.slots[slot] = bound
    return bodyStep(running)
  }
}

function withName(name: string, scope: Scope): { slot: number; inner: Scope } {
  const slot = scope.compiler.slots++
  return { slot, inner: { ...scope, names: new Map([...scope.names, [name, slot]]) } }
}

const loops: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

function loop(node: NodeOf<'rcall'>, scope: Scope): Step {
  const [name, receiver, [variableNode, ...bodies]] = node.args
  if (variableNode?.op !== 'id') throw new Unsupported(`The filter uses ${name}() without a variable.`)
  if (scope.isInLoop) throw new Unsupported(`The filter has a loop inside a loop: ${name}().`)
  const range = rangeOf(node)
  const source = compile(receiver, scope)
  const { slot, inner } = withName(variableNode.args, scope)
  const [first, second] = bodies.map((body) => compile(body, { ...inner, isInLoop: true }))
  if (first === undefined) throw new Unsupported(`The filter uses ${name}() without an expression.`)
  const label = `${name}(var, ${name === 'map' ? 'filter, transform' : 'predicate'}) predicate must return bool`
  const each = eachOf(name, first, second)
  return (running) => {
    const items = itemsOf(source(running), running)
    return items instanceof Failure ? withLocation(range, items, running) : each(items, slot, running, label)
  }
}

function itemsOf(source: unknown, running: Running): readonly unknown[] | Failure {
  running.meter.spend(unitsPerPart)
  if (source instanceof Failure) return source
  if (Array.isArray(source)) return source as unknown[]
  if (typeOf(source) === 'map') return keysOf(source as object, running)
  return new Failure(
    `Expression of type '${typeOf(source)}' cannot be range of a comprehension (must be list, map, or dynamic).`,
  )
}

type Each = (items: readonly unknown[], slot: number, running: Running, label: string) => unknown

function eachOf(name: string, first: Step, second: Step | undefined): Each {
  if (name === 'all' || name === 'exists') return quantifier(name === 'exists', first)
  if (name === 'exists_one') return existsOne(first)
  if (name === 'filter') return collect(first, undefined)
  return second === undefined ? collect(undefined, first) : collect(first, second)
}

/** Evaluates the predicate on one element: true, false, or a failure. */
function test(
  predicate: Step,
  item: unknown,
  slot: number,
  running: Running,
  label: string,
): boolean | Failure {
  running.meter.spend(typeof item === 'object' ? unitsPerObject : unitsPerElement)
  running.slots[slot] = item
  const result = predicate(running)
  if (typeof result === 'boolean' || result instanceof Failure) return result
  return new Failure(`${label}, got '${typeOf(result)}'`)
}

/** An element that decides the result does so even if other elements fail. */
function quantifier(decisive: boolean, predicate: Step): Each {
  return (items, slot, running, label) => {
    let failure: Failure | undefined
    for (const item of items) {
      const result = test(predicate, item, slot, running, label)
      if (result === decisive || result === unknownValue) return result
      if (result instanceof Failure) failure ??= result
    }
    return failure ?? !decisive
  }
}

function existsOne(predicate: Step): Each {
  return (items, slot, running, label) => {
    let found = 0
    for (const item of items) {
      const result = test(predicate, item, slot, running, label)
      if (result instanceof Failure) return result
      if (result) found++
    }
    return found === 1
  }
}

function collect(predicate: Step | undefined, transform: Step | undefined): Each {
  return (items, slot, running, label) => {
    const collected: unknown[] = []
    for (const item of items) {
      const isIncluded = predicate === undefined || test(predicate, item, slot, running, label)
      if (isIncluded instanceof Failure) return isIncluded
      if (!isIncluded) continue
      running.meter.spend(unitsPerElement)
      running.slots[slot] = item
      const value = transform === undefined ? item : transform(running)
      if (value instanceof Failure) return value
      collected.push(value)
    }
    return collected
  }
}
