import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'

/** Parks events that were never routed and are about to leave the ledger. */
export async function parkUnroutable(db: Database, before: Date): Promise<void> {
  await sql`
    WITH parked AS (
      DELETE FROM inbox WHERE event_id < uuid_v7_floor(${before}::timestamptz) RETURNING event_id, account_id
    )
    INSERT INTO parked (event_id, account_id, reason) SELECT event_id, account_id, 'retention' FROM parked
  `.execute(db)
}

/** Parks events with a reason: they no longer block others, and the operator sees them. */
export async function parkEvents(db: Database, events: readonly Event[], reason: string): Promise<void> {
  await sql`
    WITH parked AS (
      DELETE FROM inbox WHERE event_id = ANY (${events.map((event) => event.id)}::uuid[])
      RETURNING event_id, account_id
    )
    INSERT INTO parked (event_id, account_id, reason) SELECT event_id, account_id, ${reason} FROM parked
  `.execute(db)
}
