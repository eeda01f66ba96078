/**
 * How a hook has failed lately, and since when it has done nothing else. The first decides its circuit breaker; by the
 * second owners are warned after an hour, a day and three days, and after five days and twelve attempts the hook is
 * disabled. A hook has a row from its first failure until failures are rare again, so only hooks that fail cost anything.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'
import { reasons } from '../../model/outcome.ts'
import { closeBreakers, listed, openBreakers, reopenProbed } from './breaker.ts'
import type { Settled, Settlement } from './settle.ts'

export interface FailingHook {
  accountId: number
  hookId: number
}

/** What came of the attempts of a hook in one batch. Only the receiver's failures count, and no failed test. */
interface Counted extends FailingHook {
  failures: number
  successes: number
  /** It has failed lately. */
  wasFailing: boolean
  /** Its breaker is open or probing. */
  isOpen: boolean
  /** A success that its owner asked for: it closes the breaker, whichever state that is in. */
  hasTestSuccess: boolean
}

/** Both counts of a hook halve in this time. */
const halfLifeSeconds = 10
/** Fewer attempts than this say nothing about a rate. */
const minAttempts = 10
/** A row with fewer recent failures than this is not kept after a success. */
const minKeptFailures = 0.5

/**
 * Counts failures and successes, and opens and closes breakers by them. A success of a hook that has not failed, which is
 * nearly every one, changes nothing and asks nothing.
 */
export async function recordFailures(
  db: Database,
  settlements: readonly Settlement[],
  results: readonly Settled[],
): Promise<void> {
  const hooks = countByHook(settlements, results)
  const failed = hooks.filter(({ failures }) => failures > 0)
  const succeeded = hooks.filter(({ successes, wasFailing }) => successes > 0 && wasFailing)
  const open = succeeded.filter(({ isOpen }) => isOpen)
  const closed = [
    ...(await closeBreakers(db, open, 'probing')),
    ...(await closeBreakers(
      db,
      open.filter(({ hasTestSuccess }) => hasTestSuccess),
      'any',
    )),
  ]
  await removeFailures(db, closed)
  await countSuccesses(
    db,
    succeeded.filter(({ failures }) => failures === 0),
  )
  const failing = await countFailures(db, failed)
  await openBreakers(db, failing.filter(isFailingTooOften))
  await reopenProbed(
    db,
    failed.filter(({ isOpen, successes }) => isOpen && successes === 0),
  )
}

function countByHook(settlements: readonly Settlement[], results: readonly Settled[]): Counted[] {
  const counted = settlements.flatMap(({ accountId, hookId, isTest = false, attempt }, index) => {
    const result = results[index]
    if (attempt === undefined || !result?.isSettled) return []
    const { fault } = reasons[attempt.outcome.reason]
    if (fault === 'ours' || (isTest && fault === 'theirs')) return []
    const { wasFailing, isOpen } = result
    return [{ accountId, hookId, wasFailing, isOpen, isSuccess: fault === 'none', isTest }]
  })
  return [...Map.groupBy(counted, ({ accountId, hookId }) => `${accountId} ${hookId}`).values()].flatMap(
    (own) => {
      const [first] = own
      if (first === undefined) return []
      const successes = own.filter(({ isSuccess }) => isSuccess)
      return [
        {
          ...first,
          failures: own.length - successes.length,
          successes: successes.length,
          hasTestSuccess: successes.some(({ isTest }) => isTest),
        },
      ]
    },
  )
}

/** What is left of a count by now. */
const decay = sql`power(0.5, least(extract(epoch FROM now() - known.counted_at), 600) / ${halfLifeSeconds})::real`

interface Failing extends FailingHook {
  /** In a row, however long that took. */
  attempts: number
  /** Recent ones. */
  failures: number
  successes: number
}

async function countFailures(db: Database, hooks: readonly Counted[]): Promise<Failing[]> {
  if (hooks.length === 0) return []
  const { rows } = await sql<Failing>`
    INSERT INTO hook_failures AS known (account_id, hook_id, failing_since, attempts, failures, successes)
    SELECT account_id, hook_id, CASE WHEN successes = 0 THEN now() END, CASE WHEN successes = 0 THEN failures ELSE 0 END,
           failures, successes
    FROM ${counts(hooks)} AS counted (account_id, hook_id, failures, successes)
    ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      failing_since = CASE WHEN excluded.successes = 0 THEN coalesce(known.failing_since, now()) END,
      attempts = CASE WHEN excluded.successes = 0 THEN known.attempts + excluded.attempts ELSE 0 END,
      failures = known.failures * ${decay} + excluded.failures,
      successes = known.successes * ${decay} + excluded.successes, counted_at = now()
    RETURNING account_id, hook_id, attempts, failures, successes
  `.execute(db)
  return rows
}

/** A hook that fails no more loses its row, so that its next successes cost nothing. */
async function countSuccesses(db: Database, hooks: readonly Counted[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    WITH counted AS (SELECT * FROM ${counts(hooks)} AS counted (account_id, hook_id, failures, successes)), calm AS (
      DELETE FROM hook_failures AS known USING counted
      WHERE known.account_id = counted.account_id AND known.hook_id = counted.hook_id
        AND known.failures * ${decay} < ${minKeptFailures}
    )
    UPDATE hook_failures AS known SET
      failing_since = NULL, attempts = 0, failures = known.failures * ${decay},
      successes = known.successes * ${decay} + counted.successes, counted_at = now()
    FROM counted
    WHERE known.account_id = counted.account_id AND known.hook_id = counted.hook_id
      AND known.failures * ${decay} >= ${minKeptFailures}
  `.execute(db)
}

/**
 * At least half of the recent attempts have failed, by more than chance explains: of ten nine, of a hundred sixty. A hook
 * with little traffic counts as failing after ten failures in a row without a recent success.
 */
export function isFailingTooOften({ attempts, failures, successes }: Failing): boolean {
  const recent = failures + successes
  if (recent >= minAttempts && failures >= recent / 2 + Math.sqrt(recent)) return true
  return attempts >= minAttempts && successes < 1
}

/** As a list to select from. */
function counts(hooks: readonly Counted[]): RawBuilder<unknown> {
  return sql`unnest(
    ${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
    ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[],
    ${plainArray(hooks.map(({ failures }) => failures))}::integer[],
    ${plainArray(hooks.map(({ successes }) => successes))}::integer[])`
}

async function removeFailures(db: Database | Trx, hooks: readonly FailingHook[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    DELETE FROM hook_failures USING ${listed(hooks)} AS gone (account_id, hook_id)
    WHERE hook_failures.account_id = gone.account_id AND hook_failures.hook_id = gone.hook_id
  `.execute(db)
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
  await removeFailures(db, [hook])
  await closeBreakers(db, [hook], 'any')
}

/** Rows that were kept for the failure rate alone, of hooks that get nothing any more. */
export async function removeCalm(db: Database): Promise<void> {
  await sql`
    DELETE FROM hook_failures WHERE failing_since IS NULL AND counted_at < now() - interval '10 minutes'
  `.execute(db)
}

/** Hooks that have failed long enough to be disabled. */
export async function hopelessHooks(db: Database, at: Date): Promise<FailingHook[]> {
  const answer = await sql<FailingHook>`
    SELECT account_id, hook_id FROM hook_failures
    WHERE failing_since < ${at}::timestamptz - interval '5 days' AND attempts >= 12 LIMIT 100
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
