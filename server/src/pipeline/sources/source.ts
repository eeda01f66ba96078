/** Where a worker gets fresh events from. Taking is a hint, not a claim: the route commit decides who routed an event. */
import type { Event } from '../../model/event.ts'

export interface FreshEvent {
  event: Event
  /** How often a worker has begun to route it, this time included. */
  tries: number
}

export interface Source {
  take: (most: number) => Promise<FreshEvent[]>
  /** What could not be routed through no fault of its own, for anyone to take again. */
  giveBack: (events: readonly FreshEvent[]) => Promise<void>
}
