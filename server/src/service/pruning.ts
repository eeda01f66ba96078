/**
 * Deletes old rows from tables that an account can fill: hook versions, audit entries, revoked keys, uses of deprecated
 * credentials, warnings, notices, requests to the test receiver. The statements are short and safe to run on all workers
 * at once. Deletion by age uses the cleanup time and runs only while the clocks agree.
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { isSecretValid } from '../db/secret-holders.ts'
import { compactOld, compactRecent } from '../hooks/compact-versions.ts'
import { dayMs } from '../model/day.ts'
import type { DatabaseClock } from '../runtime/database-clock.ts'
import { startInterval, startIntervalNow } from '../runtime/every.ts'
import { drain } from '../runtime/drain.ts'
import { advanceCleanupTime } from '../ledger/cleanup-time.ts'

interface PruningDeps {
  db: Database
  clock: DatabaseClock
  config: Pick<Config, 'retentionDays' | 'auditRetentionDays'>
  onError: (error: unknown) => void
}

const minute = 60_000
const rowsPerStep = 2_000

export function startPruning({ db, clock, config, onError }: PruningDeps): () => Promise<void> {
  const { retentionDays, auditRetentionDays } = config
  const pruneOld = async (): Promise<void> => {
    if (!(await clock.isRightNow())) return
    const { at } = await advanceCleanupTime(db)
    await compactOld(db, retentionDays, at)
    await pruneAudit(db, auditRetentionDays, at)
    for (const [table, isOld] of leftovers(auditRetentionDays, at)) await prune(db, table, isOld)
  }
  const stops = [
    startInterval(10 * minute, () => compactRecent(db), onError),
    startIntervalNow(60 * minute, pruneOld, onError),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

type Condition = ReturnType<typeof sql<boolean>>

/** Returns the small tables to prune, each with its condition for rows that are no longer referenced. */
function leftovers(auditRetentionDays: number, at: Date): Array<[table: string, isOld: Condition]> {
  const hookNotFound = sql<boolean>`NOT EXISTS (
    SELECT FROM hooks WHERE hooks.account_id = candidate.account_id AND hooks.id = candidate.hook_id)`
  const isFailing = sql<boolean>`EXISTS (
    SELECT FROM hook_failures AS failing WHERE failing.account_id = candidate.account_id
      AND failing.hook_id = candidate.hook_id AND failing.failing_since = candidate.streak)`
  return [
    // Revoked keys stay as long as audit entries, which refer to keys by id.
    ['keys', sql`revoked_at < ${daysBefore(at, auditRetentionDays)}`],
    ['deprecated_uses', sql`day < ${daysBefore(at, 400)}`],
    ['hook_failures', sql`failing_since < ${daysBefore(at, 1)} AND ${hookNotFound}`],
    ['former_members', sql`left_at < ${daysBefore(at, auditRetentionDays)}`],
    ['secret_holders', sql`NOT ${isSecretValid('candidate')}`],
    ['hook_warnings', sql`at < ${daysBefore(at, 90)}`],
    // A notice about a current failure stays: without it, the failure would be told again.
    ['notices', sql`created_at < ${daysBefore(at, 90)} AND NOT ${isFailing}`],
    ['notice_messages', sql`created_at < ${daysBefore(at, 90)} AND state <> 'queued'`],
    ['notice_channels', sql`confirmed_at IS NULL AND confirm_until < ${daysBefore(at, 7)}`],
    ['hook_certificates', sql`valid_until < ${daysBefore(at, 7)} OR ${hookNotFound}`],
    ['hook_slow_attempts', sql`hour < ${daysBefore(at, 2)}`],
    ['notice_mutes', hookNotFound],
    ['test_requests', sql`received_at < ${daysBefore(at, 1)}`],
  ]
}

function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * dayMs)
}

function prune(db: Database, table: string, isOld: Condition): Promise<void> {
  return drain(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} AS candidate WHERE ${isOld} LIMIT ${rowsPerStep} FOR UPDATE SKIP LOCKED))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}

/** Deletes audit entries older than `days`. Ids follow time, so only the oldest entries are read. */
export function pruneAudit(db: Database, days: number, at: Date): Promise<void> {
  return drain(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM audit WHERE id = ANY (ARRAY(
        SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ${rowsPerStep}) AS oldest
        WHERE at < ${daysBefore(at, days)}))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
