/**
 * Reads an expression: parsed within limits and, when it is saved, checked by type. The library keeps every type and name
 * that it has ever met, so types made of many layers are refused and the checker is replaced from time to time.
 */
import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { Unsupported } from './program.ts'

/** Keeps the library from sharing what it remembers of names and operators with checkers that come later. */
class Own {
  readonly isOwn = true
}

function createEnvironment(): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 64, maxMapEntries: 64, maxCallArguments: 16 },
  })
    .registerType('hookline.Own', Own)
    .registerOperator('hookline.Own == hookline.Own', (a, b) => a === b)
    .registerVariable('event', 'map')
    .registerVariable('data', 'map')
}

const maxChecks = 500
let checks = 0
let environment = createEnvironment()

export function parseExpression(expression: string): ASTNode {
  return environment.parse(expression).ast
}

/** Throws what the library has against it. Returns the type of the result. */
export function checkExpression(expression: string): string | undefined {
  if (++checks > maxChecks) {
    checks = 0
    environment = createEnvironment()
  }
  const parsed = environment.parse(expression)
  layersOf(parsed.ast, new Map())
  const { valid, type, error } = parsed.check()
  if (!valid) throw error ?? new Error('it does not compile.')
  return type
}

const maxLayers = 2

type Layers = ReadonlyMap<string, number>

/** How many lists or maps that the expression makes stand in one another. What an event holds does not count. */
function layersOf(node: ASTNode, names: Layers): number {
  const layers = ownLayers(node, names)
  if (layers > maxLayers)
    throw new Unsupported(`The filter makes lists or maps of more than ${maxLayers} layers.`)
  return layers
}

function ownLayers(node: ASTNode, names: Layers): number {
  switch (node.op) {
    case 'value':
      return 0
    case 'id':
      return names.get(node.args) ?? 0
    case 'list':
      return 1 + deepest(node.args, names)
    case 'map':
      return 1 + deepest(node.args.flat(), names)
    case '.':
    case '.?':
      return layersOf(node.args[0], names)
    case '!_':
    case '-_':
      return layersOf(node.args, names)
    case 'call': {
      const layers = deepest(node.args[1], names)
      return node.args[0] === 'dyn' ? layers : 0
    }
    case 'rcall':
      return layersOfMethod(node.args, names)
    default:
      return deepest(node.args, names)
  }
}

function deepest(nodes: readonly ASTNode[], names: Layers): number {
  return Math.max(0, ...nodes.map((node) => layersOf(node, names)))
}

function layersOfMethod(
  [method, receiver, given]: Extract<ASTNode, { op: 'rcall' }>['args'],
  names: Layers,
): number {
  const [name, value, body] = given
  const source = layersOf(receiver, names)
  if (method === 'bind' && name?.op === 'id' && value !== undefined && body !== undefined)
    return layersOf(body, new Map([...names, [name.args, layersOf(value, names)]]))
  if (!loops.has(method) || name?.op !== 'id') {
    deepest(given, names)
    return method === 'split' ? 1 : 0
  }
  const made = deepest(given.slice(1), new Map([...names, [name.args, source]]))
  if (method === 'map') return 1 + made
  return method === 'filter' ? source : 0
}

const loops: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])
