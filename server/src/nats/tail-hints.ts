/**
 * Notifies processes with live tails of a commit. Only a hint: they also poll, every quarter of a second. Published
 * no more often than they can read.
 */
import type { Nats } from './nats.ts'

export interface TailHints {
  publish: () => void
  subscribe: (onCommitted: () => void) => void
}

const minIntervalMs = 20

export function createTailHints(nats: Nats, installation: string): TailHints {
  const subject = `hookline.${installation}.tail`
  let scheduled: NodeJS.Timeout | undefined
  return {
    publish() {
      scheduled ??= setTimeout(() => {
        scheduled = undefined
        nats.live()?.publish(subject)
      }, minIntervalMs)
    },
    subscribe(onCommitted) {
      void nats.first.then((connection) => connection.subscribe(subject, { callback: onCommitted }))
    },
  }
}
