/** Reads rows committed after a position, for many tails in one statement. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { integer, unnestRows, uuid, xid8 } from '../db/rows.ts'
import { dayMs } from '../model/day.ts'
import { minEventId } from '../model/event-id.ts'
import { afterAttempts, beforeTransaction, slackMs, type TailPosition } from './cursor.ts'

export interface TailedEvent {
  kind: 'event'
  position: TailPosition
  id: string
  type: string
  acceptedAt: Date
  occurredAt: Date | null
  messageId: string | null
  sender: string | null
  recipient: string | null
  foreignId: string | null
  isTest: boolean
}

interface TailedDelivery {
  kind: 'delivery'
  position: TailPosition
  state: string
  reason: string
  attempts: number
  hook: TailedHook
}

/** Null: the hook is deleted. */
export type TailedHook = { name: string | null; targetUrl: string } | null

/** An attempt that did not deliver. A delivered one is part of its delivery, in the same transaction. */
interface TailedAttempt {
  kind: 'attempt'
  position: TailPosition
  reason: string
  status: number | null
  hook: TailedHook
}

export type Tailed = TailedEvent | TailedDelivery | TailedAttempt

export interface TailRequest {
  accountId: number
  after: TailPosition
  max: number
}

type Row = Omit<TailedEvent, 'kind' | 'position' | 'id'> &
  Omit<TailedDelivery, 'kind' | 'position' | 'state' | 'hook'> &
  Omit<TailedAttempt, 'kind' | 'position' | 'hook'> &
  TailPosition & {
    index: number
    /** Null for attempts. */
    state: string | null
    hookName: string | null
    targetUrl: string | null
  }

/** Returns the next rows of each request, in commit order. */
export async function readTail(
  db: Database,
  requests: readonly TailRequest[],
  /** The database time, which determines event ids. */
  now: number,
): Promise<Tailed[][]> {
  const below = minEventId(new Date(now + slackMs))
  const { rows } = await sql<Row>`/* prepared */
    WITH horizon AS MATERIALIZED (SELECT commit_horizon() AS xid)
    SELECT input.index, tailed.*, hooks.name AS hook_name, hooks.target_url FROM ${unnestRows(
      'input',
      requests,
      {
        index: integer((_, index) => index),
        account_id: integer(({ accountId }) => accountId),
        xid: xid8(({ after }) => after.xid),
        event_id: uuid(({ after }) => after.eventId),
        hook_id: integer(({ after }) => after.hookId),
        round: integer(({ after }) => after.round),
        attempt: integer(({ after }) => after.attempt),
        low: uuid(({ after }) => minEventId(dayBefore(Math.min(after.at.getTime(), now)))),
        max_rows: integer(({ max }) => max),
      },
    )}
    CROSS JOIN LATERAL (
      (SELECT xid, id AS event_id, 0 AS hook_id, 0 AS round, 0 AS attempt, accepted_at AS at, type, accepted_at,
              occurred_at, message_id, sender, recipient, foreign_id,
              coalesce(test_hook_id, test_consumer_id) IS NOT NULL AS is_test, NULL AS state, NULL AS reason,
              NULL AS attempts, NULL::smallint AS status
       FROM events
       WHERE account_id = input.account_id AND xid >= input.xid AND xid < (SELECT xid FROM horizon)
         AND id >= input.low AND id < ${below}::uuid
         AND (xid > input.xid OR (id, 0, 0, 0) > (input.event_id, input.hook_id, input.round, input.attempt))
       ORDER BY xid, id LIMIT input.max_rows)
      UNION ALL
      (SELECT xid, event_id, hook_id, round, ${sql.lit(afterAttempts)}, finished_at, NULL, NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, state, reason, attempts, NULL
       FROM deliveries
       WHERE account_id = input.account_id AND xid >= input.xid AND xid < (SELECT xid FROM horizon)
         AND event_id < ${below}::uuid
         AND (xid > input.xid OR (event_id, hook_id, round, ${sql.lit(afterAttempts)})
                                 > (input.event_id, input.hook_id, input.round, input.attempt))
       ORDER BY xid, event_id, hook_id, round LIMIT input.max_rows)
      UNION ALL
      (SELECT xid, event_id, hook_id, round, attempt, started_at, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              reason, NULL, status
       FROM attempts
       WHERE account_id = input.account_id AND xid >= input.xid AND xid < (SELECT xid FROM horizon)
         AND event_id < ${below}::uuid
         AND (xid > input.xid OR (event_id, hook_id, round, attempt)
                                 > (input.event_id, input.hook_id, input.round, input.attempt))
       ORDER BY xid, event_id, hook_id, round, attempt LIMIT input.max_rows)
      ORDER BY xid, event_id, hook_id, round, attempt LIMIT input.max_rows
    ) AS tailed
    LEFT JOIN hooks ON hooks.account_id = input.account_id AND hooks.id = tailed.hook_id
    ORDER BY input.index, tailed.xid, tailed.event_id, tailed.hook_id, tailed.round, tailed.attempt
  `.execute(db)
  const byIndex = Map.groupBy(rows, ({ index }) => index)
  return requests.map((_, index) => (byIndex.get(index) ?? []).map(toTailed))
}

/**
 * Returns the start of the day before, as the ledger partitions days: no event of a day that is read is skipped. A
 * position from before the database's clock was set back does not hide new rows.
 */
export function dayBefore(at: number): Date {
  return new Date(Math.max(0, Math.floor(at / dayMs) - 1) * dayMs)
}

/** A row without a hook is an event. Of the others, only deliveries have a state. */
function toTailed(row: Row): Tailed {
  const { xid, eventId, hookId, round, attempt, at, state, reason, attempts, status, ...rest } = row
  const position = { xid, eventId, hookId, round, attempt, at }
  const { hookName, targetUrl, index: _, ...event } = rest
  if (hookId === 0) return { kind: 'event', position, id: eventId, ...event }
  const hook = targetUrl === null ? null : { name: hookName, targetUrl }
  return state === null
    ? { kind: 'attempt', position, reason, status, hook }
    : { kind: 'delivery', position, state, reason, attempts, hook }
}

export interface Horizon {
  oldestRunning: string
  next: string
  now: Date
}

/** Returns the oldest running ledger transaction and the id of the next transaction. */
export async function readHorizon(db: Database): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    SELECT commit_horizon()::text AS oldest_running,
           pg_snapshot_xmax(pg_current_snapshot())::text AS next, now()
  `.execute(db)
  const [horizon] = rows
  if (horizon === undefined) throw new Error('commit horizon was not returned')
  return horizon
}

/** A transaction gets its id within this time after it starts. */
const maxIdDelayMs = 5 * 60 * 1_000

/**
 * Returns a position before all rows of an account from a time on. Transaction ids grow with time, so binary search
 * finds it: each step reads the first row from an id on, along the tail indexes. A row older than the time by more
 * than the maximum id delay proves that everything up to it is older.
 */
export async function positionAt(db: Database, accountId: number, time: Date): Promise<TailPosition> {
  const { next } = await readHorizon(db)
  const provenBefore = time.getTime() - maxIdDelayMs
  return db.connection().execute(async (connection) => {
    let before = 0n
    let end = BigInt(next)
    while (end - before > 1n) {
      const middle = (before + end) / 2n
      const row = await firstFrom(connection, accountId, middle)
      if (row !== undefined && row.at.getTime() < provenBefore) before = BigInt(row.xid)
      else end = middle
    }
    return beforeTransaction(String(before), time)
  })
}

async function firstFrom(
  db: Database,
  accountId: number,
  xid: bigint,
): Promise<{ xid: string; at: Date } | undefined> {
  const { rows } = await sql<{ xid: string; at: Date }>`/* prepared */
    (SELECT xid, accepted_at AS at FROM events
     WHERE account_id = ${accountId} AND xid >= ${String(xid)}::xid8 ORDER BY xid LIMIT 1)
    UNION ALL
    (SELECT xid, finished_at FROM deliveries
     WHERE account_id = ${accountId} AND xid >= ${String(xid)}::xid8 ORDER BY xid LIMIT 1)
    ORDER BY xid LIMIT 1
  `.execute(db)
  return rows[0]
}
