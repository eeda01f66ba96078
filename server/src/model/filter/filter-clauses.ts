/** Splits an expression into the clauses that must all be true, with the fields that each reads. Pure. */
import type { ASTNode } from '@marcbachmann/cel-js'
import { parseExpression } from './check.ts'

export interface Clause {
  text: string
  node: ASTNode
  /** Each field as a path: `data.a["b"]` is `['data', 'a', 'b']`. */
  fields: ReadonlyArray<readonly string[]>
}

/** Returns the clauses of an expression that compiles. An expression without `&&` is one clause. */
export function clausesOf(expression: string): Clause[] {
  return conjuncts(parseExpression(expression)).map((node) => ({
    text: node.input.slice(node.start, node.end),
    node,
    fields: unique(fieldsIn(node)),
  }))
}

function conjuncts(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node]
}

function fieldsIn(part: unknown): string[][] {
  if (Array.isArray(part)) return part.flatMap(fieldsIn)
  if (!isNode(part)) return []
  const path = pathOf(part)
  if (path !== undefined) return path.length > 1 ? [path] : []
  return fieldsIn(part.args)
}

/** Returns undefined for anything but a field of the event, such as a call or a loop variable. */
function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return node.args === 'data' || node.args === 'event' ? [node.args] : undefined
  if (node.op !== '.' && node.op !== '[]') return undefined
  const [object, name] = node.args
  const path = pathOf(object)
  const key = typeof name === 'string' ? name : literalOf(name)
  return path === undefined || key === undefined ? undefined : [...path, key]
}

function literalOf(node: ASTNode): string | undefined {
  return node.op === 'value' && (typeof node.args === 'string' || typeof node.args === 'bigint')
    ? String(node.args)
    : undefined
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

function unique(paths: string[][]): string[][] {
  return [...new Map(paths.map((path) => [path.join('\n'), path])).values()]
}
