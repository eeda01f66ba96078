/**
 * Reads fresh events from the stream. Each comes once and stays in the inbox until it is routed. Reports whether the
 * stream moves, so the inbox source takes over immediately when it stalls.
 */
import type { FreshPuller, PulledMessage } from '../../nats/pull-fresh.ts'
import type { StreamWatch } from './inbox-source.ts'
import type { FreshEvent, Source } from './source.ts'

interface StreamSourceDeps {
  puller: FreshPuller
  /** A monotonic clock, in milliseconds. */
  now: () => number
}

/** If inbox rows age while no message arrives for this long, the stream has stalled. */
const quietMs = 2_000
const notReadyIdleMs = 100

export function createStreamSource({ puller, now }: StreamSourceDeps): Source & StreamWatch {
  let lastMessageAt = now()
  let isStalled = false
  return {
    name: 'stream',
    async pull(max, signal) {
      const fresh = (await puller.pull(max, signal)).flatMap(freshEvents)
      if (fresh.length > 0) {
        lastMessageAt = now()
        isStalled = false
      }
      return fresh
    },
    routed: acknowledge,
    // The inbox has these events: they only leave the stream.
    release: async (events) => acknowledge(events),
    postpone: async (events) => acknowledge(events),
    // `pull` waits for messages itself, but not for a missing stream.
    idleMs: () => (puller.isReady() ? 0 : notReadyIdleMs),
    close: () => puller.close().flatMap(freshEvents),
    isMoving: () => puller.isReady() && !isStalled,
    foundAged() {
      if (isStalled || now() - lastMessageAt < quietMs) return
      isStalled = true
      puller.renew()
    },
  }

  function acknowledge(events: readonly FreshEvent[]): void {
    for (const mark of new Set(events.map((event) => event.mark)))
      if (mark !== undefined) puller.acknowledge(mark)
  }
}

function freshEvents({ events, acknowledgeAt }: PulledMessage): FreshEvent[] {
  return events.map((event) => ({ event, tries: 1, mark: acknowledgeAt }))
}
