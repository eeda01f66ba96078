/** Reads which events have been matched against the webhooks, with the deliveries that are not finished. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { integer, unnestRows, uuid } from '../db/rows.ts'
import { minEventId } from '../model/event-id.ts'
import type { TailedHook } from './read-tail.ts'

export interface AcceptedEvent {
  accountId: number
  eventId: string
}

export interface RoutedEvent {
  eventId: string
  pending: PendingDelivery[]
}

interface PendingDelivery {
  hookId: number
  round: number
  isHeld: boolean
  attempts: number
  hook: TailedHook
}

/** Returns the events that have been routed, by index. Each is looked up by its keys in one snapshot. */
export async function readRoutes(
  db: Database,
  events: readonly AcceptedEvent[],
): Promise<Map<number, RoutedEvent>> {
  const { rows } = await sql<RoutedEvent & { index: number }>`/* prepared */
    SELECT input.index, input.event_id, (
      SELECT coalesce(json_agg(json_build_object(
        'hookId', work.hook_id, 'round', round, 'isHeld', held, 'attempts', attempts, 'hook',
        CASE WHEN hooks.id IS NOT NULL THEN json_build_object('name', hooks.name, 'targetUrl', hooks.target_url) END)
        ORDER BY work.hook_id), '[]')
      FROM work LEFT JOIN hooks ON hooks.account_id = work.account_id AND hooks.id = work.hook_id
      WHERE work.event_id = input.event_id AND work.account_id = input.account_id
    ) AS pending
    FROM ${unnestRows('input', events, {
      index: integer((_, index) => index),
      account_id: integer(({ accountId }) => accountId),
      event_id: uuid(({ eventId }) => eventId),
    })}
    WHERE (SELECT true FROM inbox WHERE inbox.event_id = input.event_id LIMIT 1) IS NULL
      AND (SELECT true FROM parked WHERE parked.event_id = input.event_id LIMIT 1) IS NULL
  `.execute(db)
  return new Map(rows.map(({ index, ...routed }) => [index, routed]))
}

/** Returns the newest events of an account since a time. */
export async function recentEventIds(
  db: Database,
  accountId: number,
  since: Date,
  max: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM events WHERE account_id = ${accountId} AND id >= ${minEventId(since)}::uuid
    ORDER BY id DESC LIMIT ${max}
  `.execute(db)
  return rows.map(({ id }) => id)
}
