/** Events as lists show them: what they are and where their deliveries stand. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'
import type { DeliveryState } from './find-events.ts'
import { byDay, within } from './ledger-days.ts'

export interface EventRow {
  id: string
  type: DeliverableType
  acceptedAt: Date
  occurredAt: Date | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
  testHookId: number | null
  deliveries: DeliveryRow[]
}

interface DeliveryRow {
  hookId: number
  round: number
  state: DeliveryState
  /** Null: it has not ended. */
  reason: string | null
  attempts: number
}

/** In the order of the ids; what is not there, or another account's, is left out. */
export async function eventRows(
  db: Database,
  accountId: number,
  eventIds: readonly string[],
): Promise<EventRow[]> {
  const found = new Map<string, EventRow>()
  for (const [day, ids] of byDay(eventIds, (id) => id)) {
    // One statement for both, so that a delivery that ends meanwhile is seen in one of them, and once.
    const { rows } = await sql<EventRow>`
      SELECT events.id, type, accepted_at, occurred_at, message_id, sender, recipient, foreign_id, test_hook_id, (
        SELECT coalesce(json_agg(json_build_object(
          'hookId', hook_id, 'round', round, 'state', state, 'reason', reason, 'attempts', attempts)
          ORDER BY hook_id, round), '[]')
        FROM (
          SELECT hook_id, round, state, reason, attempts FROM deliveries
          WHERE deliveries.account_id = ${accountId} AND deliveries.event_id = events.id
            AND ${within(day, 'deliveries.event_id')}
          UNION ALL
          SELECT hook_id, round, CASE WHEN held THEN 'held' ELSE 'waiting' END, NULL, attempts FROM work
          WHERE work.account_id = ${accountId} AND work.event_id = events.id
        ) AS own
      ) AS deliveries
      FROM events
      WHERE events.account_id = ${accountId} AND events.id = ANY (${ids}::uuid[]) AND ${within(day, 'events.id')}
    `.execute(db)
    for (const row of rows) found.set(row.id, row)
  }
  return eventIds.flatMap((id) => found.get(id) ?? [])
}
