/** An event of the gateway. Created by accept, used by route and deliver. */
import { type EventType, eventTypes } from './hook.ts'

/** Types of events. `all` is only an option of hooks. */
export type DeliverableType = Exclude<EventType, 'all'>

export const deliverableTypes = eventTypes.filter((type): type is DeliverableType => type !== 'all')

export interface Event {
  id: string
  accountId: number
  type: DeliverableType
  /** JSON text of an object, as the producer sent it, without insignificant whitespace. */
  data: string
  acceptedAt: Date
  /** Set for a test event: the only hook that receives it. */
  testHookId?: number | null
}

/** The field that plain filter values are compared with: the inbound number, for RCS the agent. */
export const filterFields: Record<DeliverableType, 'system' | 'agent_id'> = {
  rcs: 'agent_id',
  sms_mo: 'system',
  dlr: 'system',
  voice_call: 'system',
  voice_status: 'system',
  voice_dtmf: 'system',
  tracking: 'system',
}

/** Types that are useless when late: a voice application waits for the response. */
const timeSensitiveTypes: ReadonlySet<DeliverableType> = new Set(['voice_call', 'voice_dtmf'])

export function isTimeSensitive(type: DeliverableType): boolean {
  return timeSensitiveTypes.has(type)
}
