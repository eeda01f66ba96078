import type { Event } from '../event.ts'

export const finalStates = ['delivered', 'failed', 'expired', 'cancelled'] as const
export type FinalState = (typeof finalStates)[number]

/** A leased delivery: one event for one hook in one round. */
export interface LeasedDelivery {
  event: Event
  hookId: number
  round: number
  attempts: number
  /** Consecutive service faults, which are not attempts. */
  faults: number
  /** The hook's filter has not been evaluated yet. */
  matchPending?: boolean
  /** The span of the route, if it is recorded. */
  routedIn?: string | undefined
}
