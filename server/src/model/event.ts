/** An event of the gateway. Created by accept, used by route and deliver. */
import { type EventType, eventTypes } from './hook.ts'

/** Built-in types of events. `all` is only an option of hooks. */
export type DeliverableType = Exclude<EventType, 'all'>

export const deliverableTypes = eventTypes.filter((type): type is DeliverableType => type !== 'all')

export function isBuiltIn(type: string): type is DeliverableType {
  return deliverableTypes.some((builtIn) => builtIn === type)
}

export interface Event {
  id: string
  accountId: number
  type: string
  /** JSON text of an object, as the producer sent it, without insignificant whitespace. */
  data: string
  acceptedAt: Date
  /** Set for a test event: the only hook that receives it. */
  testHookId?: number | null
  /** Set for a test event of a consumer, which no hook receives. */
  testConsumerId?: number | null
  /** The trace that the event belongs to, in the format of the header. */
  traceparent?: string | null | undefined
}

/** The producer of events of the service itself, such as tests. */
export const noProducer = 0

/** An event that intake has validated and not committed. */
export interface ValidEvent {
  accountId: number
  type: string
  data: string
  occurredAt: Date | null
  key: string | null
  /** Hash of type and data as sent, in hex. Events with the same key must have the same digest. */
  digest: string | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
}
