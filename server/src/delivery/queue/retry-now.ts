/** Attempts pending deliveries of a hook before their time: on request, or because the hook has a new URL. */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'
import { closedState, hasJustReopened } from './circuit-breaker.ts'

interface HookOfAccount {
  accountId: number
  hookId: number
}

/**
 * `probe`: the breaker is open, and one delivery is sent. `deliveries`: those that wait for their next attempt are sent.
 * `scheduled`: pending deliveries keep their time. `in_flight`: a probe is already in flight. `stopped`: an operator has
 * stopped sending. `nothing`: no delivery waits.
 */
export const retryResults = ['probe', 'deliveries', 'scheduled', 'in_flight', 'stopped', 'nothing'] as const

type RetryResult = (typeof retryResults)[number]

interface LaneState {
  isOpen: boolean
  isProbing: boolean
  isStopped: boolean
  hasJustFailed: boolean
}

/** Repeated requests must not use up the attempts of a delivery within seconds. */
const minSecondsBetween = 5
const minDelay = sql`make_interval(secs => ${minSecondsBetween})`
/** A longer backlog takes several requests. */
const maxRetried = 10_000

/**
 * Makes pending deliveries due now. An open breaker admits the one that is due next as its probe and nothing else. With
 * a closed one, all that wait after a failure are due, except those with a Retry-After time. The last attempt of a
 * delivery stays on its schedule. Locks the lane first and skips locked rows, as a claim does.
 */
export function retryNow(
  db: Database,
  hook: HookOfAccount,
  { actor, maxAttempts }: { actor: Actor; maxAttempts: number },
): Promise<RetryResult> {
  return db.transaction().execute(async (trx) => {
    const lane = await lockLane(trx, hook)
    if (lane === undefined) return 'nothing'
    if (lane.isStopped) return 'stopped'
    if (lane.isProbing) return 'in_flight'
    const retried = lane.hasJustFailed ? 0 : await makeDue(trx, hook, lane.isOpen, maxAttempts)
    if (retried === 0) return (await hasPending(trx, hook)) ? 'scheduled' : 'nothing'
    await sql`
      UPDATE lane SET due_at = now() ${lane.isOpen ? sql`, not_before = now()` : sql``}
      WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
    `.execute(trx)
    const result = lane.isOpen ? 'probe' : 'deliveries'
    await recordAudit(trx, {
      accountId: hook.accountId,
      actor,
      action: 'hook.retry',
      subject: `hook:${hook.hookId}`,
      detail: { started: result },
    })
    return result
  })
}

/** A probe whose time is over was lost with its worker. */
async function lockLane(trx: Trx, { accountId, hookId }: HookOfAccount): Promise<LaneState | undefined> {
  const { rows } = await sql<LaneState>`
    SELECT open_seconds > 0 AS is_open, is_probing AND not_before > now() AS is_probing, stop_id IS NOT NULL AS is_stopped,
           ${hasJustReopened(minDelay)} AS has_just_failed
    FROM lane WHERE account_id = ${accountId} AND hook_id = ${hookId} FOR UPDATE
  `.execute(trx)
  return rows[0]
}

/** Deliveries due at infinity belong to a paused replay or are quarantined. */
const isPending = sql`lease IS NULL AND NOT held AND due_at < 'infinity'`

async function makeDue(
  trx: Trx,
  { accountId, hookId }: HookOfAccount,
  isProbe: boolean,
  maxAttempts: number,
): Promise<number> {
  const waits = isProbe
    ? sql`coalesce(waits_since < now() - ${minDelay}, true)`
    : sql`waits_since < now() - ${minDelay} AND due_at > now()`
  const { numAffectedRows } = await sql`
    WITH next AS (
      SELECT event_id, hook_id FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND ${isPending} AND attempts < ${maxAttempts - 1} AND ${waits}
      ORDER BY due_at LIMIT ${isProbe ? 1 : maxRetried} FOR UPDATE SKIP LOCKED
    )
    UPDATE work SET due_at = least(work.due_at, now()) FROM next
    WHERE work.event_id = next.event_id AND work.hook_id = next.hook_id
  `.execute(trx)
  return Number(numAffectedRows ?? 0)
}

async function hasPending(trx: Trx, { accountId, hookId }: HookOfAccount): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM work WHERE account_id = ${accountId} AND hook_id = ${hookId} AND ${isPending} LIMIT 1
  `.execute(trx)
  return rows.length > 0
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
