/** Held deliveries: events for a disabled hook. They wait until the account chooses to deliver or discard them. */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'

const maxHeld = 100_000
const cachedMs = 10_000
const maxRows = 2_000
/** A hook with many deliveries does not delay the others. */
const maxRowsPerHook = 200

export type IsHoldFull = (accountId: number, hookId: number) => Promise<boolean>

/**
 * Caches the result, because counting up to the limit is expensive. A hook may exceed the limit by what arrives
 * meanwhile.
 */
export function createHoldLimit(db: Database, now: () => number): IsHoldFull {
  const cache = new Map<string, { isFull: boolean; until: number }>()
  return async (accountId, hookId) => {
    const name = `${accountId} ${hookId}`
    const cached = cache.get(name)
    if (cached !== undefined && cached.until > now()) return cached.isFull
    if (cache.size > 10_000) cache.clear()
    const result = await sql<{ held: number }>`
      SELECT count(*)::integer AS held FROM (
        SELECT FROM work WHERE account_id = ${accountId} AND hook_id = ${hookId} AND held LIMIT ${maxHeld}
      ) AS held`.execute(db)
    const isFull = (result.rows[0]?.held ?? 0) >= maxHeld
    cache.set(name, { isFull, until: now() + cachedMs })
    return isFull
  }
}

/** Counts the pending or the held deliveries of a hook. */
export async function countWork(
  trx: Trx,
  accountId: number,
  hookId: number,
  which: 'waiting' | 'held',
): Promise<number> {
  const { count } = await trx
    .selectFrom('work')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .where('hookId', '=', hookId)
    .where('held', '=', which === 'held')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Holds pending deliveries of disabled hooks soon after the change, not only when they are due. Each hook's rows are
 * looked up separately and updated by primary key, so nothing else is read whatever the planner's statistics. Returns
 * the number of deliveries put on hold.
 */
export async function holdForDisabledHooks(db: Database): Promise<number> {
  const held = await sql`
    WITH disabled AS MATERIALIZED (
      SELECT DISTINCT hooks.account_id, hooks.id AS hook_id FROM hook_versions
      JOIN hooks ON hooks.account_id = hook_versions.account_id AND hooks.id = hook_versions.hook_id
      WHERE hook_versions.change = 'disabled' AND hook_versions.at > now() - interval '5 minutes' AND NOT hooks.enabled
    ), pending AS MATERIALIZED (
      SELECT due.event_id, due.hook_id FROM disabled CROSS JOIN LATERAL (
        SELECT event_id, hook_id FROM work
        WHERE work.account_id = disabled.account_id AND work.hook_id = disabled.hook_id AND lease IS NULL AND NOT held
        ORDER BY due_at LIMIT ${maxRowsPerHook} FOR UPDATE SKIP LOCKED
      ) AS due LIMIT ${maxRows}
    )
    UPDATE work SET held = true FROM pending
    WHERE work.event_id = pending.event_id AND work.hook_id = pending.hook_id
  `.execute(db)
  return Number(held.numAffectedRows ?? 0n)
}
