/**
 * Callers over a limit, by the credential that they send. While `Retry-After` lasts, their calls are refused without a
 * lookup in the database: a client that ignores the limit costs next to nothing.
 *
 * A credential that was revoked meanwhile is refused with 429 instead of 401. No call is allowed by this.
 */
import { createHash } from 'node:crypto'
import type { Caller } from '../model/caller.ts'
import type { Refusal } from '../model/errors.ts'
import type { CredentialSource } from './credentials/credential.ts'

interface RefusedCaller {
  caller: Caller
  refusalFor: (secondsLeft: number) => Refusal
}

export interface RefusedCallers {
  find: (source: CredentialSource) => { caller: Caller; refusal: Refusal } | undefined
  add: (source: CredentialSource, seconds: number, refused: RefusedCaller) => void
}

const maxRemembered = 10_000

export function createRefusedCallers(now: () => number): RefusedCallers {
  const remembered = new Map<string, RefusedCaller & { until: number }>()
  return {
    find(source) {
      if (remembered.size === 0) return undefined
      const key = digestOf(source)
      const found = remembered.get(key)
      if (found === undefined) return undefined
      const secondsLeft = Math.ceil((found.until - now()) / 1_000)
      if (secondsLeft > 0) return { caller: found.caller, refusal: found.refusalFor(secondsLeft) }
      remembered.delete(key)
      return undefined
    },
    add(source, seconds, refused) {
      const [oldest] = remembered.keys()
      if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest)
      remembered.set(digestOf(source), { ...refused, until: now() + seconds * 1_000 })
    },
  }
}

/**
 * Of everything in a request that can hold a credential. Cookies count only without an explicit one, as when callers are
 * identified: a client that adds another cookie to each call is the same caller. Secrets themselves are not kept.
 */
function digestOf({ headers, params }: CredentialSource): string {
  const explicit = [headers['x-api-key'], headers.authorization, params.u, params.p]
  const isExplicit = explicit.flat().some((part) => part !== undefined && part.trim() !== '')
  const parts = isExplicit ? explicit : [headers.cookie]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
