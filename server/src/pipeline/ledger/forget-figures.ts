/** Hourly figures leave when no page looks back so far any more. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { untilNone } from '../../ops/until-none.ts'
import { dayMs } from './partitions.ts'

/** Pages look back 30 days, the one that has begun included. */
const daysKept = 31
const batch = 10_000

export async function forgetFigures(db: Database, now: number): Promise<void> {
  const before = new Date(now - daysKept * dayMs)
  await untilNone(() => forgetOfHooks(db, before))
  await untilNone(() => forgetOfAccounts(db, before))
}

// Both go from owner to owner along the key, where the oldest hours stand first: what stays is not read.

async function forgetOfHooks(db: Database, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH RECURSIVE owners AS (
      (SELECT account_id, hook_id FROM rollups ORDER BY account_id, hook_id LIMIT 1)
      UNION ALL
      SELECT next.* FROM owners CROSS JOIN LATERAL (
        SELECT account_id, hook_id FROM rollups
        WHERE (account_id, hook_id) > (owners.account_id, owners.hook_id) ORDER BY account_id, hook_id LIMIT 1
      ) AS next
    )
    DELETE FROM rollups WHERE (account_id, hook_id, hour) IN (
      SELECT old.account_id, old.hook_id, old.hour FROM owners CROSS JOIN LATERAL (
        SELECT * FROM rollups AS own
        WHERE own.account_id = owners.account_id AND own.hook_id = owners.hook_id AND hour < ${before}
        FOR UPDATE SKIP LOCKED
      ) AS old LIMIT ${sql.lit(batch)}
    )
  `.execute(db)
  return Number(numAffectedRows)
}

async function forgetOfAccounts(db: Database, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH RECURSIVE owners AS (
      (SELECT account_id FROM event_rollups ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT min(account_id) FROM event_rollups WHERE account_id > owners.account_id)
      FROM owners WHERE owners.account_id IS NOT NULL
    )
    DELETE FROM event_rollups WHERE (account_id, hour) IN (
      SELECT old.account_id, old.hour FROM owners CROSS JOIN LATERAL (
        SELECT * FROM event_rollups AS own WHERE own.account_id = owners.account_id AND hour < ${before}
        FOR UPDATE SKIP LOCKED
      ) AS old LIMIT ${sql.lit(batch)}
    )
  `.execute(db)
  return Number(numAffectedRows)
}
