/** Counts the filters of an account that are expressions: they share the budget of each event. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { EventType } from '../model/hook.ts'

/** Returns the counts by event type of the hooks, without the hook `exceptId`. */
export async function countExpressions(
  db: Database,
  accountId: number,
  exceptId: number | undefined,
): Promise<ReadonlyMap<EventType, number>> {
  const { rows } = await sql<{ eventType: EventType; expressions: number }>`
    SELECT event_type, count(*)::integer AS expressions FROM hooks
    WHERE account_id = ${accountId} AND event_filter LIKE 'cel:%' AND id IS DISTINCT FROM ${exceptId ?? null}::integer
    GROUP BY event_type
  `.execute(db)
  return new Map(rows.map(({ eventType, expressions }) => [eventType, expressions]))
}
