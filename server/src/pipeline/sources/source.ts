/** Where a worker gets fresh events from. Taking is a hint, not a claim: the route commit decides who routed an event. */
import type { Event } from '../../model/event.ts'

export interface FreshEvent {
  event: Event
  /** How often a worker has begun to route it, this time included. */
  tries: number
  /** The source's own, by which it knows what it handed out. */
  mark?: string
}

export interface Source {
  name: 'inbox' | 'stream'
  take: (most: number, signal: AbortSignal) => Promise<FreshEvent[]>
  /** These are routed, by whomever. */
  routed: (events: readonly FreshEvent[]) => void
  /** What could not be routed through no fault of its own, for anyone to take again. */
  giveBack: (events: readonly FreshEvent[]) => Promise<void>
  /** What there was no time for now: it is taken again a little later, and this does not count as a try. */
  postpone: (events: readonly FreshEvent[]) => Promise<void>
  /** How long to wait before asking again when there was nothing. */
  idleMs: () => number
  /** Takes nothing more; answers what it had already and has not handed out. */
  close: () => FreshEvent[]
}
