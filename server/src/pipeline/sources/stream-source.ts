/**
 * Fresh events out of the stream. Each comes once; what becomes of it is seen by the inbox, where it stays until it is
 * routed. Says whether the stream moves, so that the inbox source takes over at once when it does not.
 */
import type { FreshPuller, PulledMessage } from '../../stream/pull-fresh.ts'
import type { StreamWatch } from './inbox-source.ts'
import type { FreshEvent, Source } from './source.ts'

interface StreamSourceParts {
  puller: FreshPuller
  /** Milliseconds on a clock that only goes forward. */
  now: () => number
}

/** Rows that age in the inbox while nothing comes for this long: the stream stands still. */
const quietMs = 2_000
const notReadyIdleMs = 100

export function createStreamSource({ puller, now }: StreamSourceParts): Source & StreamWatch {
  let heardAt = now()
  let isStalled = false
  return {
    name: 'stream',
    async take(most, signal) {
      const fresh = (await puller.pull(most, signal)).flatMap(freshEvents)
      if (fresh.length > 0) {
        heardAt = now()
        isStalled = false
      }
      return fresh
    },
    routed: acknowledge,
    // The inbox has them: they only leave the stream.
    giveBack: async (events) => acknowledge(events),
    postpone: async (events) => acknowledge(events),
    // Pulling waits by itself, but not for a stream that is not there.
    idleMs: () => (puller.isReady() ? 0 : notReadyIdleMs),
    close: () => puller.close().flatMap(freshEvents),
    isMoving: () => puller.isReady() && !isStalled,
    foundAged() {
      if (isStalled || now() - heardAt < quietMs) return
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
