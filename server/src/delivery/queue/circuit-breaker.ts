/**
 * The circuit breaker of a hook is stored on its lane, so all workers share it.
 *
 *   closed ── well over half of recent attempts failed ─▶ open for 5 s ── then one delivery is the probe ─▶ probing
 *   probing ── failure ─▶ open, twice as long, up to 60 s
 *   probing ── success ─▶ closed: deliveries that failed before are due immediately, with a slow start
 *
 * While the breaker is open, only the probe is attempted, and test events, one at a time (test-permit.ts). Other
 * deliveries wait and use up no attempt. Attempts in flight when it opened do not change it: a receiver that fails six
 * of ten requests succeeds in some of those. failure-streaks.ts counts failures and decides when the breaker opens.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { integer, unnestRows } from '../../db/rows.ts'

const firstSeconds = 5
const maxSeconds = 60
/** Jitter, so the breakers of an outage do not all end together. */
const jitterRatio = 0.2

/**
 * In a slow start a worker runs 1, 2, 4, 8 concurrent attempts, a second each. After this time it has reached any
 * share.
 */
export const slowStartSeconds = 5
export const slowStart = sql`make_interval(secs => ${slowStartSeconds})`

interface HookOfAccount {
  accountId: number
  hookId: number
}

/** Opens the breakers of hooks that fail too often. */
export async function openBreakers(db: Database, hooks: readonly HookOfAccount[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    INSERT INTO lane (account_id, hook_id, due_at, open_seconds, opened_at, not_before)
    SELECT account_id, hook_id, 'infinity', ${firstSeconds}, now(),
           now() + make_interval(secs => ${firstSeconds} * (1 + random() * ${jitterRatio}))
    FROM ${hookRows('failing', hooks)}
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      open_seconds = excluded.open_seconds, opened_at = excluded.opened_at, not_before = excluded.not_before,
      is_probing = false, recovered_at = NULL
    WHERE lane.open_seconds = 0
  `.execute(db)
}

/** Reopens the breakers of hooks whose probe failed, for twice as long. */
export async function reopenProbed(db: Database, hooks: readonly HookOfAccount[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    UPDATE lane SET open_seconds = ${nextSeconds}, is_probing = false,
      not_before = now() + make_interval(secs => ${nextSeconds} * (1 + random() * ${jitterRatio}))
    FROM ${hookRows('failing', hooks)}
    WHERE lane.account_id = failing.account_id AND lane.hook_id = failing.hook_id AND lane.is_probing
  `.execute(db)
}

const nextSeconds = sql`least(${maxSeconds}, lane.open_seconds * 2)`

/** Whether a probe has failed within the interval, or a little longer: the jitter of the backoff is not recorded. */
export function hasJustReopened(interval: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`open_seconds > ${firstSeconds} AND not_before > now() + make_interval(secs => open_seconds) - ${interval}`
}

/** A closed breaker whose hook has just recovered. Its lane is due. */
export const closedState = sql`
  open_seconds = 0, opened_at = NULL, not_before = '-infinity', is_probing = false, tested_at = NULL, recovered_at = now(), due_at = now()`

/**
 * Closes the breakers of hooks that succeeded: only probing ones, or any. Their lanes are due now. Returns the hooks
 * whose breaker was closed.
 */
export async function closeBreakers(
  db: Database,
  hooks: readonly HookOfAccount[],
  which: 'probing' | 'any',
): Promise<HookOfAccount[]> {
  if (hooks.length === 0) return []
  const { rows } = await sql<HookOfAccount>`
    UPDATE lane SET ${closedState}
    FROM ${hookRows('working', hooks)}
    WHERE lane.account_id = working.account_id AND lane.hook_id = working.hook_id AND lane.open_seconds > 0
      AND (lane.is_probing OR ${which === 'any'})
    RETURNING lane.account_id, lane.hook_id
  `.execute(db)
  return rows
}

/** Deletes lanes that exist only for a breaker, of hooks that are deleted or receive nothing. */
export async function pruneBreakers(db: Database): Promise<void> {
  await sql`
    DELETE FROM lane WHERE due_at = 'infinity' AND not_before < now() - interval '1 hour'
  `.execute(db)
}

/**
 * Returns the hooks as a table with the columns `account_id` and `hook_id`, in the order in which every statement locks
 * lanes: statements that lock them in different orders would wait for each other.
 */
export function hookRows(name: string, hooks: readonly HookOfAccount[]): RawBuilder<unknown> {
  const rows = unnestRows('hooks', hooks, {
    account_id: integer(({ accountId }) => accountId),
    hook_id: integer(({ hookId }) => hookId),
  })
  return sql`(SELECT * FROM ${rows} ORDER BY account_id, hook_id) AS ${sql.ref(name)}`
}
