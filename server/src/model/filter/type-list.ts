/**
 * Several event types for one hook: type `all` with a filter on the type, followed by the user's own expression if
 * there is one. This is the only module that knows the form of such a filter. Pure.
 *
 *   cel:event.type in ["sms_mo", "dlr"]
 *   cel:event.type in ["sms_mo", "dlr"] && (data.system == "4915123456789")
 *
 * An expression with `//` has a line feed before the closing parenthesis.
 */
import { parseExpression } from './check.ts'

/** The types, and the filter beside them: null or an expression with its prefix. */
export interface TypeList {
  types: readonly string[]
  filter: string | null
}

/** Lists in expressions have at most 64 elements. */
export const maxTypes = 64

const celPrefix = 'cel:'
const form = /^cel:event\.type in \[("[a-z0-9_.]+"(?:, "[a-z0-9_.]+")*)\](?: && \(([^]+)\))?$/

export function writeTypeList({ types, filter }: TypeList): string {
  const list = `${celPrefix}event.type in [${types.map((type) => `"${type}"`).join(', ')}]`
  if (filter === null) return list
  const expression = filter.slice(celPrefix.length)
  return `${list} && (${expression}${mayEndInComment(expression) ? '\n' : ''})`
}

/** A comment ends with its line, so the parenthesis after it needs another line. `//` can also be part of a string. */
function mayEndInComment(expression: string): boolean {
  return expression.includes('//')
}

/** Returns undefined for every filter that `writeTypeList` would not write. */
export function readTypeList(eventType: string, filter: string | null): TypeList | undefined {
  const [, list, written] = (eventType === 'all' && filter !== null && form.exec(filter)) || []
  if (list === undefined) return undefined
  const types = list.split(', ').map((text) => text.slice(1, -1))
  if (new Set(types).size < types.length) return undefined
  if (written === undefined) return { types, filter: null }
  const expression = mayEndInComment(written) ? written.replace(/\n$/, '') : written
  return isExpression(expression) ? { types, filter: `${celPrefix}${expression}` } : undefined
}

/** `a) || (b` is none, although it is valid between the parentheses. */
function isExpression(text: string): boolean {
  try {
    parseExpression(text)
    return true
  } catch {
    return false
  }
}

const listStart = `${celPrefix}event.type in [`

/** Whether the filter starts with a list of types that contains this one. Reads only the list, at each event. */
export function startsWithType(filter: string | null, type: string): boolean {
  if (filter === null || !filter.startsWith(listStart)) return false
  return filter.slice(listStart.length, filter.indexOf(']')).split(', ').includes(`"${type}"`)
}

/** Whether a hook can receive an event that another one receives too, as far as their types tell. */
export function shareTypes(one: TypeList | undefined, other: TypeList | undefined): boolean {
  return one === undefined || other === undefined || one.types.some((type) => other.types.includes(type))
}
