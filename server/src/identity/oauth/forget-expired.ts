/** Removes what has expired, a few rows at a time, so that nobody waits for it. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { untilNone } from '../../ops/until-none.ts'

const batch = 500

/** Grants first: their tokens, used refresh tokens included, go with them. */
export async function forgetExpired(db: Database): Promise<void> {
  for (const table of ['grants', 'oauth_records'])
    await untilNone(async () => {
      const removed = await sql`
        DELETE FROM ${sql.table(table)} WHERE digest IN (
          SELECT digest FROM ${sql.table(table)} WHERE expires_at < now()
          ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
        )
      `.execute(db)
      return Number(removed.numAffectedRows ?? 0n)
    })
}
