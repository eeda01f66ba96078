/**
 * "This account's hooks have changed", told to all workers. Only a hint: they compare versions in their own statements
 * and find out by themselves, a round trip later.
 */
import type { Nats } from './nats.ts'

export interface HookHints {
  tell: (accountId: number) => void
  listen: (onChanged: (accountId: number) => void) => void
}

export function createHookHints(nats: Nats, installation: string): HookHints {
  const subject = `hookline.${installation}.hooks`
  return {
    tell: (accountId) => nats.live()?.publish(subject, String(accountId)),
    listen(onChanged) {
      void nats.first.then((connection) =>
        connection.subscribe(subject, { callback: (_error, message) => onChanged(Number(message.string())) }),
      )
    },
  }
}
