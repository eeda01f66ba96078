/** What a disabled hook would have received. It waits until the hook's owner says whether to deliver or to drop it. */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'

const mostHeld = 100_000
const rememberedMs = 10_000
const mostRows = 2_000
/** One hook with much work does not keep others waiting. */
const mostRowsOfHook = 200

export type IsHoldFull = (accountId: number, hookId: number) => Promise<boolean>

/** Counting up to the limit costs something, so the answer is remembered; a hook may pass the limit by what comes in between. */
export function createHoldLimit(db: Database, now: () => number): IsHoldFull {
  const remembered = new Map<string, { isFull: boolean; until: number }>()
  return async (accountId, hookId) => {
    const name = `${accountId} ${hookId}`
    const known = remembered.get(name)
    if (known !== undefined && known.until > now()) return known.isFull
    if (remembered.size > 10_000) remembered.clear()
    const answer = await sql<{ held: number }>`
      SELECT count(*)::integer AS held FROM (
        SELECT FROM work WHERE account_id = ${accountId} AND hook_id = ${hookId} AND held LIMIT ${mostHeld}
      ) AS held`.execute(db)
    const isFull = (answer.rows[0]?.held ?? 0) >= mostHeld
    remembered.set(name, { isFull, until: now() + rememberedMs })
    return isFull
  }
}

/** How many deliveries wait for a hook, or are held for it. */
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
 * Work that was waiting when its hook was disabled is held, soon after the change and not only when it is due. Each hook's
 * work is looked up by itself and updated by its primary key: whatever the planner knows of the table, nothing else is read. Returns how many are held now.
 */
export async function holdForDisabledHooks(db: Database): Promise<number> {
  const held = await sql`
    WITH disabled AS MATERIALIZED (
      SELECT DISTINCT hooks.account_id, hooks.id AS hook_id FROM hook_versions
      JOIN hooks ON hooks.account_id = hook_versions.account_id AND hooks.id = hook_versions.hook_id
      WHERE hook_versions.change = 'disabled' AND hook_versions.at > now() - interval '5 minutes' AND NOT hooks.enabled
    ), waiting AS MATERIALIZED (
      SELECT due.event_id, due.hook_id FROM disabled CROSS JOIN LATERAL (
        SELECT event_id, hook_id FROM work
        WHERE work.account_id = disabled.account_id AND work.hook_id = disabled.hook_id AND lease IS NULL AND NOT held
        ORDER BY due_at LIMIT ${mostRowsOfHook} FOR UPDATE SKIP LOCKED
      ) AS due LIMIT ${mostRows}
    )
    UPDATE work SET held = true FROM waiting
    WHERE work.event_id = waiting.event_id AND work.hook_id = waiting.hook_id
  `.execute(db)
  return Number(held.numAffectedRows ?? 0n)
}
