/** Reads events for lists, each with the states of its deliveries. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { DeliveryReason } from '../model/delivery/reasons.ts'
import type { DeliveryState } from './search-events.ts'
import { byDay, within } from '../ledger/days.ts'

export interface EventRow {
  id: string
  type: string
  acceptedAt: Date
  occurredAt: Date | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
  isTest: boolean
  /** False: not matched against the hooks yet. */
  isRouted: boolean
  deliveries: DeliveryRow[]
}

interface DeliveryRow {
  hookId: number
  round: number
  state: DeliveryState
  /** Of the last attempt while the delivery is not finished; null before the first. */
  reason: DeliveryReason | null
  attempts: number
}

/** Returns events in the order of the ids. Unknown ids and those of other accounts are omitted. */
export async function eventRows(
  db: Database,
  accountId: number,
  eventIds: readonly string[],
): Promise<EventRow[]> {
  const found = new Map<string, EventRow>()
  for (const [day, ids] of byDay(eventIds, (id) => id)) {
    // One statement for both tables, so a delivery that finishes meanwhile is seen exactly once.
    const { rows } = await sql<EventRow>`
      SELECT events.id, type, accepted_at, occurred_at, message_id, sender, recipient, foreign_id,
        coalesce(test_hook_id, test_consumer_id) IS NOT NULL AS is_test,
        (SELECT true FROM inbox WHERE inbox.event_id = events.id LIMIT 1) IS NULL
          AND (SELECT true FROM parked WHERE parked.event_id = events.id LIMIT 1) IS NULL AS is_routed, (
        SELECT coalesce(json_agg(json_build_object(
          'hookId', hook_id, 'round', round, 'state', state, 'reason', reason, 'attempts', attempts)
          ORDER BY hook_id, round), '[]')
        FROM (
          SELECT hook_id, round, state, reason, attempts FROM deliveries
          WHERE deliveries.account_id = ${accountId} AND deliveries.event_id = events.id
            AND ${within(day, 'deliveries.event_id')}
          UNION ALL
          SELECT hook_id, round, CASE WHEN held THEN 'held' ELSE 'waiting' END, (
            SELECT last.reason FROM attempts AS last
            WHERE last.account_id = ${accountId} AND last.event_id = work.event_id AND last.hook_id = work.hook_id
              AND last.round = work.round AND ${within(day, 'last.event_id')}
            ORDER BY last.attempt DESC LIMIT 1), attempts FROM work
          WHERE work.account_id = ${accountId} AND work.event_id = events.id
        ) AS combined
      ) AS deliveries
      FROM events
      WHERE events.account_id = ${accountId} AND events.id = ANY (${ids}::uuid[]) AND ${within(day, 'events.id')}
    `.execute(db)
    for (const row of rows) found.set(row.id, row)
  }
  return eventIds.flatMap((id) => found.get(id) ?? [])
}

/** Splits ids into batches of up to `maxDeliveries` deliveries together. A batch has at least one event. */
export async function batchByDeliveries(
  db: Database,
  accountId: number,
  eventIds: readonly string[],
  maxDeliveries: number,
): Promise<string[][]> {
  const batches: string[][] = []
  let total = 0
  for (const [day, ids] of byDay(eventIds, (id) => id)) {
    const { rows } = await sql<{ id: string; deliveries: number }>`
      SELECT id, (
        SELECT count(*)::integer FROM deliveries
        WHERE deliveries.account_id = ${accountId} AND deliveries.event_id = input.id
          AND ${within(day, 'deliveries.event_id')}
      ) + (SELECT count(*)::integer FROM work WHERE work.account_id = ${accountId} AND work.event_id = input.id) AS deliveries
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS input (id, position)
      ORDER BY position
    `.execute(db)
    for (const { id, deliveries } of rows) {
      total += deliveries
      const batch = batches.at(-1)
      if (batch !== undefined && total <= maxDeliveries) batch.push(id)
      else {
        batches.push([id])
        total = deliveries
      }
    }
  }
  return batches
}
