/**
 * An expression as a program: a function for each part of it, made once and run on many events. Every function charges the
 * meter before it works, and a failure is a value that ends the part it stands in.
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
  /** The values of variables: the event's, then those of loops and bindings. */
  slots: unknown[]
}

type Step = (running: Running) => unknown

export interface Program {
  /** Parts of the expression: what it takes to keep it. */
  parts: number
  run: (running: Omit<Running, 'slots'>, event: unknown, data: unknown) => unknown
}

/** A part of an expression that cannot be run within a budget. */
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
/** Maps of different keys: the engine cannot optimise what is done with each of them. */
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
      return field(spotOf(node), compile(object, scope), () => name)
    }
    case '[]': {
      const [object, key] = node.args
      return field(spotOf(node), compile(object, scope), compile(key, scope))
    }
    case 'list':
      return list(node.args.map((element) => compile(element, scope)))
    case 'map':
      return map(
        spotOf(node),
        node.args.map(([key, value]) => [compile(key, scope), compile(value, scope)] as const),
      )
    case '?:':
      return choice(node, scope)
    case '&&':
    case '||':
      return logic(node, scope)
    case '!_':
      return unary(spotOf(node), compile(node.args, scope), (value) =>
        typeof value === 'boolean' ? !value : new Failure(`no such overload: !${typeOf(value)}`),
      )
    case '-_':
      return unary(spotOf(node), compile(node.args, scope), negate)
    case 'call':
      return call(node, scope)
    case 'rcall':
      return method(node, scope)
    case '.?':
    case '[?]':
      throw new Unsupported(`The filter uses ${op}, which filters cannot use.`)
    default:
      return binary(node, scope)
  }
}

/** The library reads `1u` as an object of its own. */
function literal(value: NodeOf<'value'>['args']): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return new Uint(value.valueOf())
}

type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>

function variable(name: string, { names }: Scope): Step {
  const slot = names.get(name)
  if (slot !== undefined) return ({ slots }) => slots[slot]
  const type = typeNames.get(name)
  if (type === undefined) throw new Unsupported(`The filter uses ${name}, which filters cannot use.`)
  return () => type
}

/** Where a part stands in the expression. The library's node is six times as large, and programs are kept. */
interface Spot {
  input: string
  start: number
  end: number
}

function spotOf({ input, start, end }: ASTNode): Spot {
  return { input, start, end }
}

/** Charges a failure and remembers where it happened, the innermost place first. */
function placed(spot: Spot, result: unknown, { meter }: Running): unknown {
  if (result instanceof Failure && result.place === '' && result !== unknownValue) {
    meter.spend(unitsPerFailure)
    result.place = spot.input.slice(spot.start, spot.end)
  }
  return result
}

const unitsPerFailure = 300

function field(spot: Spot, object: Step, key: Step): Step {
  return (running) => {
    const container = object(running)
    if (container instanceof Failure) return container
    const name = key(running)
    if (name instanceof Failure) return name
    running.meter.spend(unitsPerPart)
    return placed(spot, readField(container, name, running), running)
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

function map(spot: Spot, entries: ReadonlyArray<readonly [Step, Step]>): Step {
  return (running) => {
    running.meter.spend(unitsPerPart + 200 * entries.length)
    // Without a prototype: no key means anything but itself.
    const values = Object.create(null) as Record<string, unknown>
    for (const [keyStep, valueStep] of entries) {
      const key = keyStep(running)
      if (key instanceof Failure) return key
      const value = valueStep(running)
      if (value instanceof Failure) return value
      running.meter.spend(2 * textUnits(key))
      const name = keyName(key)
      if (name === undefined)
        return placed(spot, new Failure(`a map cannot have a key of type ${typeOf(key)}`), running)
      if (name.length > maxKeyLength)
        return placed(
          spot,
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
  const spot = spotOf(condition)
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
    return placed(spot, new Failure(`Ternary condition must be bool, got '${typeOf(chosen)}'`), running)
  }
}

/** As the language has it, a side that decides does so even beside one that fails. */
function logic(node: NodeOf<'&&' | '||'>, scope: Scope): Step {
  const decides = node.op === '||'
  const [left, right] = node.args
  const [leftSpot, rightSpot] = [spotOf(left), spotOf(right)]
  const [leftStep, rightStep] = [compile(left, scope), compile(right, scope)]
  return (running) => {
    running.meter.spend(unitsPerPart)
    const first = leftStep(running)
    if (first === decides || first === unknownValue) return first
    const second = rightStep(running)
    if (second === decides || second instanceof Failure) return second
    if (typeof second !== 'boolean') return placed(rightSpot, notLogical(second), running)
    if (typeof first === 'boolean') return second
    return first instanceof Failure ? first : placed(leftSpot, notLogical(first), running)
  }
}

function notLogical(value: unknown): Failure {
  return new Failure(`Logical operator requires bool operands, got '${typeOf(value)}'`)
}

function unary(spot: Spot, operand: Step, apply: (value: unknown) => unknown): Step {
  return (running) => {
    running.meter.spend(unitsPerPart)
    const value = operand(running)
    return value instanceof Failure ? value : placed(spot, apply(value), running)
  }
}

type BinaryNode = NodeOf<'==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='>

function binary(node: BinaryNode, scope: Scope): Step {
  const spot = spotOf(node)
  const apply = operator(node.op)
  const [leftStep, rightStep] = [compile(node.args[0], scope), compile(node.args[1], scope)]
  return (running) => {
    running.meter.spend(unitsPerPart)
    const left = leftStep(running)
    if (left instanceof Failure) return left
    const right = rightStep(running)
    if (right instanceof Failure) return right
    return placed(spot, apply(left, right, running), running)
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
  const [name, given] = node.args
  if (name === 'has') return has(given[0], scope)
  return callFunction(node, name, `${name}/${given.length}`, given, scope)
}

/** Whether the last of the fields is there; the ones before it must be. */
function has(of: ASTNode | undefined, scope: Scope): Step {
  if (of?.op !== '.') throw new Unsupported('The filter uses has() on what is not a field.')
  const [object, name] = of.args
  const objectStep = compile(object, scope)
  return (running) => {
    const container = objectStep(running)
    if (container instanceof Failure) return container
    running.meter.spend(unitsPerPart)
    return typeOf(container) === 'map' && readKey(container as object, name, running) !== undefined
  }
}

function method(node: NodeOf<'rcall'>, scope: Scope): Step {
  const [name, receiver, given] = node.args
  if (receiver.op === 'id' && receiver.args === 'cel' && name === 'bind') return bind(given, scope)
  if (loops.has(name)) return loop(node, scope)
  return callFunction(node, name, `.${name}/${given.length}`, [receiver, ...given], scope)
}

function callFunction(
  node: ASTNode,
  name: string,
  key: string,
  given: readonly ASTNode[],
  scope: Scope,
): Step {
  const overloads = functions.get(key)
  if (overloads === undefined) throw new Unsupported(notAllowed(name))
  const spot = spotOf(node)
  const steps = given.map((argument) => compile(argument, scope))
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
    const overload = overloads.find(({ types }) => takes(types, first, second, third))
    if (overload === undefined)
      return placed(spot, noOverload(name, key, [first, second, third], count), running)
    running.meter.spend(overload.units(first, second, third))
    return placed(spot, overload.call(first, second, third, running), running)
  }
}

function takes(types: Overload['types'], first: unknown, second: unknown, third: unknown): boolean {
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

function notAllowed(name: string): string {
  if (name === 'matches')
    return 'The filter uses matches(), which cannot be bounded. Use contains(), startsWith() or endsWith().'
  return `The filter uses ${name}(), which filters cannot use.`
}

function bind(given: readonly ASTNode[], scope: Scope): Step {
  const [name, value, body] = given
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
  const spot = spotOf(node)
  const source = compile(receiver, scope)
  const { slot, inner } = withName(variableNode.args, scope)
  const [first, second] = bodies.map((body) => compile(body, { ...inner, isInLoop: true }))
  if (first === undefined) throw new Unsupported(`The filter uses ${name}() without an expression.`)
  const label = `${name}(var, ${name === 'map' ? 'filter, transform' : 'predicate'}) predicate must return bool`
  const each = eachOf(name, first, second)
  return (running) => {
    const items = itemsOf(source(running), running)
    return items instanceof Failure ? placed(spot, items, running) : each(items, slot, running, label)
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

/** The predicate on one element: true, false, or what went wrong. */
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

/** An element that decides does so even beside elements that fail. */
function quantifier(decides: boolean, predicate: Step): Each {
  return (items, slot, running, label) => {
    let failure: Failure | undefined
    for (const item of items) {
      const result = test(predicate, item, slot, running, label)
      if (result === decides || result === unknownValue) return result
      if (result instanceof Failure) failure ??= result
    }
    return failure ?? !decides
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
      const isWanted = predicate === undefined || test(predicate, item, slot, running, label)
      if (isWanted instanceof Failure) return isWanted
      if (!isWanted) continue
      running.meter.spend(unitsPerElement)
      running.slots[slot] = item
      const value = transform === undefined ? item : transform(running)
      if (value instanceof Failure) return value
      collected.push(value)
    }
    return collected
  }
}
