/**
 * Stops: an operator stops deliveries of an account, a hook, a host or all.
 * Workers compare `stops_version` in every route and claim, so no attempt starts later than a second after a stop is
 * created. A suspended account has a stop too.
 */
import { sql } from 'kysely'
import { type Actor, recordAudit } from './audit.ts'
import type { Database, Trx } from './database.ts'
import type { Stop, StopTarget } from '../model/stop.ts'
import type { JsonObject } from './types.ts'

interface NewStop {
  target: StopTarget
  reason: string
  isSuspension?: boolean
}

/** Returns the id; undefined if the target is already stopped. */
export async function createStop(trx: Trx, actor: Actor, stop: NewStop): Promise<number | undefined> {
  const { accountId, hookId, host } = columnsOf(stop.target)
  const isSuspension = stop.isSuspension ?? false
  // This update also locks: of two concurrent stops of the same target, the second sees the first.
  await incrementVersion(trx)
  const existing = await trx
    .selectFrom('stops')
    .select('id')
    .where('endedAt', 'is', null)
    .where('isSuspension', '=', isSuspension)
    .where('scope', '=', stop.target.scope)
    .where(sql<boolean>`account_id IS NOT DISTINCT FROM ${accountId}::integer`)
    .where(sql<boolean>`hook_id IS NOT DISTINCT FROM ${hookId}::integer`)
    .where(sql<boolean>`host IS NOT DISTINCT FROM ${host}::text`)
    .executeTakeFirst()
  if (existing !== undefined) return undefined
  const { id } = await trx
    .insertInto('stops')
    .values({ scope: stop.target.scope, accountId, hookId, host, reason: stop.reason, isSuspension, actor })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!isSuspension) await audit(trx, actor, 'stop.create', id, stop.target, { reason: stop.reason })
  return id
}

/** Stops the deliveries of accounts that are suspended from the start, such as imported ones. */
export async function createSuspensions(
  trx: Trx,
  actor: Actor,
  accountIds: readonly number[],
  reason: string,
): Promise<void> {
  await incrementVersion(trx)
  await trx
    .insertInto('stops')
    .values(
      accountIds.map((accountId) => ({ scope: 'account', accountId, reason, isSuspension: true, actor })),
    )
    .execute()
}

/** Ends a stop. Returns false if it does not exist or belongs to a suspended account. */
export async function endStop(trx: Trx, actor: Actor, id: number): Promise<boolean> {
  await incrementVersion(trx)
  const ended = await trx
    .updateTable('stops')
    .set({ endedAt: sql`now()` })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('isSuspension', '=', false)
    .returning(['scope', 'accountId', 'hookId', 'host'])
    .executeTakeFirst()
  if (ended === undefined) return false
  await audit(trx, actor, 'stop.end', id, ended, {})
  return true
}

export async function endSuspension(trx: Trx, accountId: number): Promise<void> {
  await incrementVersion(trx)
  await trx
    .updateTable('stops')
    .set({ endedAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('isSuspension', '=', true)
    .where('endedAt', 'is', null)
    .execute()
}

/** Lists active stops, oldest first. */
export function listStops(db: Database): Promise<Array<Stop & { actor: string }>> {
  return db
    .selectFrom('stops')
    .select([...stopColumns, 'actor'])
    .where('endedAt', 'is', null)
    .orderBy('id')
    .execute()
    .then((stops) => stops.map((stop) => ({ ...stop, scope: stop.scope as Stop['scope'] })))
}

const stopColumns = [
  'id',
  'scope',
  'accountId',
  'hookId',
  'host',
  'reason',
  'isSuspension',
  'createdAt',
] as const

/** Returns all active stops and their version. */
export async function readStops(db: Database): Promise<{ version: string; stops: Stop[] }> {
  const { rows } = await sql<{ version: string; stop: Stop | null }>`
    SELECT version, CASE WHEN stops.id IS NOT NULL THEN json_build_object(
             'id', stops.id, 'scope', scope, 'accountId', account_id, 'hookId', hook_id, 'host', host,
             'reason', reason, 'isSuspension', is_suspension) END AS stop
    FROM stops_version LEFT JOIN stops ON ended_at IS NULL ORDER BY stops.id
  `.execute(db)
  return { version: rows[0]?.version ?? '0', stops: rows.flatMap(({ stop }) => stop ?? []) }
}

/** Returns active stops that may affect an account. */
export async function readStopsOf(db: Database, accountId: number): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    SELECT id, scope, account_id, hook_id, host, reason, is_suspension, created_at FROM stops
    WHERE ended_at IS NULL AND (account_id IS NULL OR account_id = ${accountId}) ORDER BY id
  `.execute(db)
  return rows
}

function columnsOf(target: StopTarget) {
  return {
    accountId: 'accountId' in target ? target.accountId : null,
    hookId: 'hookId' in target ? target.hookId : null,
    host: 'host' in target ? target.host : null,
  }
}

async function incrementVersion(trx: Trx): Promise<void> {
  await trx
    .updateTable('stopsVersion')
    .set({ version: sql`version + 1` })
    .execute()
}

/** Records the account only where the stop concerns one account: accounts see only their own entries. */
async function audit(
  trx: Trx,
  actor: Actor,
  action: 'stop.create' | 'stop.end',
  id: number,
  target: { scope: string; accountId?: number | null; hookId?: number | null; host?: string | null },
  detail: JsonObject,
): Promise<void> {
  const { scope, accountId, hookId, host } = target
  await recordAudit(trx, {
    ...(accountId != null && { accountId }),
    actor,
    action,
    subject: hookId == null ? `stop:${id}` : `hook:${hookId}`,
    detail: { scope, ...(host != null && { host }), ...detail },
  })
}
