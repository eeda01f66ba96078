/**
 * The data of an event for whoever has not asked to see it. What is known to say nothing about a person stays; everything
 * else is masked, fields that we have never heard of too.
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

/** JSON text of an object in, and out. */
export function maskData(data: string): string {
  return JSON.stringify(maskMembers(JSON.parse(data) as object))
}

/** One value, by the name of its field. */
export function maskField(name: string, value: unknown): unknown {
  return plainFields.has(name) && !isContainer(value) ? value : maskValue(value)
}

function maskMembers(members: object): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, maskField(name, value)]))
}

/** Inside of what is masked nothing stays, whatever it is called. */
function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue)
  if (isContainer(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner)]))
  return value === null || typeof value === 'boolean' ? value : mask(`${value as string | number}`)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
