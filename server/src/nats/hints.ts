/**
 * A hint without content: something was committed. Receivers also look by themselves, only less often.
 * Published no more often than they can read.
 */
import type { Nats } from './nats.ts'

export interface Hint {
  publish: () => void
  subscribe: (onHint: () => void) => void
}

/** With a `queue`, one process of those that subscribe gets each hint. */
export function createHint(
  nats: Nats,
  subject: string,
  { minIntervalMs, queue }: { minIntervalMs: number; queue?: string },
): Hint {
  let scheduled: NodeJS.Timeout | undefined
  return {
    publish() {
      scheduled ??= setTimeout(() => {
        scheduled = undefined
        nats.live()?.publish(subject)
      }, minIntervalMs)
    },
    subscribe(onHint) {
      void nats.first.then((connection) =>
        connection.subscribe(subject, { callback: onHint, ...(queue !== undefined && { queue }) }),
      )
    },
  }
}
