/** A leased delivery: one event for one hook in one round. */
import type { Event } from '../event.ts'

export interface LeasedDelivery {
  event: Event
  hookId: number
  round: number
  attempts: number
  /** Consecutive service faults, which are not attempts. */
  faults: number
  /** The hook's filter has not been evaluated yet. */
  matchPending?: boolean
}
