/** An event: something that happened in the gateway. Made by accept, taken by route and deliver. */
import { type EventType, eventTypes } from './hook.ts'

/** What an event can be; `all` is only what a hook can ask for. */
export type DeliverableType = Exclude<EventType, 'all'>

export const deliverableTypes = eventTypes.filter((type): type is DeliverableType => type !== 'all')

export interface Event {
  id: string
  accountId: number
  type: DeliverableType
  /** JSON text of an object, as the producer sent it, less insignificant white space. */
  data: string
  acceptedAt: Date
  /** Set: a test that the owner of this hook asked for. It goes there alone. */
  testHookId?: number | null
}

/** Worthless late: a voice application waits for the answer. */
const urgentTypes: ReadonlySet<DeliverableType> = new Set(['voice_call', 'voice_dtmf'])

export function isUrgent(type: DeliverableType): boolean {
  return urgentTypes.has(type)
}
