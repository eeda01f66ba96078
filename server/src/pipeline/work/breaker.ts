/**
 * The breaker of a hook lies on its lane, so all workers share it.
 *
 *   closed ── at least half of the recent attempts failed ─▶ open 5 s ── its time is over: one delivery as a probe ─▶ probing
 *   probing ── failure ─▶ open, twice as long, up to 60 s
 *   probing ── success ─▶ closed: what failed before is due at once, under a slow start
 *
 * Open, nothing is attempted but the probe: what comes in meanwhile waits and uses up no attempt. What was under way when it
 * opened changes nothing: of a receiver that fails six requests in ten some of those succeed.
 * hook-failures.ts counts, and decides when it opens.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { untilNone } from '../../ops/until-none.ts'

const firstSeconds = 5
const longestSeconds = 60
/** So that the breakers of an outage do not all end together. */
const jitterShare = 0.2

/** In a slow start a worker attempts 1, 2, 4, 8 at once, a second each; after this it has reached any share. */
export const slowStartSeconds = 5
export const slowStart = sql`make_interval(secs => ${slowStartSeconds})`

interface HookOfAccount {
  accountId: number
  hookId: number
}

/** For hooks that fail too often. */
export async function openBreakers(db: Database, hooks: readonly HookOfAccount[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    INSERT INTO lane (account_id, hook_id, due_at, open_seconds, not_before)
    SELECT account_id, hook_id, 'infinity', ${firstSeconds},
           now() + make_interval(secs => ${firstSeconds} * (1 + random() * ${jitterShare}))
    FROM ${listed(hooks)} AS failing (account_id, hook_id)
    ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      open_seconds = excluded.open_seconds, not_before = excluded.not_before, is_probing = false, recovered_at = NULL
    WHERE lane.open_seconds = 0
  `.execute(db)
}

/** For hooks whose probe has failed: twice as long. */
export async function reopenProbed(db: Database, hooks: readonly HookOfAccount[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    UPDATE lane SET open_seconds = ${nextSeconds}, is_probing = false,
      not_before = now() + make_interval(secs => ${nextSeconds} * (1 + random() * ${jitterShare}))
    FROM ${listed(hooks)} AS failing (account_id, hook_id)
    WHERE lane.account_id = failing.account_id AND lane.hook_id = failing.hook_id AND lane.is_probing
  `.execute(db)
}

const nextSeconds = sql`least(${longestSeconds}, lane.open_seconds * 2)`

const works = sql`
  open_seconds = 0, not_before = '-infinity', is_probing = false, recovered_at = now(), due_at = now()`

/**
 * For hooks that have succeeded: those that are probing, or any that are open. Their turn is now: whoever claims it finds out
 * what waits. Returns the hooks whose breaker this closed.
 */
export async function closeBreakers(
  db: Database,
  hooks: readonly HookOfAccount[],
  which: 'probing' | 'any',
): Promise<HookOfAccount[]> {
  if (hooks.length === 0) return []
  const { rows } = await sql<HookOfAccount>`
    UPDATE lane SET ${works}
    FROM ${listed(hooks)} AS working (account_id, hook_id)
    WHERE lane.account_id = working.account_id AND lane.hook_id = working.hook_id AND lane.open_seconds > 0
      AND (lane.is_probing OR ${which === 'any'})
    RETURNING lane.account_id, lane.hook_id
  `.execute(db)
  return rows
}

/** Rows that one statement makes due. */
const mostAtOnce = 1_000

/**
 * For a hook that leads somewhere else now: all that failed is due at once, under a slow start, and so is what the old
 * receiver asked us to wait with.
 */
export async function retryNow(db: Database, { accountId, hookId }: HookOfAccount): Promise<void> {
  await untilNone(() => forgetAsked(db, accountId, hookId))
  await sql`
    UPDATE lane SET ${works}
    WHERE account_id = ${accountId} AND hook_id = ${hookId}
  `.execute(db)
}

/** What is due in infinity belongs to a replay that is paused. Answers how many there were. */
async function forgetAsked(db: Database, accountId: number, hookId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH asked AS (
      SELECT event_id, hook_id FROM work
      WHERE account_id = ${accountId} AND hook_id = ${hookId} AND lease IS NULL AND NOT held
        AND attempts > 0 AND waits_since IS NULL AND due_at > now() AND due_at < 'infinity'
      ORDER BY event_id LIMIT ${mostAtOnce} FOR UPDATE SKIP LOCKED
    )
    UPDATE work SET due_at = now() FROM asked
    WHERE work.event_id = asked.event_id AND work.hook_id = asked.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Lanes that were kept for a breaker alone, of hooks that have gone or get nothing any more. */
export async function forgetBreakers(db: Database): Promise<void> {
  await sql`
    DELETE FROM lane WHERE due_at = 'infinity' AND not_before < now() - interval '1 hour'
  `.execute(db)
}

/** As a list to select from. */
export function listed(hooks: readonly HookOfAccount[]): RawBuilder<unknown> {
  return sql`unnest(${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
                    ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[])`
}
