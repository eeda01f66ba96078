/**
 * Suspects: deliveries whose worker died or was held up while it had them. One of them may have killed it, so no
 * worker attempts them itself before they have proved harmless:
 *
 *   suspect ── attempted together with others in an isolated process ─▶ settled, as any delivery
 *           ── that process crashed ─▶ alone
 *   alone   ── attempted alone ─▶ settled
 *           ── its process crashed again ─▶ quarantined, until an operator retries or cancels it
 *
 * A process that was killed from outside proves nothing: its suspects are retried with backoff. The kernel also kills
 * from outside when memory runs out. So after some such attempts each suspect is attempted alone, and its neighbors
 * get through. In `work` a suspect is due at infinity, so no claim takes it; `suspects` has its state.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { beginLedgerWrite } from '../../db/ledger-write.ts'
import { integer, unnestRows, uuid } from '../../db/rows.ts'
import type { LeasedRow } from './claim.ts'
import { eventOf } from './event-of.ts'
import { finishDeliveries } from './finish.ts'

/** The columns of an unleased suspect in `work`. */
const suspectWork = sql`lease = NULL, lease_until = NULL, due_at = 'infinity', waits_since = NULL`

/** Turns deliveries with an expired lease into suspects: their worker died or was too slow. Returns their number. */
export async function releaseExpiredLeases(db: Database, max: number): Promise<number> {
  // Nearly no lease expires, and this takes no lock and is not planned each time.
  const expired = await sql`/* prepared */
    SELECT FROM work WHERE lease IS NOT NULL AND lease_until < now() ORDER BY lease_until LIMIT 1
  `.execute(db)
  if (expired.rows.length === 0) return 0
  return releaseAsSuspects(db, sql`lease_until < now()`, max)
}

/** Releases the leases that match `which`, a condition on `work`. Returns the number of suspects. */
export async function releaseAsSuspects(
  db: Database | Trx,
  which: RawBuilder<unknown>,
  max: number,
): Promise<number> {
  const result = await sql<{ released: number }>`
    WITH lost AS (
      SELECT account_id, hook_id, event_id FROM work WHERE lease IS NOT NULL AND ${which}
      ORDER BY lease_until LIMIT ${max} FOR UPDATE SKIP LOCKED
    ), released AS (
      UPDATE work SET ${suspectWork} FROM lost
      WHERE work.account_id = lost.account_id AND work.hook_id = lost.hook_id AND work.event_id = lost.event_id
      RETURNING work.account_id, work.hook_id, work.event_id
    ), suspected AS (
      INSERT INTO suspects (event_id, hook_id, account_id) SELECT event_id, hook_id, account_id FROM released
      ON CONFLICT (event_id, hook_id) DO UPDATE SET due_at = now(), quarantined_at = NULL, reason = NULL
    )
    SELECT count(*)::integer AS released FROM released
  `.execute(db)
  return result.rows[0]?.released ?? 0
}

/** A suspect that could not be leased now is checked again after this time, which is longer than a lease. */
const recheckSeconds = 35

/** Leases due suspects: one that must be alone, or several others. */
export async function claimSuspects(
  db: Database,
  which: 'together' | 'alone',
  max: number,
  lease: { id: string; seconds: number },
): Promise<LeasedRow[]> {
  const isDue = sql`quarantined_at IS NULL AND is_alone = ${which === 'alone'} AND due_at <= now()`
  // There is nearly never one, and this takes no lock and is not planned each time.
  const due = await sql`/* prepared */ SELECT FROM suspects WHERE ${isDue} ORDER BY due_at LIMIT 1`.execute(
    db,
  )
  if (due.rows.length === 0) return []
  const result = await sql<LeasedRow>`
    WITH picked AS MATERIALIZED (
      SELECT event_id, hook_id FROM suspects
      WHERE ${isDue}
      ORDER BY due_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE work SET lease = ${lease.id}, lease_until = now() + make_interval(secs => ${lease.seconds})
      FROM picked
      WHERE work.event_id = ANY (ARRAY(SELECT event_id FROM picked))
        AND work.event_id = picked.event_id AND work.hook_id = picked.hook_id
        AND work.lease IS NULL AND NOT work.held AND work.due_at = 'infinity'
      RETURNING work.*
    ), later AS (
      UPDATE suspects SET due_at = now() + make_interval(secs => ${recheckSeconds})
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
           leased.attempts, leased.faults, leased.match_pending, event.data, event.test_hook_id, event.traceparent
    FROM leased CROSS JOIN LATERAL ${eventOf('leased', sql`data, test_hook_id, traceparent`)} AS event
  `.execute(db)
  return result.rows
}

export interface SuspectName {
  eventId: string
  hookId: number
}

const suspectColumns = {
  event_id: uuid(({ eventId }: SuspectName) => eventId),
  hook_id: integer(({ hookId }: SuspectName) => hookId),
}

/** Next state of a suspect that was not settled. */
export type SuspectNext = 'not attempted' | 'inconclusive' | 'alone' | { quarantineReason: string }

const firstDelaySeconds = 5
const maxDelaySeconds = 600
/** Inconclusive attempts together with others. After these a suspect is attempted alone. */
const maxInconclusiveTogether = 3

/** Releases suspects that were not settled. */
export async function releaseSuspects(
  db: Database,
  lease: string,
  suspects: readonly SuspectName[],
  next: SuspectNext,
): Promise<void> {
  const quarantineReason = typeof next === 'string' ? null : next.quarantineReason
  const isInconclusive = next === 'inconclusive'
  await sql`
    WITH released AS (
      UPDATE work SET ${suspectWork}
      FROM ${unnestRows('input', suspects, suspectColumns)}
      WHERE work.event_id = input.event_id AND work.hook_id = input.hook_id AND work.lease = ${lease}
      RETURNING work.event_id, work.hook_id
    )
    UPDATE suspects SET
      due_at = now() + make_interval(secs => CASE
        WHEN ${isInconclusive} THEN least(${maxDelaySeconds}, ${firstDelaySeconds} * power(2, least(inconclusive_attempts, 20)))
        WHEN ${next === 'not attempted'} THEN ${firstDelaySeconds}
        ELSE 0 END),
      inconclusive_attempts = inconclusive_attempts + ${isInconclusive ? 1 : 0},
      is_alone = is_alone OR ${next === 'alone' || quarantineReason !== null}
        OR ${isInconclusive} AND inconclusive_attempts + 1 >= ${maxInconclusiveTogether},
      quarantined_at = CASE WHEN ${quarantineReason !== null} THEN now() END,
      reason = ${quarantineReason}
    FROM released WHERE suspects.event_id = released.event_id AND suspects.hook_id = released.hook_id
  `.execute(db)
}

/** Deletes settled suspects: they are normal deliveries from now on. */
export async function clearSuspects(db: Database, suspects: readonly SuspectName[]): Promise<void> {
  await sql`
    DELETE FROM suspects
    USING ${unnestRows('input', suspects, suspectColumns)}
    WHERE suspects.event_id = input.event_id AND suspects.hook_id = input.hook_id
  `.execute(db)
}

/** Deletes suspects whose delivery finished otherwise: canceled or expired. */
export async function pruneSuspects(db: Database): Promise<void> {
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
  const result = await sql<QuarantinedDelivery>`
    SELECT account_id, event_id, hook_id, quarantined_at, reason FROM suspects
    WHERE quarantined_at IS NOT NULL ORDER BY quarantined_at
  `.execute(db)
  return result.rows
}

/** Retries a quarantined delivery once, alone in an isolated process. Returns false if there is none. */
export function retryQuarantined(db: Database, actor: Actor, name: SuspectName): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ accountId: number }>`
      UPDATE suspects SET quarantined_at = NULL, reason = NULL, due_at = now()
      WHERE event_id = ${name.eventId} AND hook_id = ${name.hookId} AND quarantined_at IS NOT NULL RETURNING account_id
    `.execute(trx)
    return recordDecision(trx, actor, 'delivery.retry', name, rows[0]?.accountId)
  })
}

/** Cancels a quarantined delivery. Returns false if there is none. */
export function cancelQuarantined(db: Database, actor: Actor, name: SuspectName): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await beginLedgerWrite(trx)
    const { rows } = await sql<{ accountId: number }>`
      DELETE FROM suspects
      WHERE event_id = ${name.eventId} AND hook_id = ${name.hookId} AND quarantined_at IS NOT NULL RETURNING account_id
    `.execute(trx)
    const accountId = rows[0]?.accountId
    if (accountId !== undefined)
      await finishDeliveries(
        trx,
        sql`lease IS NULL AND due_at = 'infinity' AND account_id = ${accountId} AND hook_id = ${name.hookId}
            AND event_id = ${name.eventId}`,
        'cancelled',
        'quarantined',
      )
    return recordDecision(trx, actor, 'delivery.cancel', name, accountId)
  })
}

async function recordDecision(
  trx: Trx,
  actor: Actor,
  action: 'delivery.retry' | 'delivery.cancel',
  { eventId, hookId }: SuspectName,
  accountId: number | undefined,
): Promise<boolean> {
  if (accountId === undefined) return false
  await recordAudit(trx, { accountId, actor, action, subject: `event:${eventId}`, detail: { hook: hookId } })
  return true
}
