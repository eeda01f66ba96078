/**
 * Authenticates producers. Every accepted event is checked in the database, without a cache: by a query here, or by the
 * statement that stores the event. For the latter this process remembers which producer has a key.
 */
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { producerDigestContext } from './producers.ts'
import { isToken } from './token.ts'

export interface ProducerAuth {
  /** Returns the producer that had this key before, without checking whether it still has. */
  remembered: (key: string) => number | undefined
  /** Returns the producer with this key. Throws if there is none or it is revoked. */
  authenticate: (key: string) => Promise<number>
}

const maxRemembered = 10_000

export function createProducerAuth(db: Database, vault: Vault): ProducerAuth {
  /** By the digest of the key. */
  const producers = new Map<string, number>()
  const digestOf = (key: string): Buffer => vault.digest(key, producerDigestContext)

  return {
    remembered: (key) => (producers.size === 0 ? undefined : producers.get(digestOf(key).toString('base64'))),
    async authenticate(key) {
      const digest = isToken(key, 'hlp') ? digestOf(key) : undefined
      const found =
        digest &&
        (await db
          .selectFrom('producers')
          .select(['id', 'revokedAt'])
          .where('digest', '=', digest)
          .executeTakeFirst())
      if (digest !== undefined && found?.revokedAt !== null) producers.delete(digest.toString('base64'))
      if (digest === undefined || found === undefined)
        throw new ApiError(
          'authenticationFailed',
          'Producer key missing or unknown. Send it as "Authorization: Bearer <key>".',
        )
      if (found.revokedAt !== null) throw new ApiError('authenticationFailed', 'Producer key revoked.')
      if (producers.size >= maxRemembered) producers.clear()
      producers.set(digest.toString('base64'), found.id)
      return found.id
    },
  }
}
