/**
 * Masks the data of an event. Fields known to contain no personal data stay; all others are masked, including unknown
 * fields.
 */
import { mask } from './mask.ts'

const plainFields: ReadonlySet<string> = new Set([
  'id',
  'msg_id',
  'sms_id',
  'foreign_id',
  'agent_id',
  'status',
  'type',
  'message_type',
  'content_type',
  'time',
  'timestamp',
  'duration',
  'pricePerMinute',
  'total_price',
  'total_clicks',
  'total_views',
])

/** Masks JSON text of an object. */
export function maskData(data: string): string {
  return JSON.stringify(maskMembers(JSON.parse(data) as object))
}

/** Masks one value, by its field name. */
export function maskField(name: string, value: unknown): unknown {
  return plainFields.has(name) && !isContainer(value) ? value : maskValue(value)
}

function maskMembers(members: object): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, maskField(name, value)]))
}

/** Masks everything inside, whatever its name. */
function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue)
  if (isContainer(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner)]))
  return value === null || typeof value === 'boolean' ? value : mask(`${value as string | number}`)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
