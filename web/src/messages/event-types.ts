/** Names of event types, standalone and for use in sentences. */
import type { EventType } from '../api/types.ts'
import { textFor } from '../lib/text-for.ts'

interface EventTypeText {
  /** Standalone: "Inbound SMS". */
  name: string
  /** After "When": "an inbound SMS". */
  subject: string
  verb: string
  /** Field that a simple filter compares. Null: this type has no such field. */
  filterField: string | null
}

const texts: Record<EventType, EventTypeText> = {
  all: { name: 'All events', subject: 'any event', verb: 'happens', filterField: 'number or agent' },
  sms_mo: { name: 'Inbound SMS', subject: 'an inbound SMS', verb: 'arrives', filterField: 'number' },
  dlr: { name: 'Delivery report', subject: 'a delivery report', verb: 'arrives', filterField: null },
  voice_call: { name: 'Inbound call', subject: 'an inbound call', verb: 'arrives', filterField: 'number' },
  voice_status: { name: 'Call status', subject: 'a call’s status', verb: 'changes', filterField: null },
  voice_dtmf: { name: 'Key pressed', subject: 'a key', verb: 'is pressed in a call', filterField: 'number' },
  tracking: { name: 'Click or view', subject: 'a link', verb: 'is clicked or viewed', filterField: null },
  rcs: { name: 'RCS', subject: 'an RCS message or status', verb: 'arrives', filterField: 'agent' },
}

export const eventTypes = Object.keys(texts) as EventType[]

/** Types of events. `all` exists only for webhooks. */
export const deliverableTypes = eventTypes.filter((type) => type !== 'all')

export function eventTypeText(type: string): EventTypeText {
  return textFor<string, EventTypeText>(texts, type, {
    name: type,
    subject: type,
    verb: 'happens',
    filterField: null,
  })
}
