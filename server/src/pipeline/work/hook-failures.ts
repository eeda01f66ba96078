/**
 * How long a hook has done nothing but fail. One success ends it. Owners are warned after an hour, a day and three days;
 * after five days and twelve attempts the hook is disabled.
 */
import { sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'
import { reasons } from '../../model/outcome.ts'
import { closeBreakers, failuresToOpen, listed, openBreakers } from './breaker.ts'
import type { Settled, Settlement } from './settle.ts'

export interface FailingHook {
  accountId: number
  hookId: number
}

/**
 * Only the receiver's failures count; in one batch a success outweighs them. Breakers open and close with it. A success of
 * a hook that has not failed, which is nearly every one, changes nothing and asks nothing.
 */
export async function recordFailures(
  db: Database,
  settlements: readonly Settlement[],
  results: readonly Settled[],
): Promise<void> {
  const settled = settlements.flatMap((item, place) => {
    const result = results[place]
    const counts = !item.isTest || item.attempt?.outcome.reason === 'delivered'
    return item.attempt !== undefined && counts && result?.isSettled
      ? [{ ...item, wasFailing: result.wasFailing }]
      : []
  })
  const byHook = Map.groupBy(settled, ({ accountId, hookId }) => `${accountId} ${hookId}`)
  const groups = [...byHook.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, faults: faultsOf([first, ...others]) }],
  )
  const working = groups.filter(({ faults, wasFailing }) => wasFailing && faults.includes('none'))
  const failing = groups.filter(({ faults }) => !faults.includes('none') && faults.includes('theirs'))
  if (working.length > 0) {
    await sql`
      DELETE FROM hook_failures USING ${listed(working)} AS working (account_id, hook_id)
      WHERE hook_failures.account_id = working.account_id AND hook_failures.hook_id = working.hook_id
    `.execute(db)
    await closeBreakers(db, working)
  }
  if (failing.length > 0) {
    const answer = await sql<FailingHook & { attempts: number }>`
      INSERT INTO hook_failures AS known (account_id, hook_id, failing_since, attempts)
      SELECT account_id, hook_id, now(), attempts FROM unnest(
        ${plainArray(failing.map((group) => group.accountId))}::integer[],
        ${plainArray(failing.map((group) => group.hookId))}::integer[],
        ${plainArray(failing.map((group) => group.faults.filter((fault) => fault === 'theirs').length))}::integer[]
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

/** Forgets that a hook has failed, since its owner has changed where it leads or enabled it again. */
export async function forgetFailures(db: Database | Trx, hook: FailingHook): Promise<void> {
  await db
    .deleteFrom('hookFailures')
    .where('accountId', '=', hook.accountId)
    .where('hookId', '=', hook.hookId)
    .execute()
  await closeBreakers(db, [hook])
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
