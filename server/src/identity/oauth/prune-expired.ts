/** Deletes expired OAuth rows in small batches, to keep locks short. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'

const batchSize = 500

/** Starts with grants, which cascade to their tokens, including used refresh tokens. */
export async function pruneExpired(db: Database): Promise<void> {
  for (const table of ['grants', 'oauth_records'])
    await drain(async () => {
      const removed = await sql`
        DELETE FROM ${sql.table(table)} WHERE digest IN (
          SELECT digest FROM ${sql.table(table)} WHERE expires_at < now()
          ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
        )
      `.execute(db)
      return Number(removed.numAffectedRows ?? 0n)
    })
}
