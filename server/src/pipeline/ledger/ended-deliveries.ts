/** Deliveries that have ended and that a search asks for, page by page along the events that it finds, newest first. */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { comparable } from '../../model/event-filter.ts'
import { type EventSearch, findDeliveries, findEvents, type FoundDelivery, isOpen } from './find-events.ts'
import { byDay, within } from './ledger-days.ts'

interface Page {
  deliveries: FoundDelivery[]
  /** Null: there are no more. */
  next: string | null
}

/** Of at most so many events; a page may be empty and not the last. */
export async function findEnded(
  db: Database,
  accountId: number,
  search: EventSearch,
  position: string | null,
  mostEvents: number,
): Promise<Page> {
  const page = { limit: mostEvents, before: position ?? undefined }
  const { ids, next } = await findEvents(db, accountId, search, page)
  return { deliveries: await endedAmong(db, accountId, search, ids), next }
}

/**
 * Of these events the deliveries that a search asks for and that have ended before, newest first. One that is being sent
 * again is among them unless a state is asked for.
 */
export async function endedAmong(
  db: Database,
  accountId: number,
  search: EventSearch,
  eventIds: readonly string[],
): Promise<FoundDelivery[]> {
  if (isOpen(search.state)) return []
  const found = await findDeliveries(db, accountId, search, eventIds)
  const deliveries: FoundDelivery[] = []
  for (const [day, asked] of byDay(found, ({ eventId }) => eventId)) {
    const { rows } = await sql<FoundDelivery>`
      SELECT given.event_id, given.hook_id FROM unnest(
        ${wordArray(asked.map(({ eventId }) => eventId))}::uuid[],
        ${plainArray(asked.map(({ hookId }) => hookId))}::integer[]) AS given (event_id, hook_id)
      CROSS JOIN LATERAL (
        SELECT FROM deliveries
        WHERE account_id = ${accountId} AND event_id = given.event_id AND hook_id = given.hook_id
          AND ${within(day, 'event_id')}
        LIMIT 1
      ) AS ended
      WHERE ${ofText(accountId, search)}
      ORDER BY event_id DESC, hook_id
    `.execute(db)
    deliveries.push(...rows)
  }
  return deliveries
}

/** A text may be the id of a hook, and then only what went there is meant; otherwise it is something of the event. */
function ofText(accountId: number, { text }: EventSearch) {
  if (text === undefined) return sql`true`
  return sql`(given.hook_id::text = ${text} OR EXISTS (
    SELECT FROM events
    WHERE account_id = ${accountId} AND events.id = given.event_id
      AND (${text} IN (message_id, foreign_id) OR ${comparable(text)} IN (sender, recipient))))`
}

type Countable =
  | { kind: 'deliveries'; deliveries: ReadonlyArray<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: EventSearch }

const countMs = 1_000
const countedAtOnce = 500

/** Counts for about a second; if that is not enough, there are at least so many. */
export async function countEnded(
  db: Database,
  accountId: number,
  wanted: Countable,
): Promise<{ count: number; isExact: boolean }> {
  if (wanted.kind === 'deliveries')
    return { count: await countNamed(db, accountId, wanted.deliveries), isExact: true }
  const endsAt = performance.now() + countMs
  let count = 0
  let position: string | null = null
  do {
    const page: Page = await findEnded(db, accountId, wanted.search, position, countedAtOnce)
    count += page.deliveries.length
    position = page.next
  } while (position !== null && performance.now() < endsAt)
  return { count, isExact: position === null }
}

async function countNamed(
  db: Database,
  accountId: number,
  deliveries: ReadonlyArray<{ event_id: string; hook_id: number }>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM unnest(
      ${wordArray(deliveries.map(({ event_id }) => event_id))}::uuid[],
      ${plainArray(deliveries.map(({ hook_id }) => hook_id))}::integer[]) AS given (event_id, hook_id)
    CROSS JOIN LATERAL (
      SELECT FROM deliveries
      WHERE account_id = ${accountId} AND deliveries.event_id = given.event_id AND deliveries.hook_id = given.hook_id
      LIMIT 1
    ) AS own
  `.execute(db)
  return rows[0]?.count ?? 0
}
