/**
 * Notifies all workers that an account's hooks have changed. Only a hint: workers also compare versions in their
 * statements and notice a change a round trip later.
 */
import type { Nats } from './nats.ts'

export interface HookHints {
  publish: (accountId: number) => void
  subscribe: (onChanged: (accountId: number) => void) => void
}

export function createHookHints(nats: Nats, installation: string): HookHints {
  const subject = `hookline.${installation}.hooks`
  return {
    publish: (accountId) => nats.live()?.publish(subject, String(accountId)),
    subscribe(onChanged) {
      void nats.first.then((connection) =>
        connection.subscribe(subject, { callback: (_error, message) => onChanged(Number(message.string())) }),
      )
    },
  }
}
