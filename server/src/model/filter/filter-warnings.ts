/** Finds valid filters that probably do not match what the user means. Compares them with sample events. Pure. */
import type { ASTNode } from '@marcbachmann/cel-js'
import { isBuiltIn } from '../event.ts'
import { typeOfName } from '../event-part.ts'
import type { EventCatalog } from '../event-type/catalog.ts'
import { samples } from '../sample-events.ts'
import { parseExpression } from './check.ts'
import { celPrefix, isExpression, normalizeNumber } from './event-filter.ts'
import { shorten } from './filter-error.ts'

export const filterWarningCodes = [
  'filter_never_matches',
  'filter_without_prefix',
  'filter_not_a_number',
  'filter_unknown_field',
  'filter_type_mismatch',
] as const

export interface FilterWarning {
  code: (typeof filterWarningCodes)[number]
  message: string
  /** The part of the filter, in UTF-16 code units. Null: the whole filter. */
  position: { index: number; length: number } | null
}

const maxWarnings = 5
const maxVisible = 60

export function filterWarnings(
  filter: string | null,
  eventType: string,
  catalog: Pick<EventCatalog, 'traitsOf' | 'sampleOf'>,
): FilterWarning[] {
  if (filter === null) return []
  const warnings = isExpression(filter)
    ? expressionWarnings(filter, sampleFields(eventType, catalog), eventType)
    : valueWarnings(filter, eventType, catalog)
  return warnings.slice(0, maxWarnings)
}

/** Returns the warning that the filter can never match, as ASCII text for a response header. */
export function neverMatchesWarning(warnings: readonly FilterWarning[]): string | undefined {
  return warnings.find(({ code }) => code === 'filter_never_matches' || code === 'filter_without_prefix')
    ?.message
}

/** Types without inbound number or agent: plain values never match them. */
const typesWithoutInboundNumber: ReadonlySet<string> = new Set(['dlr', 'voice_status', 'tracking'])

const expressionSyntax = /[=!<>]=|&&|\|\||\b(?:data|event)\s*[.[]|\b(?:has|size)\s*\(|\.\w+\s*\(/

function valueWarnings(
  filter: string,
  eventType: string,
  { traitsOf }: Pick<EventCatalog, 'traitsOf'>,
): FilterWarning[] {
  const { filterField } = traitsOf(typeOfName(eventType))
  if (expressionSyntax.test(filter))
    return [
      warn(
        'filter_without_prefix',
        'The filter looks like an expression, but is compared with numbers as text. Start it with "cel:" to evaluate it.',
      ),
    ]
  if (eventType === 'all') return []
  if (filterField === null || typesWithoutInboundNumber.has(eventType))
    return [
      warn(
        'filter_never_matches',
        `Events of type ${eventType} have no inbound number: this filter never matches.`,
      ),
    ]
  if (filterField !== 'system') return []
  const warnings: FilterWarning[] = []
  for (const { 0: part, index: start } of filter.matchAll(/[^,]+/g)) {
    const value = part.trim()
    if (/^\d+$/.test(normalizeNumber(value))) continue
    const message = `“${shorten(value, maxVisible)}” is not a number. It matches only events with exactly this text as their inbound number.`
    const position = { index: start + part.indexOf(value), length: value.length }
    if (warnings.push(warn('filter_not_a_number', message, position)) === maxWarnings) break
  }
  return warnings
}

type Kind = 'text' | 'a number'

/** Fields of sample events, each with the kind of its value. */
type Fields = ReadonlyMap<string, Kind | undefined>

const eventFields: Fields = new Map([
  ['id', 'text'],
  ['type', 'text'],
  ['accepted_at', undefined],
])

/** Returns undefined if the events can have any fields. */
function sampleFields(eventType: string, { sampleOf }: Pick<EventCatalog, 'sampleOf'>): Fields | undefined {
  const type = typeOfName(eventType)
  const ofType = isBuiltIn(type) ? samples[type] : [sampleOf(eventType) ?? {}]
  const fields = new Map<string, Kind | undefined>()
  for (const [name, value] of ofType.flatMap((sample) => Object.entries(sample)))
    fields.set(name, fields.has(name) && fields.get(name) !== kindOf(value) ? undefined : kindOf(value))
  return eventType === 'all' || fields.size === 0 ? undefined : fields
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' || typeof value === 'bigint' ? 'a number' : undefined
}

interface FieldNode {
  object: 'data' | 'event'
  name: string
}

function expressionWarnings(
  filter: string,
  dataFields: Fields | undefined,
  eventType: string,
): FilterWarning[] {
  const ast = parse(filter.slice(celPrefix.length))
  if (ast === undefined) return []
  const nodes = [...nodesIn(ast)]
  const guarded = new Set(nodes.flatMap(guardedField))
  const fieldsOf = (object: FieldNode['object']) => (object === 'data' ? dataFields : eventFields)
  const warned = new Set<string>()

  function once(name: string, warning: FilterWarning): FilterWarning[] {
    if (warned.has(name)) return []
    warned.add(name)
    return [warning]
  }

  return nodes.flatMap((node) => {
    const field = fieldOf(node)
    if (field !== undefined) {
      const { object, name } = field
      const path = `${object}.${name}`
      if (fieldsOf(object)?.has(name) !== false || guarded.has(path)) return []
      const message =
        object === 'event'
          ? `Events have no field ${shorten(path, maxVisible)}. Use event.id, event.type or event.accepted_at.`
          : `Sample events of type ${eventType} have no field ${shorten(path, maxVisible)}.`
      return once(path, warn('filter_unknown_field', message, positionOf(node)))
    }
    const compared = comparedField(node)
    if (compared === undefined) return []
    const { object, name, literals } = compared
    const kind = fieldsOf(object)?.get(name)
    if (kind === undefined || literals.length === 0 || literals.includes(kind)) return []
    const path = `${object}.${name}`
    const message = `In sample events ${path} is ${kind}, but the filter compares it with ${literals[0]}.`
    return once(`${path} kind`, warn('filter_type_mismatch', message, positionOf(node)))
  })
}

/** An invalid expression has problems and needs no warnings. */
function parse(expression: string): ASTNode | undefined {
  try {
    return parseExpression(expression)
  } catch {
    return undefined
  }
}

function* nodesIn(part: unknown): Generator<ASTNode> {
  if (Array.isArray(part)) for (const each of part) yield* nodesIn(each)
  if (!isNode(part)) return
  yield part
  yield* nodesIn(part.args)
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

function fieldOf(node: ASTNode): FieldNode | undefined {
  if (node.op !== '.') return undefined
  const [object, name] = node.args
  if (object.op !== 'id' || (object.args !== 'data' && object.args !== 'event')) return undefined
  return { object: object.args, name }
}

/** Returns the field of `has(data.field)`: the author knows that some events lack it. */
function guardedField(node: ASTNode): string[] {
  if (node.op !== 'call' || node.args[0] !== 'has') return []
  const [argument] = node.args[1]
  const field = argument && fieldOf(argument)
  return field === undefined ? [] : [`${field.object}.${field.name}`]
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in'])

/** Returns the field that a comparison reads and the kinds of the values it is compared with. */
function comparedField(node: ASTNode): (FieldNode & { literals: Kind[] }) | undefined {
  if (!comparisons.has(node.op) || !Array.isArray(node.args)) return undefined
  const [left, right] = node.args as [ASTNode, ASTNode]
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const field = fieldOf(side)
    const values = other.op === 'list' ? other.args : [other]
    const literals = values.map((value) => (value.op === 'value' ? kindOf(value.args) : undefined))
    if (field !== undefined && literals.every((kind) => kind !== undefined)) return { ...field, literals }
  }
  return undefined
}

function positionOf({ start, end }: ASTNode): { index: number; length: number } {
  return { index: celPrefix.length + start, length: end - start }
}

function warn(
  code: FilterWarning['code'],
  message: string,
  position: FilterWarning['position'] = null,
): FilterWarning {
  return { code, message, position }
}
