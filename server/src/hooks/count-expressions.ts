/** Counts the filters of an account that are expressions: they share the budget of each event. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { registeredName } from './hook-record.ts'

/** Returns the counts by event type of the hooks, without the hook `exceptId`. */
export async function countExpressions(
  db: Database,
  accountId: number,
  exceptId: number | undefined,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ eventType: string; expressions: number }>`
    SELECT ${registeredName('hooks')} AS event_type, count(*)::integer AS expressions FROM hooks
    WHERE account_id = ${accountId} AND event_filter LIKE 'cel:%' AND id IS DISTINCT FROM ${exceptId ?? null}::integer
    GROUP BY 1
  `.execute(db)
  return new Map(rows.map(({ eventType, expressions }) => [eventType, expressions]))
}
