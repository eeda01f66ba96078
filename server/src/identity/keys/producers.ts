/** Producers are gateway components that submit events. Each has a key that is shown only once. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Vault } from '../../vault/vault.ts'
import { createToken, displayPrefix } from './token.ts'

export const producerDigestContext = 'producer'

export interface ListedProducer {
  id: number
  name: string
  prefix: string
  revokedAt: Date | null
  createdAt: Date
}

export async function createProducer(
  db: Database,
  vault: Vault,
  actor: Actor,
  name: string,
): Promise<{ producerId: number; key: string }> {
  const key = createToken('hlp')
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('producers')
      .values({ name, prefix: displayPrefix(key), digest: vault.digest(key, producerDigestContext) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(trx, { actor, action: 'producer.create', subject: `producer:${id}`, detail: { name } })
    return { producerId: id, key }
  })
}

export function listProducers(db: Database): Promise<ListedProducer[]> {
  return db
    .selectFrom('producers')
    .select(['id', 'name', 'prefix', 'revokedAt', 'createdAt'])
    .orderBy('id')
    .execute()
}

/** Revokes the key of a producer permanently. Returns false if it does not exist or was already revoked. */
export async function revokeProducer(db: Database, actor: Actor, producerId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const revoked = await trx
      .updateTable('producers')
      .set({ revokedAt: sql<Date>`now()` })
      .where('id', '=', producerId)
      .where('revokedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (revoked === undefined) return false
    await recordAudit(trx, { actor, action: 'producer.revoke', subject: `producer:${producerId}` })
    return true
  })
}
