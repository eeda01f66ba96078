/** Reads what was committed after a position, for many tails in one statement. */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'
import { dayMs } from '../../model/day.ts'
import { floorOf } from '../../model/event-id.ts'
import { beforeAll, type TailPosition } from './position.ts'

interface TailedEvent {
  kind: 'event'
  position: TailPosition
  id: string
  type: DeliverableType
  acceptedAt: Date
  occurredAt: Date | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
  testHookId: number | null
}

interface TailedDelivery {
  kind: 'delivery'
  position: TailPosition
  state: string
  reason: string
  attempts: number
}

export type Tailed = TailedEvent | TailedDelivery

export interface TailRequest {
  accountId: number
  after: TailPosition
  most: number
}

type Row = Omit<TailedEvent, 'kind' | 'position' | 'id'> &
  Omit<TailedDelivery, 'kind' | 'position'> &
  TailPosition & { place: number }

/** No transaction that writes events is open for so long, and no clock is so wrong: other days need not be looked at. */
export const slackMs = dayMs

/** For each request what comes next, in the order of commit. */
export async function readTail(
  db: Database,
  requests: readonly TailRequest[],
  /** By the database's clock, which gives events their ids. */
  now: number,
): Promise<Tailed[][]> {
  const after = <T>(read: (position: TailPosition) => T): T[] =>
    requests.map((request) => read(request.after))
  const below = floorOf(new Date(now + slackMs))
  const { rows } = await sql<Row>`/* kept */
    WITH horizon AS MATERIALIZED (SELECT commit_horizon() AS xid)
    SELECT given.place, own.* FROM unnest(
      ${plainArray(requests.map((_, place) => place))}::integer[],
      ${plainArray(requests.map(({ accountId }) => accountId))}::integer[],
      ${wordArray(after(({ xid }) => xid))}::xid8[],
      ${wordArray(after(({ eventId }) => eventId))}::uuid[],
      ${plainArray(after(({ hookId }) => hookId))}::integer[],
      ${plainArray(after(({ round }) => round))}::integer[],
      ${wordArray(after(({ at }) => floorOf(dayBefore(Math.min(at.getTime(), now)))))}::uuid[],
      ${plainArray(requests.map(({ most }) => most))}::integer[]
    ) AS given (place, account_id, xid, event_id, hook_id, round, low, most)
    CROSS JOIN LATERAL (
      (SELECT xid, id AS event_id, 0 AS hook_id, 0 AS round, accepted_at AS at, type, accepted_at, occurred_at,
              message_id, sender, recipient, foreign_id, test_hook_id, NULL AS state, NULL AS reason, NULL AS attempts
       FROM events
       WHERE account_id = given.account_id AND xid >= given.xid AND xid < (SELECT xid FROM horizon)
         AND id >= given.low AND id < ${below}::uuid
         AND (xid > given.xid OR (id, 0, 0) > (given.event_id, given.hook_id, given.round))
       ORDER BY xid, id LIMIT given.most)
      UNION ALL
      (SELECT xid, event_id, hook_id, round, finished_at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              state, reason, attempts
       FROM deliveries
       WHERE account_id = given.account_id AND xid >= given.xid AND xid < (SELECT xid FROM horizon)
         AND event_id < ${below}::uuid
         AND (xid > given.xid OR (event_id, hook_id, round) > (given.event_id, given.hook_id, given.round))
       ORDER BY xid, event_id, hook_id, round LIMIT given.most)
      ORDER BY xid, event_id, hook_id, round LIMIT given.most
    ) AS own
    ORDER BY given.place, own.xid, own.event_id, own.hook_id, own.round
  `.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return requests.map((_, place) => (byPlace.get(place) ?? []).map(toTailed))
}

/**
 * From its beginning on, as the ledger keeps days: of a day that is looked at no event is passed over, whatever the position
 * says. A position from before the database's clock was set back does not hide what comes now.
 */
function dayBefore(at: number): Date {
  return new Date(Math.max(0, Math.floor(at / dayMs) - 1) * dayMs)
}

/** An event has no hook, and no delivery is without one. */
function toTailed({ xid, eventId, hookId, round, at, state, reason, attempts, ...event }: Row): Tailed {
  const position = { xid, eventId, hookId, round, at }
  if (hookId !== 0) return { kind: 'delivery', position, state, reason, attempts }
  const { place: _, ...own } = event
  return { kind: 'event', position, id: eventId, ...own }
}

export interface Horizon {
  oldestRunning: string
  next: string
  now: Date
}

/** The oldest transaction of ours that is still under way, and the number that the next one gets. */
export async function readHorizon(db: Database): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    SELECT commit_horizon()::text AS oldest_running,
           pg_snapshot_xmax(pg_current_snapshot())::text AS next, now()
  `.execute(db)
  const [horizon] = rows
  if (horizon === undefined) throw new Error('there is no horizon')
  return horizon
}

/** Within this a transaction that has begun gets its number. */
const surelyNumberedMs = 5 * 60 * 1_000

/**
 * A position before all that became of an account's events from a time on. Numbers of transactions grow with time, so the
 * place is found by halving: each step reads the first row from a number on, along the indexes of tails. Up to a row that
 * is older than the time by more than its transaction can have waited for a number, nothing is of that time.
 */
export async function positionAt(db: Database, accountId: number, time: Date): Promise<TailPosition> {
  const { next } = await readHorizon(db)
  const surelyBefore = time.getTime() - surelyNumberedMs
  return db.connection().execute(async (connection) => {
    let before = 0n
    let end = BigInt(next)
    while (end - before > 1n) {
      const middle = (before + end) / 2n
      const row = await firstFrom(connection, accountId, middle)
      if (row !== undefined && row.at.getTime() < surelyBefore) before = BigInt(row.xid)
      else end = middle
    }
    return beforeAll(String(before), time)
  })
}

async function firstFrom(
  db: Database,
  accountId: number,
  xid: bigint,
): Promise<{ xid: string; at: Date } | undefined> {
  const { rows } = await sql<{ xid: string; at: Date }>`/* kept */
    (SELECT xid, accepted_at AS at FROM events
     WHERE account_id = ${accountId} AND xid >= ${String(xid)}::xid8 ORDER BY xid LIMIT 1)
    UNION ALL
    (SELECT xid, finished_at FROM deliveries
     WHERE account_id = ${accountId} AND xid >= ${String(xid)}::xid8 ORDER BY xid LIMIT 1)
    ORDER BY xid LIMIT 1
  `.execute(db)
  return rows[0]
}
