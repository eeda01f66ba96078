import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { drain } from '../../runtime/drain.ts'

/** Per statement, so each is short and holds few locks. */
const keysPerStep = 5_000

/** Deletes idempotency keys older than 72 hours, oldest first, along the index. */
export function pruneEventKeys(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - 3 * dayMs)
  return drain(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM event_keys AS keys USING (
        SELECT account_id, key FROM event_keys WHERE accepted_at < ${before}
        ORDER BY accepted_at LIMIT ${keysPerStep} FOR UPDATE SKIP LOCKED
      ) AS expired
      WHERE keys.account_id = expired.account_id AND keys.key = expired.key
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
