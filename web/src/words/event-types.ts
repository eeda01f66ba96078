/** Types of events, as people call them and as sentences need them. */
import type { EventType } from '../api/shapes.ts'

interface TypeWords {
  /** On its own: "Inbound SMS". */
  name: string
  /** After "When": "an inbound SMS". */
  subject: string
  verb: string
  /** What a plain filter compares with; null: events of this type have no such field. */
  filtered: string | null
}

const words: Record<EventType, TypeWords> = {
  all: { name: 'Every event', subject: 'any event', verb: 'happens', filtered: 'number or agent' },
  sms_mo: { name: 'Inbound SMS', subject: 'an inbound SMS', verb: 'arrives', filtered: 'number' },
  dlr: { name: 'Delivery report', subject: 'a delivery report', verb: 'arrives', filtered: null },
  voice_call: { name: 'Inbound call', subject: 'an inbound call', verb: 'comes in', filtered: 'number' },
  voice_status: { name: 'Call status', subject: 'a call’s status', verb: 'changes', filtered: null },
  voice_dtmf: { name: 'Key pressed', subject: 'a key', verb: 'is pressed in a call', filtered: 'number' },
  tracking: { name: 'Click or view', subject: 'a link', verb: 'is clicked or viewed', filtered: null },
  rcs: { name: 'RCS', subject: 'an RCS message or status', verb: 'arrives', filtered: 'agent' },
}

export const eventTypes = Object.keys(words) as EventType[]

/** What an event can be; `all` is only what a webhook can ask for. */
export const deliverableTypes = eventTypes.filter((type) => type !== 'all')

export function typeWords(type: string): TypeWords {
  return (
    (words as Record<string, TypeWords | undefined>)[type] ?? {
      name: type,
      subject: type,
      verb: 'happens',
      filtered: null,
    }
  )
}
