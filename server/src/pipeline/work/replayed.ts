/**
 * Work that belongs to a replay: a further round of deliveries that have ended, or what a disabled hook held. Every
 * statement names the account itself, so that no mistake above can reach another's rows.
 */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'
import { finishWork } from './finish.ts'
import { addTurns } from './turns.ts'

export interface DeliveryName {
  eventId: string
  hookId: number
}

export interface ReplayName {
  accountId: number
  id: number
}

/**
 * Adds a round of these deliveries. Left out: what has not ended, what never was a delivery, what its hook would not take,
 * and events from before `keptFrom`. Answers how many were added.
 *
 * Two statements, for a reason: once the first has put the row in, no other round of the same delivery can be under way,
 * and the second, begun after that, sees every round that has ended. So no number is given twice.
 */
export async function addRounds(
  trx: Trx,
  { accountId, id }: ReplayName,
  deliveries: readonly DeliveryName[],
  keptFrom: Date,
): Promise<number> {
  if (deliveries.length === 0) return 0
  const added = await sql<{ eventId: string }>`
    WITH added AS (
      INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, replay_id)
      SELECT ${accountId}, given.hook_id, given.event_id, 0, event.type, event.accepted_at, now(), ${id}::integer
      FROM (
        SELECT DISTINCT event_id, hook_id FROM unnest(
          ${wordArray(deliveries.map(({ eventId }) => eventId))}::uuid[],
          ${plainArray(deliveries.map(({ hookId }) => hookId))}::integer[]
        ) AS given (event_id, hook_id)
        WHERE event_id >= uuid_v7_floor(${keptFrom}::timestamptz) ORDER BY event_id, hook_id
      ) AS given
      CROSS JOIN LATERAL (
        SELECT FROM hooks WHERE account_id = ${accountId} AND hooks.id = given.hook_id AND enabled LIMIT 1
      ) AS hook
      CROSS JOIN LATERAL (
        SELECT FROM deliveries
        WHERE account_id = ${accountId} AND event_id = given.event_id AND hook_id = given.hook_id LIMIT 1
      ) AS before
      CROSS JOIN LATERAL (
        SELECT type, accepted_at FROM events
        WHERE account_id = ${accountId} AND events.id = given.event_id LIMIT 1
      ) AS event
      ON CONFLICT DO NOTHING RETURNING event_id, hook_id
    ), turns AS (
      ${addTurns(sql`
        SELECT ${accountId}::integer AS account_id, hook_id, now(), '' FROM added GROUP BY hook_id`)}
    )
    SELECT event_id FROM added
  `.execute(trx)
  await sql`
    UPDATE work SET round = 1 + (
      SELECT max(round) FROM deliveries
      WHERE account_id = ${accountId} AND event_id = work.event_id AND hook_id = work.hook_id)
    WHERE account_id = ${accountId} AND replay_id = ${id} AND round = 0
      AND event_id = ANY (${wordArray(added.rows.map(({ eventId }) => eventId))}::uuid[])
  `.execute(trx)
  return added.rows.length
}

interface Released {
  released: number
  own: number
  isSettled: boolean
}

/** An attempt that began before a hook was enabled may hold its delivery a moment after. */
const settles = sql`interval '3 seconds'`

/**
 * Lets some of what a hook holds be delivered. `own` of them had no replay and have this one now; the others were held while
 * theirs was under way. Settled: nothing more comes to be held. Undefined: the hook is not enabled.
 */
export async function releaseSome(
  trx: Trx,
  { accountId, id }: ReplayName,
  hookId: number,
  most: number,
): Promise<Released | undefined> {
  const answer = await sql<Released & { isEnabled: boolean }>`
    WITH hook AS (
      SELECT enabled FROM hooks WHERE account_id = ${accountId} AND hooks.id = ${hookId} FOR SHARE
    ), picked AS (
      SELECT event_id, replay_id IS NULL AS is_own FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND held AND EXISTS (SELECT FROM hook WHERE enabled)
      ORDER BY event_id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), released AS (
      -- What is parked stays so: its own replay is paused.
      UPDATE work SET held = false, due_at = CASE WHEN due_at = 'infinity' THEN due_at ELSE now() END,
                      replay_id = coalesce(replay_id, ${id})
      FROM picked
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND work.event_id = picked.event_id
      RETURNING picked.is_own
    ), turn AS (
      ${addTurns(sql`
        SELECT DISTINCT ${accountId}::integer AS account_id, ${hookId}::integer AS hook_id, now(), '' FROM released`)}
    )
    SELECT coalesce((SELECT enabled FROM hook), false) AS is_enabled,
           (SELECT count(*) FROM released)::integer AS released,
           (SELECT count(*) FROM released WHERE is_own)::integer AS own,
           NOT EXISTS (
             SELECT FROM hook_versions
             WHERE account_id = ${accountId} AND hook_id = ${hookId} AND change = 'enabled' AND at > now() - ${settles}
           ) AS is_settled
  `.execute(trx)
  const [row] = answer.rows
  return row?.isEnabled ? row : undefined
}

interface Open {
  /** What has not ended. */
  open: number
  /** What of that could be attempted now and has not been yet. */
  unattempted: number
  /** What of that is under way, or would be attempted some time. */
  unparked: number
}

export async function countOpen(db: Database, { accountId, id }: ReplayName): Promise<Open> {
  const answer = await sql<Open>`
    SELECT count(*)::integer AS open, count(*) FILTER (
             WHERE attempts = 0 AND NOT held AND coalesce(lane.open_seconds, 0) = 0)::integer AS unattempted,
           count(*) FILTER (WHERE lease IS NOT NULL OR work.due_at < 'infinity')::integer AS unparked
    FROM work LEFT JOIN lane ON lane.account_id = ${accountId} AND lane.hook_id = work.hook_id
    WHERE work.account_id = ${accountId} AND replay_id = ${id}
  `.execute(db)
  return answer.rows[0] ?? { open: 0, unattempted: 0, unparked: 0 }
}

/** How the deliveries of a replay have ended so far. */
export async function countEnds(
  db: Database,
  { accountId, id }: ReplayName,
): Promise<{ delivered: number; failed: number }> {
  const answer = await sql<{ delivered: number; failed: number }>`
    SELECT count(*) FILTER (WHERE state = 'delivered')::integer AS delivered,
           count(*) FILTER (WHERE state <> 'delivered')::integer AS failed
    FROM deliveries WHERE account_id = ${accountId} AND replay_id = ${id}
  `.execute(db)
  return answer.rows[0] ?? { delivered: 0, failed: 0 }
}

/** No attempt of it begins until `unpark`, even if its hook is enabled; what is under way ends. */
export async function park(trx: Trx, { accountId, id }: ReplayName): Promise<void> {
  await sql`
    UPDATE work SET due_at = 'infinity', waits_since = NULL
    WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL AND due_at < 'infinity'
  `.execute(trx)
}

export async function unpark(trx: Trx, { accountId, id }: ReplayName): Promise<void> {
  await sql`
    WITH unparked AS (
      UPDATE work SET due_at = now()
      WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL AND due_at = 'infinity'
        AND NOT EXISTS (SELECT FROM suspects WHERE suspects.event_id = work.event_id AND suspects.hook_id = work.hook_id)
      RETURNING hook_id
    )
    ${addTurns(sql`
      SELECT ${accountId}::integer AS account_id, hook_id, now(), '' FROM unparked GROUP BY hook_id`)}
  `.execute(trx)
}

/** Ends some of what is not under way, and lets nothing of the rest begin. Asked again, also what has come back meanwhile. */
export async function cancelRounds(trx: Trx, replay: ReplayName): Promise<number> {
  await park(trx, replay)
  return finishWork(
    trx,
    sql`lease IS NULL AND account_id = ${replay.accountId} AND replay_id = ${replay.id}`,
    'cancelled',
    'replay_cancelled',
  )
}

/** What was held before is held again, and no longer parked: its replay is over. Answers how many. */
export async function holdAgain(trx: Trx, { accountId, id }: ReplayName): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE work SET held = true, replay_id = NULL, due_at = least(due_at, now())
    WHERE account_id = ${accountId} AND replay_id = ${id} AND lease IS NULL
  `.execute(trx)
  return Number(numAffectedRows)
}
