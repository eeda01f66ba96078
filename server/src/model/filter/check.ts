/**
 * Parses an expression within limits and, when it is saved, type-checks it. The library caches every type and name it
 * has seen. So deeply nested types are rejected, and the checker is replaced regularly.
 */
import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { Unsupported } from './program.ts'

/** A custom type stops the library from sharing its cache of names and operators with later checkers. */
class CacheIsolation {
  readonly isIsolated = true
}

function createEnvironment(): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 64, maxMapEntries: 64, maxCallArguments: 16 },
  })
    .registerType('hookline.CacheIsolation', CacheIsolation)
    .registerOperator('hookline.CacheIsolation == hookline.CacheIsolation', (a, b) => a === b)
    .registerVariable('event', 'map')
    .registerVariable('data', 'map')
}

const maxChecks = 500
let checks = 0
let environment = createEnvironment()

export function parseExpression(expression: string): ASTNode {
  return environment.parse(expression).ast
}

/** Throws the library's error if the expression is invalid. Returns the type of the result. */
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

/** Returns the nesting depth of lists and maps that the expression creates. Values of the event do not count. */
function layersOf(node: ASTNode, names: Layers): number {
  const layers = layersOfNode(node, names)
  if (layers > maxLayers)
    throw new Unsupported(`The filter nests lists or maps deeper than ${maxLayers} levels.`)
  return layers
}

function layersOfNode(node: ASTNode, names: Layers): number {
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
  [method, receiver, args]: Extract<ASTNode, { op: 'rcall' }>['args'],
  names: Layers,
): number {
  const [name, value, body] = args
  const source = layersOf(receiver, names)
  if (method === 'bind' && name?.op === 'id' && value !== undefined && body !== undefined)
    return layersOf(body, new Map([...names, [name.args, layersOf(value, names)]]))
  if (!loops.has(method) || name?.op !== 'id') {
    deepest(args, names)
    return method === 'split' ? 1 : 0
  }
  const bodyLayers = deepest(args.slice(1), new Map([...names, [name.args, source]]))
  if (method === 'map') return 1 + bodyLayers
  return method === 'filter' ? source : 0
}

const loops: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])
