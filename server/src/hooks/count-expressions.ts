/** How many filters of an account are expressions: they share the budget of each event. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { EventType } from '../model/hook.ts'

/** By the type of events that the hooks want, without the hook of `exceptId`. */
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
