import type { Actor } from '../../db/audit.ts'
import type { Caller } from '../../model/caller.ts'

/** Returns the actor for hook versions and the audit log. */
export function actorOf(caller: Caller): Actor {
  if (caller.appId !== undefined) return `app:${caller.appId}`
  if (caller.keyId !== undefined) return `key:${caller.keyId}`
  if (caller.loginId !== undefined) return `login:${caller.loginId}`
  throw new Error('caller has no key, login or app')
}
