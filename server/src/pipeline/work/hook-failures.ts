/**
 * How long a hook has done nothing but fail. One success ends it. Owners are warned after an hour, a day and three days;
 * after five days and twelve attempts the hook is disabled.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { reasons } from '../../model/outcome.ts'
import { closeBreakers, failuresToOpen, openBreakers } from './breaker.ts'
import type { Settlement } from './settle.ts'

export interface FailingHook {
  accountId: number
  hookId: number
}

/** Only the receiver's failures count; in one batch a success outweighs them. Breakers open and close with it. */
export async function recordFailures(db: Database, settled: readonly Settlement[]): Promise<void> {
  const byHook = Map.groupBy(
    settled.filter(({ attempt }) => attempt !== undefined),
    ({ accountId, hookId }) => `${accountId} ${hookId}`,
  )
  const groups = [...byHook.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, all: [first, ...others] }],
  )
  const working = groups.filter(({ all }) => faultsOf(all).includes('none'))
  const failing = groups.filter(
    ({ all }) => !faultsOf(all).includes('none') && faultsOf(all).includes('theirs'),
  )
  if (working.length > 0) {
    await sql`/* kept */
      DELETE FROM hook_failures USING unnest(
        ${working.map((group) => group.accountId)}::integer[], ${working.map((group) => group.hookId)}::integer[]
      ) AS working (account_id, hook_id)
      WHERE hook_failures.account_id = working.account_id AND hook_failures.hook_id = working.hook_id
    `.execute(db)
    await closeBreakers(db, working)
  }
  if (failing.length > 0) {
    const answer = await sql<FailingHook & { attempts: number }>`
      INSERT INTO hook_failures AS known (account_id, hook_id, failing_since, attempts)
      SELECT account_id, hook_id, now(), attempts FROM unnest(
        ${failing.map((group) => group.accountId)}::integer[],
        ${failing.map((group) => group.hookId)}::integer[],
        ${failing.map((group) => faultsOf(group.all).filter((fault) => fault === 'theirs').length)}::integer[]
      ) AS failing (account_id, hook_id, attempts)
      ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id) DO UPDATE SET attempts = known.attempts + excluded.attempts
      RETURNING account_id, hook_id, attempts
    `.execute(db)
    await openBreakers(
      db,
      answer.rows.filter(({ attempts }) => attempts >= failuresToOpen),
    )
  }
}

function faultsOf(settlements: readonly Settlement[]): string[] {
  return settlements.flatMap(({ attempt }) =>
    attempt === undefined ? [] : [reasons[attempt.outcome.reason].fault],
  )
}

/** Writes down the warnings that are due and have not been given. */
export async function recordWarnings(db: Database): Promise<void> {
  await sql`
    INSERT INTO hook_warnings (account_id, hook_id, failing_since, kind)
    SELECT account_id, hook_id, failing_since, kind FROM hook_failures
    JOIN (VALUES ('1 hour', interval '1 hour'), ('24 hours', interval '24 hours'), ('3 days', interval '3 days'))
      AS warning (kind, after) ON failing_since < now() - warning.after
    ON CONFLICT DO NOTHING
  `.execute(db)
}

/** Hooks that have failed long enough to be disabled. */
export async function hopelessHooks(db: Database): Promise<FailingHook[]> {
  const answer = await sql<FailingHook>`
    SELECT account_id, hook_id FROM hook_failures
    WHERE failing_since < now() - interval '5 days' AND attempts >= 12 LIMIT 100
  `.execute(db)
  return answer.rows
}

/** Writes down that a hook was disabled, and why, and ends its count. */
export async function recordDisabled(
  db: Database,
  hook: FailingHook,
  kind: 'disabled' | 'gone',
): Promise<void> {
  await sql`
    WITH ended AS (
      DELETE FROM hook_failures WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
      RETURNING failing_since
    )
    INSERT INTO hook_warnings (account_id, hook_id, failing_since, kind)
    SELECT ${hook.accountId}, ${hook.hookId}, coalesce((SELECT failing_since FROM ended), now()), ${kind}
    ON CONFLICT DO NOTHING
  `.execute(db)
}
