/**
 * Caches callers over a limit by their credential. Until `Retry-After` has passed, their calls are rejected without a
 * database lookup, so a client that ignores the limit costs little.
 *
 * A credential revoked in the meantime gets 429 instead of 401. The cache never allows a call.
 */
import type { Caller } from '../../model/caller.ts'
import type { ApiError } from '../../model/errors.ts'
import type { CredentialSource } from './credential.ts'
import { digestOf } from './digest.ts'

interface RejectedCaller {
  caller: Caller
  rejectionFor: (secondsLeft: number) => ApiError
}

export interface RejectedCallers {
  find: (source: CredentialSource) => { caller: Caller; rejection: ApiError } | undefined
  add: (source: CredentialSource, seconds: number, rejected: RejectedCaller) => void
}

const maxCached = 10_000

export function createRejectedCallers(now: () => number): RejectedCallers {
  const cached = new Map<string, RejectedCaller & { until: number }>()
  return {
    find(source) {
      if (cached.size === 0) return undefined
      const key = digestOf(source)
      const found = cached.get(key)
      if (found === undefined) return undefined
      const secondsLeft = Math.ceil((found.until - now()) / 1_000)
      if (secondsLeft > 0) return { caller: found.caller, rejection: found.rejectionFor(secondsLeft) }
      cached.delete(key)
      return undefined
    },
    add(source, seconds, rejected) {
      const [oldest] = cached.keys()
      if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest)
      cached.set(digestOf(source), { ...rejected, until: now() + seconds * 1_000 })
    },
  }
}
