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

type Row = Omit<CommittedEvent, 'position' | 'accountId'> & { xid: string }

/** Returns the next events of an account. */
export async function readCommittedEvents(
  db: Database,
  accountId: number,
  after: EventPosition,
  max: number,
  /** The database time, which determines event ids. */
  now: number,
): Promise<CommittedEvent[]> {
  const { rows } = await sql<Row>`/* prepared */
    SELECT xid, id, type, data, accepted_at, test_hook_id, test_consumer_id, traceparent FROM events
    WHERE account_id = ${accountId} AND xid >= ${after.xid}::xid8 AND xid < commit_horizon()
      AND id >= ${lowestId(after, now)}::uuid AND id < ${highestId(now)}::uuid
      AND (xid > ${after.xid}::xid8 OR id > ${after.eventId}::uuid)
    ORDER BY xid, id LIMIT ${max}
  `.execute(db)
  return rows.map(({ xid, ...event }) => ({
    ...event,
    accountId,
    position: { xid, eventId: event.id, at: event.acceptedAt },
  }))
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
