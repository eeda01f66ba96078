/** Attempts pending deliveries of a hook before their time: on request, or because the hook has a new URL. */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'
import { closedState } from './circuit-breaker.ts'

interface HookOfAccount {
  accountId: number
  hookId: number
}

/**
 * `probe`: the breaker is open, and one delivery is sent. `deliveries`: those that wait for their next attempt are sent.
 * `in_flight`: a probe is already in flight. `stopped`: an operator has stopped sending. `nothing`: no delivery waits.
 */
export const retryResults = ['probe', 'deliveries', 'in_flight', 'stopped', 'nothing'] as const

type RetryResult = (typeof retryResults)[number]

interface LaneState {
  isOpen: boolean
  isProbing: boolean
  isStopped: boolean
}

/**
 * Makes the delivery that is due next due now. An open breaker admits it as its probe and nothing else. With a closed
 * one, all deliveries that wait after a failure follow with a slow start, except those with a Retry-After time.
 * Locks the lane first and skips locked rows, as a claim does.
 */
export function retryNow(db: Database, hook: HookOfAccount): Promise<RetryResult> {
  return db.transaction().execute(async (trx) => {
    const lane = await lockLane(trx, hook)
    if (lane === undefined) return 'nothing'
    if (lane.isStopped) return 'stopped'
    if (lane.isProbing) return 'in_flight'
    if (!(await makeNextDue(trx, hook))) return 'nothing'
    await sql`
      UPDATE lane SET ${lane.isOpen ? sql`not_before = now()` : sql`recovered_at = now()`}, due_at = now()
      WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
    `.execute(trx)
    return lane.isOpen ? 'probe' : 'deliveries'
  })
}

/** A probe whose time is over was lost with its worker. */
async function lockLane(trx: Trx, { accountId, hookId }: HookOfAccount): Promise<LaneState | undefined> {
  const { rows } = await sql<LaneState>`
    SELECT open_seconds > 0 AS is_open, is_probing AND not_before > now() AS is_probing, stop_id IS NOT NULL AS is_stopped
    FROM lane WHERE account_id = ${accountId} AND hook_id = ${hookId} FOR UPDATE
  `.execute(trx)
  return rows[0]
}

/** Deliveries due at infinity belong to a paused replay or are quarantined. */
async function makeNextDue(trx: Trx, { accountId, hookId }: HookOfAccount): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH next AS (
      SELECT event_id, hook_id FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND lease IS NULL AND NOT held AND due_at < 'infinity'
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE work SET due_at = least(work.due_at, now()) FROM next
    WHERE work.event_id = next.event_id AND work.hook_id = next.hook_id
  `.execute(trx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Rows per statement. */
const rowsPerStatement = 1_000

/**
 * Makes all failed deliveries of a hook due immediately, with a slow start, because its URL has changed. Also clears
 * Retry-After times of the old receiver.
 */
export async function retryAtNewUrl(db: Database, { accountId, hookId }: HookOfAccount): Promise<void> {
  await drain(() => clearRetryAfter(db, accountId, hookId))
  await sql`
    UPDATE lane SET ${closedState}
    WHERE account_id = ${accountId} AND hook_id = ${hookId}
  `.execute(db)
}

/**
 * Clears Retry-After times. Deliveries due at infinity belong to a paused replay. Returns the number of deliveries
 * changed.
 */
async function clearRetryAfter(db: Database, accountId: number, hookId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH delayed AS (
      SELECT event_id, hook_id FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND lease IS NULL AND NOT held
        AND attempts > 0 AND waits_since IS NULL AND due_at > now() AND due_at < 'infinity'
      ORDER BY event_id LIMIT ${rowsPerStatement} FOR UPDATE SKIP LOCKED
    )
    UPDATE work SET due_at = now() FROM delayed
    WHERE work.event_id = delayed.event_id AND work.hook_id = delayed.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
