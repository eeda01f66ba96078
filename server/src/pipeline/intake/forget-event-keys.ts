import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { untilNone } from '../../ops/until-none.ts'

/** In one statement, so that each is short and holds few locks. */
const keysPerStep = 5_000

/** Producers may repeat an event under its key for 72 hours. Oldest first, along the index. */
export function forgetEventKeys(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - 3 * dayMs)
  return untilNone(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM event_keys AS own USING (
        SELECT account_id, key FROM event_keys WHERE accepted_at < ${before}
        ORDER BY accepted_at LIMIT ${keysPerStep} FOR UPDATE SKIP LOCKED
      ) AS old
      WHERE own.account_id = old.account_id AND own.key = old.key
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
