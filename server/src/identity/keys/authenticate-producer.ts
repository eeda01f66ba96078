import type { Database } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { producerDigestContext } from './producers.ts'
import { isToken } from './token.ts'

/** Returns the id of the producer with this key. Queries the database for every call, as for API keys. */
export async function authenticateProducer(db: Database, vault: Vault, key: string): Promise<number> {
  const found = isToken(key, 'hlp')
    ? await db
        .selectFrom('producers')
        .select(['id', 'revokedAt'])
        .where('digest', '=', vault.digest(key, producerDigestContext))
        .executeTakeFirst()
    : undefined
  if (found === undefined)
    throw new ApiError(
      'authenticationFailed',
      'Producer key missing or unknown. Send it as "Authorization: Bearer <key>".',
    )
  if (found.revokedAt !== null) throw new ApiError('authenticationFailed', 'Producer key revoked.')
  return found.id
}
