/**
 * Deliveries whose worker died, or was held up, while it had them. What killed it may be among them, so no worker attempts
 * them itself before they have proved harmless:
 *
 *   suspect ── attempted together with others in an isolated process ─▶ settled, as any delivery
 *           ── that process crashed ─▶ alone
 *   alone   ── attempted alone ─▶ settled
 *           ── its process crashed again ─▶ quarantined, until an operator retries or cancels it
 *
 * A process that was ended from outside proves nothing: its suspects stay what they are. In `work` a suspect is due in
 * infinity, so that it is nobody's turn; `suspects` says the rest.
 */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import type { ClaimedDelivery } from './claim.ts'
import { finishWork } from './finish.ts'

/** What a suspect's row in `work` is set to when it is leased by nobody. */
const suspectWork = sql`lease = NULL, lease_until = NULL, due_at = 'infinity', waits_since = NULL`

/** Work whose lease has ended without a settlement becomes suspect: its worker died or was too slow. */
export async function releaseExpiredLeases(db: Database, most: number): Promise<number> {
  const answer = await sql<{ released: number }>`
    WITH expired AS (
      SELECT account_id, hook_id, event_id FROM work WHERE lease IS NOT NULL AND lease_until < now()
      ORDER BY lease_until LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), released AS (
      UPDATE work SET ${suspectWork} FROM expired
      WHERE work.account_id = expired.account_id AND work.hook_id = expired.hook_id AND work.event_id = expired.event_id
      RETURNING work.account_id, work.hook_id, work.event_id
    ), suspected AS (
      INSERT INTO suspects (event_id, hook_id, account_id) SELECT event_id, hook_id, account_id FROM released
      ON CONFLICT (event_id, hook_id) DO UPDATE SET due_at = now(), quarantined_at = NULL, reason = NULL
    )
    SELECT count(*)::integer AS released FROM released
  `.execute(db)
  return answer.rows[0]?.released ?? 0
}

export type SuspectDelivery = Omit<ClaimedDelivery, 'version' | 'stopsVersion' | 'recoveredMs'>

/** A suspect that could not be leased now is looked at again after this; also longer than a lease. */
const againSeconds = 35

/** Leases suspects that are due: one of those that must be alone, or several of the others. */
export async function claimSuspects(
  db: Database,
  which: 'together' | 'alone',
  most: number,
  lease: { id: string; seconds: number },
): Promise<SuspectDelivery[]> {
  const answer = await sql<SuspectDelivery>`
    WITH picked AS MATERIALIZED (
      SELECT event_id, hook_id FROM suspects
      WHERE quarantined_at IS NULL AND is_alone = ${which === 'alone'} AND due_at <= now()
      ORDER BY due_at LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE work SET lease = ${lease.id}, lease_until = now() + make_interval(secs => ${lease.seconds})
      FROM picked
      WHERE work.event_id = ANY (ARRAY(SELECT event_id FROM picked))
        AND work.event_id = picked.event_id AND work.hook_id = picked.hook_id
        AND work.lease IS NULL AND NOT work.held AND work.due_at = 'infinity'
      RETURNING work.*
    ), later AS (
      UPDATE suspects SET due_at = now() + make_interval(secs => ${againSeconds})
      FROM picked WHERE suspects.event_id = picked.event_id AND suspects.hook_id = picked.hook_id
        AND EXISTS (SELECT FROM work WHERE work.event_id = picked.event_id AND work.hook_id = picked.hook_id
                                       AND work.due_at = 'infinity')
    ), settled AS (
      DELETE FROM suspects USING picked
      WHERE suspects.event_id = picked.event_id AND suspects.hook_id = picked.hook_id
        AND NOT EXISTS (SELECT FROM work WHERE work.event_id = picked.event_id AND work.hook_id = picked.hook_id
                                           AND work.due_at = 'infinity')
    )
    SELECT leased.account_id, leased.hook_id, leased.event_id, leased.round, leased.type, leased.accepted_at,
           leased.attempts, leased.faults, leased.match_pending, event.data, event.test_hook_id
    FROM leased CROSS JOIN LATERAL (
      SELECT data, test_hook_id FROM events WHERE events.account_id = leased.account_id AND events.id = leased.event_id LIMIT 1
    ) AS event
  `.execute(db)
  return answer.rows
}

export interface SuspectName {
  eventId: string
  hookId: number
}

/** What a suspect that was not settled becomes. */
export type SuspectNext = { isAlone: boolean; afterSeconds: number } | { quarantineReason: string }

/** Gives back suspects that were not settled. */
export async function releaseSuspects(
  db: Database,
  lease: string,
  suspects: readonly SuspectName[],
  next: SuspectNext,
): Promise<void> {
  const isQuarantined = 'quarantineReason' in next
  await sql`
    WITH released AS (
      UPDATE work SET ${suspectWork}
      FROM unnest(${wordArray(suspects.map(({ eventId }) => eventId))}::uuid[],
                  ${plainArray(suspects.map(({ hookId }) => hookId))}::integer[]) AS given (event_id, hook_id)
      WHERE work.event_id = given.event_id AND work.hook_id = given.hook_id AND work.lease = ${lease}
      RETURNING work.event_id, work.hook_id
    )
    UPDATE suspects SET
      due_at = now() + make_interval(secs => ${isQuarantined ? 0 : next.afterSeconds}),
      is_alone = is_alone OR ${isQuarantined || next.isAlone},
      quarantined_at = CASE WHEN ${isQuarantined} THEN now() END,
      reason = ${isQuarantined ? next.quarantineReason : null}
    FROM released WHERE suspects.event_id = released.event_id AND suspects.hook_id = released.hook_id
  `.execute(db)
}

/** They have been settled, so they are like any other from now on. */
export async function clearSuspects(db: Database, suspects: readonly SuspectName[]): Promise<void> {
  await sql`
    DELETE FROM suspects
    USING unnest(${wordArray(suspects.map(({ eventId }) => eventId))}::uuid[],
                 ${plainArray(suspects.map(({ hookId }) => hookId))}::integer[]) AS given (event_id, hook_id)
    WHERE suspects.event_id = given.event_id AND suspects.hook_id = given.hook_id
  `.execute(db)
}

/** Those whose work has ended in another way: cancelled, or too old. */
export async function forgetSuspects(db: Database): Promise<void> {
  await sql`
    DELETE FROM suspects WHERE NOT EXISTS (
      SELECT FROM work WHERE work.event_id = suspects.event_id AND work.hook_id = suspects.hook_id
                         AND (work.due_at = 'infinity' OR work.lease IS NOT NULL))
  `.execute(db)
}

export interface QuarantinedDelivery {
  accountId: number
  eventId: string
  hookId: number
  quarantinedAt: Date
  reason: string
}

export async function listQuarantined(db: Database): Promise<QuarantinedDelivery[]> {
  const answer = await sql<QuarantinedDelivery>`
    SELECT account_id, event_id, hook_id, quarantined_at, reason FROM suspects
    WHERE quarantined_at IS NOT NULL ORDER BY quarantined_at
  `.execute(db)
  return answer.rows
}

/** Attempted once more, alone in an isolated process. False: there is no such quarantined delivery. */
export async function retryQuarantined(db: Database, { eventId, hookId }: SuspectName): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE suspects SET quarantined_at = NULL, reason = NULL, due_at = now()
    WHERE event_id = ${eventId} AND hook_id = ${hookId} AND quarantined_at IS NOT NULL
  `.execute(db)
  return numAffectedRows === 1n
}

/** Ends it. False: there is no such quarantined delivery. */
export async function cancelQuarantined(db: Database, { eventId, hookId }: SuspectName): Promise<boolean> {
  const finished = await finishWork(
    db,
    sql`lease IS NULL AND due_at = 'infinity' AND (event_id, hook_id) IN (
      SELECT event_id, hook_id FROM suspects
      WHERE event_id = ${eventId} AND hook_id = ${hookId} AND quarantined_at IS NOT NULL)`,
    'cancelled',
    'quarantined',
  )
  await clearSuspects(db, [{ eventId, hookId }])
  return finished === 1
}
