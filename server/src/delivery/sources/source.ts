/** A source of fresh events. Pulling is a hint, not a claim: the route commit decides which worker routed an event. */
import type { Event } from '../../model/event.ts'

export interface FreshEvent {
  event: Event
  /** How often a worker has started to route the event, including now. */
  tries: number
  /** Identifies the message for the source. */
  mark?: string
}

export interface Source {
  name: 'inbox' | 'stream'
  pull: (max: number, signal: AbortSignal) => Promise<FreshEvent[]>
  /** The events are routed, by this or another worker. */
  routed: (events: readonly FreshEvent[]) => void
  /** Releases events that could not be routed through no fault of theirs, for any worker. */
  release: (events: readonly FreshEvent[]) => Promise<void>
  /**
   * Postpones events beyond the current budget. They are pulled again a little later, and this does not count as a
   * try.
   */
  postpone: (events: readonly FreshEvent[]) => Promise<void>
  /** Delay before the next pull after an empty one. */
  idleMs: () => number
  /** Stops pulling. Returns buffered events that were not handed out. */
  close: () => FreshEvent[]
}
