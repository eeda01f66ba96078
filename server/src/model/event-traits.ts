/** Properties of an event type that delivery depends on. Pure. */
import type { DeliverableType } from './event.ts'

export interface EventTraits {
  /** The field that plain filter values are compared with. Null: plain values never match. */
  filterField: string | null
  /** Useless when late: a voice application waits for the response. */
  isTimeSensitive: boolean
  /** Fields that are shown unmasked. */
  publicFields: ReadonlySet<string>
  /** Events accepted from then on match no hook of the type. */
  removedAt: Date | null
}

/** Fields of built-in types that contain no personal data. */
const publicFields: ReadonlySet<string> = new Set([
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

const standard: EventTraits = {
  filterField: 'system',
  isTimeSensitive: false,
  publicFields,
  removedAt: null,
}

export const builtInTraits: Readonly<Record<DeliverableType, EventTraits>> = {
  rcs: { ...standard, filterField: 'agent_id' },
  sms_mo: standard,
  dlr: standard,
  voice_call: { ...standard, isTimeSensitive: true },
  voice_status: standard,
  voice_dtmf: { ...standard, isTimeSensitive: true },
  tracking: standard,
  wa_mo: standard,
}

/** Nothing is known about the fields, so all are masked. */
export const unknownTraits: EventTraits = {
  filterField: null,
  isTimeSensitive: false,
  publicFields: new Set(),
  removedAt: null,
}
