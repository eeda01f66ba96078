/**
 * Counts recent failures of each hook, and since when it has only failed.
 * The recent ratio controls the circuit breaker. The streak leads to warnings (failure-warnings.ts). A hook has a row
 * from its first failure until failures are rare again, so only failing hooks cost anything.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { integer, unnestRows } from '../../db/rows.ts'
import { attemptReasons } from '../../model/delivery/outcome.ts'
import { closeBreakers, hookRows, openBreakers, reopenProbed } from './circuit-breaker.ts'
import { secondsSince } from './elapsed.ts'
import { returnTestPermits } from './test-permit.ts'
import type { Settlement } from './settle.ts'
import type { Settled } from './settled.ts'

export interface FailingHook {
  accountId: number
  hookId: number
}

/** Outcomes of a hook's attempts in one batch. Only failures of the receiver count, and failed tests do not. */
interface Counted extends FailingHook {
  failures: number
  successes: number
  /** The hook has failed recently. */
  wasFailing: boolean
  /** The hook's breaker is open or probing. */
  isOpen: boolean
  /** A test succeeded: that closes the breaker in any state. */
  hasTestSuccess: boolean
}

/** Half-life of both counts. */
const halfLifeSeconds = 10
/** Fewer attempts do not give a meaningful ratio. */
const minAttempts = 10
/** A row with fewer recent failures is deleted after a success. */
const minKeptFailures = 0.5

/**
 * Counts failures and successes, and opens and closes breakers. A success of a hook that has not failed, which is
 * nearly every one, needs no statement.
 */
export async function recordFailures(
  db: Database,
  settlements: readonly Settlement[],
  results: readonly Settled[],
): Promise<void> {
  await returnTestPermits(
    db,
    settlements.filter(({ isTest }, index) => isTest && results[index]?.isOpen),
  )
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
    const { fault } = attemptReasons[attempt.outcome.reason]
    if (fault === 'service' || fault === 'event' || (isTest && fault === 'receiver')) return []
    const { wasFailing, isOpen } = result
    return [{ accountId, hookId, wasFailing, isOpen, isSuccess: fault === 'none', isTest }]
  })
  return [...Map.groupBy(counted, ({ accountId, hookId }) => `${accountId} ${hookId}`).values()].flatMap(
    (attempts) => {
      const [first] = attempts
      if (first === undefined) return []
      const successes = attempts.filter(({ isSuccess }) => isSuccess)
      return [
        {
          ...first,
          failures: attempts.length - successes.length,
          successes: successes.length,
          hasTestSuccess: successes.some(({ isTest }) => isTest),
        },
      ]
    },
  )
}

/** The decay factor of a count since it was last updated. */
const decay = sql`power(0.5, least(${secondsSince(sql`existing.counted_at`)}, 600) / ${halfLifeSeconds})::real`

interface Failing extends FailingHook {
  /** Consecutive failures, however long they took. */
  attempts: number
  /** Recent failures. */
  failures: number
  successes: number
}

async function countFailures(db: Database, hooks: readonly Counted[]): Promise<Failing[]> {
  if (hooks.length === 0) return []
  const { rows } = await sql<Failing>`
    INSERT INTO hook_failures AS existing (account_id, hook_id, failing_since, attempts, failures, successes)
    SELECT account_id, hook_id, CASE WHEN successes = 0 THEN now() END, CASE WHEN successes = 0 THEN failures ELSE 0 END,
           failures, successes
    FROM ${counts(hooks)}
    ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      failing_since = CASE WHEN excluded.successes = 0 THEN coalesce(existing.failing_since, now()) END,
      attempts = CASE WHEN excluded.successes = 0 THEN existing.attempts + excluded.attempts ELSE 0 END,
      failures = existing.failures * ${decay} + excluded.failures,
      successes = existing.successes * ${decay} + excluded.successes, counted_at = now()
    RETURNING account_id, hook_id, attempts, failures, successes
  `.execute(db)
  return rows
}

/** Deletes the row of a hook that no longer fails, so its next successes cost nothing. */
async function countSuccesses(db: Database, hooks: readonly Counted[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    WITH counted AS (SELECT * FROM ${counts(hooks)}), recovered AS (
      DELETE FROM hook_failures AS existing USING counted
      WHERE existing.account_id = counted.account_id AND existing.hook_id = counted.hook_id
        AND existing.failures * ${decay} < ${minKeptFailures}
    )
    UPDATE hook_failures AS existing SET
      failing_since = NULL, attempts = 0, failures = existing.failures * ${decay},
      successes = existing.successes * ${decay} + counted.successes, counted_at = now()
    FROM counted
    WHERE existing.account_id = counted.account_id AND existing.hook_id = counted.hook_id
      AND existing.failures * ${decay} >= ${minKeptFailures}
  `.execute(db)
}

/**
 * Whether more than half of the recent attempts failed, by more than chance explains: nine of ten, sixty of a hundred.
 * A hook with little traffic counts as failing after ten consecutive failures without a recent success.
 */
export function isFailingTooOften({ attempts, failures, successes }: Failing): boolean {
  const recent = failures + successes
  if (recent >= minAttempts && failures >= recent / 2 + Math.sqrt(recent)) return true
  return attempts >= minAttempts && successes < 1
}

/** Returns the counts as the table `counted`. */
function counts(hooks: readonly Counted[]): RawBuilder<unknown> {
  return unnestRows('counted', hooks, {
    account_id: integer(({ accountId }) => accountId),
    hook_id: integer(({ hookId }) => hookId),
    failures: integer(({ failures }) => failures),
    successes: integer(({ successes }) => successes),
  })
}

export async function removeFailures(db: Database | Trx, hooks: readonly FailingHook[]): Promise<void> {
  if (hooks.length === 0) return
  await sql`
    DELETE FROM hook_failures USING ${hookRows('gone', hooks)}
    WHERE hook_failures.account_id = gone.account_id AND hook_failures.hook_id = gone.hook_id
  `.execute(db)
}

/** Resets the failures of a hook, and what is known of its receiver, because the account changed its URL or enabled it. */
export async function resetFailures(db: Database | Trx, hook: FailingHook): Promise<void> {
  await removeFailures(db, [hook])
  await closeBreakers(db, [hook], 'any')
  await sql`
    WITH certificate AS (
      DELETE FROM hook_certificates WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
    )
    DELETE FROM hook_slow_attempts WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
  `.execute(db)
}

/** Deletes rows that exist only for the failure ratio, of hooks that receive nothing. */
export async function pruneFailures(db: Database): Promise<void> {
  await sql`
    DELETE FROM hook_failures WHERE failing_since IS NULL AND counted_at < now() - interval '10 minutes'
  `.execute(db)
}
