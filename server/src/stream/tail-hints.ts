/**
 * "Something was committed", told to the processes that hold live tails. Only a hint: they look by themselves, a quarter of
 * a second later. Told no more often than they can look.
 */
import type { Nats } from './nats.ts'

export interface TailHints {
  tell: () => void
  listen: (onCommitted: () => void) => void
}

const mostOftenMs = 20

export function createTailHints(nats: Nats, installation: string): TailHints {
  const subject = `hookline.${installation}.tail`
  let planned: NodeJS.Timeout | undefined
  return {
    tell() {
      planned ??= setTimeout(() => {
        planned = undefined
        nats.live()?.publish(subject)
      }, mostOftenMs)
    },
    listen(onCommitted) {
      void nats.first.then((connection) => connection.subscribe(subject, { callback: onCommitted }))
    },
  }
}
