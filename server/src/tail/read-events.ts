/** Reads committed events with their data, in commit order, and finds out which positions have newer ones. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { integer, unnestRows, uuid, xid8 } from '../db/rows.ts'
import { minEventId } from '../model/event-id.ts'
import type { Event } from '../model/event.ts'
import { slackMs, type TailPosition } from './cursor.ts'
import { dayBefore } from './read-tail.ts'

/** The last event that was read. Deliveries and attempts have no place in it. */
export type EventPosition = Pick<TailPosition, 'xid' | 'eventId' | 'at'>

export interface CommittedEvent extends Event {
  testHookId: number | null
  /** Set for a test event of a consumer. */
  testConsumerId: number | null
  position: EventPosition
}

export interface CommittedPage {
  events: CommittedEvent[]
  /** All transactions before this one have ended, and their events were read. */
  horizon: string
}

type Row = Omit<CommittedEvent, 'position' | 'accountId' | 'id'> & {
  xid: string
  id: string | null
  horizon: string
}

/**
 * Returns the next events of an account. One horizon for all days: a later one could already include a transaction whose
 * events were not there when another day was read.
 */
export async function readCommittedEvents(
  db: Database,
  accountId: number,
  after: EventPosition,
  max: number,
  /** The database time, which determines event ids. */
  now: number,
): Promise<CommittedPage> {
  const { rows } = await sql<Row>`/* prepared */
    WITH horizon AS MATERIALIZED (SELECT commit_horizon() AS xid)
    SELECT horizon.xid AS horizon, events.* FROM horizon LEFT JOIN LATERAL (
      SELECT xid, id, type, data, accepted_at, test_hook_id, test_consumer_id, traceparent FROM events
      WHERE account_id = ${accountId} AND xid >= ${after.xid}::xid8 AND xid < horizon.xid
        AND id >= ${lowestId(after, now)}::uuid AND id < ${highestId(now)}::uuid
        AND (xid > ${after.xid}::xid8 OR id > ${after.eventId}::uuid)
      ORDER BY xid, id LIMIT ${max}
    ) AS events ON true
    ORDER BY events.xid, events.id
  `.execute(db)
  return { horizon: rows[0]?.horizon ?? '0', events: rows.flatMap((row) => toEvent(row, accountId)) }
}

/** Without events there is a row with the horizon only. */
function toEvent({ xid, id, ...row }: Row, accountId: number): CommittedEvent[] {
  return id === null ? [] : [{ ...row, id, accountId, position: { xid, eventId: id, at: row.acceptedAt } }]
}

/** Returns whether there are newer events, for many positions in one statement. */
export async function haveNewerEvents(
  db: Database,
  positions: ReadonlyArray<{ accountId: number; after: EventPosition }>,
  now: number,
): Promise<boolean[]> {
  const { rows } = await sql<{ index: number }>`/* prepared */
    WITH horizon AS MATERIALIZED (SELECT commit_horizon() AS xid)
    SELECT input.index FROM ${unnestRows('input', positions, {
      index: integer((_, index) => index),
      account_id: integer(({ accountId }) => accountId),
      xid: xid8(({ after }) => after.xid),
      event_id: uuid(({ after }) => after.eventId),
      low: uuid(({ after }) => lowestId(after, now)),
    })}
    CROSS JOIN LATERAL (
      SELECT FROM events
      WHERE account_id = input.account_id AND xid >= input.xid AND xid < (SELECT xid FROM horizon)
        AND id >= input.low AND id < ${highestId(now)}::uuid AND (xid > input.xid OR id > input.event_id)
      ORDER BY xid LIMIT 1
    ) AS newer
  `.execute(db)
  const newer = new Set(rows.map(({ index }) => index))
  return positions.map((_, index) => newer.has(index))
}

function lowestId({ at }: EventPosition, now: number): string {
  return minEventId(dayBefore(Math.min(at.getTime(), now)))
}

function highestId(now: number): string {
  return minEventId(new Date(now + slackMs))
}
