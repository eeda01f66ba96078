/** Selects finished deliveries that match a search, page by page along the events found, newest first. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { integer, unnestRows, uuid } from '../db/rows.ts'
import { readNumber } from '../model/number-search.ts'
import {
  type EventSearch,
  findDeliveries,
  searchEvents,
  type FoundDelivery,
  isUnfinished,
} from '../events/search-events.ts'
import { numberCondition } from '../events/search-numbers.ts'
import { countSendable, type Sendable } from '../delivery/queue/replay-counts.ts'
import { byDay, within } from '../ledger/days.ts'

interface Page {
  deliveries: FoundDelivery[]
  /** Null: there are no more pages. */
  next: string | null
}

/** Returns finished deliveries of at most `maxEvents` events. An empty page may not be the last. */
export async function findFinished(
  db: Database,
  accountId: number,
  search: EventSearch,
  position: string | null,
  maxEvents: number,
): Promise<Page> {
  const page = { limit: maxEvents, before: position ?? undefined }
  const { ids, next } = await searchEvents(db, accountId, search, page)
  return { deliveries: await selectFinished(db, accountId, search, ids), next }
}

/**
 * Returns the finished deliveries of these events that match a search, newest first. Includes deliveries being
 * replayed, unless the search has a state.
 */
export async function selectFinished(
  db: Database,
  accountId: number,
  search: EventSearch,
  eventIds: readonly string[],
): Promise<FoundDelivery[]> {
  if (isUnfinished(search.state)) return []
  const found = await findDeliveries(db, accountId, search, eventIds)
  const deliveries: FoundDelivery[] = []
  for (const [day, candidates] of byDay(found, ({ eventId }) => eventId)) {
    const { rows } = await sql<FoundDelivery>`
      SELECT input.event_id, input.hook_id FROM ${unnestRows('input', candidates, {
        event_id: uuid((row) => row.eventId),
        hook_id: integer((row) => row.hookId),
      })}
      CROSS JOIN LATERAL (
        SELECT FROM deliveries
        WHERE account_id = ${accountId} AND event_id = input.event_id AND hook_id = input.hook_id
          AND ${within(day, 'event_id')}
        LIMIT 1
      ) AS ended
      WHERE ${textCondition(accountId, search)}
      ORDER BY event_id DESC, hook_id
    `.execute(db)
    deliveries.push(...rows)
  }
  return deliveries
}

/** A text may be the id of a hook, which selects only its deliveries; otherwise it is a value of the event. */
function textCondition(accountId: number, { text, country }: EventSearch) {
  if (text === undefined) return sql`true`
  return sql`(input.hook_id::text = ${text} OR EXISTS (
    SELECT FROM events
    WHERE account_id = ${accountId} AND events.id = input.event_id
      AND (${text} IN (message_id, foreign_id) OR ${numberCondition(readNumber(text, country))})))`
}

type Countable =
  | { kind: 'deliveries'; deliveries: ReadonlyArray<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: EventSearch }

const countMs = 1_000
const countBatchSize = 500

/** Counts for about a second. After that the count is a minimum. */
export async function countSelected(
  db: Database,
  accountId: number,
  requested: Countable,
): Promise<{ sendable: Sendable; isExact: boolean }> {
  if (requested.kind === 'deliveries') {
    const named = requested.deliveries.map(({ event_id, hook_id }) => ({
      eventId: event_id,
      hookId: hook_id,
    }))
    return { sendable: await countSendable(db, accountId, named), isExact: true }
  }
  const endsAt = performance.now() + countMs
  let sendable = await countSendable(db, accountId, [])
  let position: string | null = null
  do {
    const page: Page = await findFinished(db, accountId, requested.search, position, countBatchSize)
    sendable = add(sendable, await countSendable(db, accountId, page.deliveries))
    position = page.next
  } while (position !== null && performance.now() < endsAt)
  return { sendable, isExact: position === null }
}

function add(one: Sendable, other: Sendable): Sendable {
  return {
    ready: one.ready + other.ready,
    disabled: one.disabled + other.disabled,
    deleted: one.deleted + other.deleted,
    pending: one.pending + other.pending,
    missing: one.missing + other.missing,
    disabledHooks: [...new Set([...one.disabledHooks, ...other.disabledHooks])],
  }
}
