/**
 * Deliveries of a replay: a further round of finished deliveries, or deliveries held by a disabled hook. Every
 * statement names the account, so no mistake above can reach rows of another account.
 */
import { sql } from 'kysely'
import { wordArray } from '../../db/arrays.ts'
import type { Trx } from '../../db/database.ts'
import { integer, unnestRows, uuid } from '../../db/rows.ts'
import { finishDeliveries } from './finish.ts'
import { scheduleLanes } from './lanes.ts'

export interface DeliveryName {
  eventId: string
  hookId: number
}

export interface ReplayName {
  accountId: number
  id: number
}

/**
 * Adds a round of these deliveries. Skips unfinished deliveries, deliveries that never existed, disabled or deleted
 * hooks, and events before `keptFrom`. Returns the deliveries that got a round.
 *
 * Two statements: once the first has inserted the row, no other round of the same delivery can start. The second
 * starts afterwards and sees every finished round. So no round number is assigned twice.
 */
export async function addRounds(
  trx: Trx,
  { accountId, id }: ReplayName,
  deliveries: readonly DeliveryName[],
  keptFrom: Date,
): Promise<DeliveryName[]> {
  if (deliveries.length === 0) return []
  const added = await sql<DeliveryName>`
    WITH added AS (
      INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, replay_id)
      SELECT ${accountId}, input.hook_id, input.event_id, 0, event.type, event.accepted_at, now(), ${id}::integer
      FROM (
        SELECT DISTINCT event_id, hook_id FROM ${unnestRows('input', deliveries, {
          event_id: uuid(({ eventId }) => eventId),
          hook_id: integer(({ hookId }) => hookId),
        })}
        WHERE event_id >= uuid_v7_floor(${keptFrom}::timestamptz) ORDER BY event_id, hook_id
      ) AS input
      CROSS JOIN LATERAL (
        SELECT FROM hooks WHERE account_id = ${accountId} AND hooks.id = input.hook_id AND enabled LIMIT 1
      ) AS hook
      CROSS JOIN LATERAL (
        SELECT FROM deliveries
        WHERE account_id = ${accountId} AND event_id = input.event_id AND hook_id = input.hook_id LIMIT 1
      ) AS earlier
      CROSS JOIN LATERAL (
        SELECT type, accepted_at FROM events
        WHERE account_id = ${accountId} AND events.id = input.event_id LIMIT 1
      ) AS event
      ON CONFLICT DO NOTHING RETURNING event_id, hook_id
    ), scheduled AS (
      ${scheduleLanes(sql`
        SELECT ${accountId}::integer AS account_id, hook_id, now(), '' FROM added GROUP BY hook_id`)}
    )
    SELECT event_id, hook_id FROM added
  `.execute(trx)
  await sql`
    UPDATE work SET round = 1 + (
      SELECT max(round) FROM deliveries
      WHERE account_id = ${accountId} AND event_id = work.event_id AND hook_id = work.hook_id)
    WHERE account_id = ${accountId} AND replay_id = ${id} AND round = 0
      AND event_id = ANY (${wordArray(added.rows.map(({ eventId }) => eventId))}::uuid[])
  `.execute(trx)
  return added.rows
}

interface Released {
  released: number
  adopted: number
  isSettled: boolean
}

/** An attempt that started before a hook was enabled may still put its delivery on hold for a moment. */
const settleTime = sql`interval '3 seconds'`

/**
 * Releases a batch of a hook's held deliveries. `adopted` of them had no replay and join this one. The others were
 * held while their own replay ran. Settled: no more deliveries will be put on hold. Returns undefined if the hook is
 * not enabled.
 */
export async function releaseHeldBatch(
  trx: Trx,
  { accountId, id }: ReplayName,
  hookId: number,
  max: number,
): Promise<Released | undefined> {
  const result = await sql<Released & { isEnabled: boolean }>`
    WITH hook AS (
      SELECT enabled FROM hooks WHERE account_id = ${accountId} AND hooks.id = ${hookId} FOR SHARE
    ), picked AS (
      SELECT event_id, replay_id IS NULL AS is_adopted FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND held AND EXISTS (SELECT FROM hook WHERE enabled)
      ORDER BY event_id LIMIT ${max} FOR UPDATE SKIP LOCKED
    ), released AS (
      -- A suspended row stays suspended: its own replay is paused.
      UPDATE work SET held = false, due_at = CASE WHEN due_at = 'infinity' THEN due_at ELSE now() END,
                      replay_id = coalesce(replay_id, ${id})
      FROM picked
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND work.event_id = picked.event_id
      RETURNING picked.is_adopted
    ), scheduled AS (
      ${scheduleLanes(sql`
        SELECT DISTINCT ${accountId}::integer AS account_id, ${hookId}::integer AS hook_id, now(), '' FROM released`)}
    )
    SELECT coalesce((SELECT enabled FROM hook), false) AS is_enabled,
           (SELECT count(*) FROM released)::integer AS released,
           (SELECT count(*) FROM released WHERE is_adopted)::integer AS adopted,
           NOT EXISTS (
             SELECT FROM hook_versions
             WHERE account_id = ${accountId} AND hook_id = ${hookId} AND change = 'enabled' AND at > now() - ${settleTime}
           ) AS is_settled
  `.execute(trx)
  const [row] = result.rows
  return row?.isEnabled ? row : undefined
}

/**
 * Suspends the rounds of a replay: no attempt starts until `resumeRounds`, even if the hook is enabled. Attempts in
 * flight finish.
 */
export async function suspendRounds(trx: Trx, { accountId, id }: ReplayName): Promise<void> {
  await sql`
    UPDATE work SET due_at = 'infinity', waits_since = NULL
    WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL AND due_at < 'infinity'
  `.execute(trx)
}

export async function resumeRounds(trx: Trx, { accountId, id }: ReplayName): Promise<void> {
  await sql`
    WITH scheduled AS (
      UPDATE work SET due_at = now()
      WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL AND due_at = 'infinity'
        AND NOT EXISTS (SELECT FROM suspects WHERE suspects.event_id = work.event_id AND suspects.hook_id = work.hook_id)
      RETURNING hook_id
    )
    ${scheduleLanes(sql`
      SELECT ${accountId}::integer AS account_id, hook_id, now(), '' FROM scheduled GROUP BY hook_id`)}
  `.execute(trx)
}

/**
 * Cancels a batch of deliveries that are not in flight, and suspends the rest. Repeated calls also cancel those
 * released meanwhile.
 */
export async function cancelRounds(trx: Trx, replay: ReplayName): Promise<number> {
  await suspendRounds(trx, replay)
  return finishDeliveries(
    trx,
    sql`lease IS NULL AND account_id = ${replay.accountId} AND replay_id = ${replay.id}`,
    'cancelled',
    'replay_cancelled',
  )
}

/** Returns deliveries of a finished replay to hold, no longer suspended. Returns their number. */
export async function returnToHeld(trx: Trx, { accountId, id }: ReplayName): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE work SET held = true, replay_id = NULL, due_at = least(due_at, now())
    WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL
  `.execute(trx)
  return Number(numAffectedRows)
}
