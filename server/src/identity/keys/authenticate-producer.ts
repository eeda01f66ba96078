import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { producerDigestContext } from './producers.ts'
import { isToken } from './token.ts'

/** The producer that a key belongs to; asked of the database at every call, as for API keys. */
export async function authenticateProducer(db: Database, vault: Vault, key: string): Promise<number> {
  const found = isToken(key, 'hlp')
    ? await db
        .selectFrom('producers')
        .select(['id', 'revokedAt'])
        .where('digest', '=', vault.digest(key, producerDigestContext))
        .executeTakeFirst()
    : undefined
  if (found === undefined)
    throw new Refusal('authenticationFailed', 'Send the key of a producer as "Authorization: Bearer <key>".')
  if (found.revokedAt !== null)
    throw new Refusal('authenticationFailed', 'This producer key has been revoked.')
  return found.id
}
