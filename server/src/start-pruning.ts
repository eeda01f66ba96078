/**
 * Deletes what nobody needs any more from tables that an account can fill: versions of hooks, audit entries, revoked keys,
 * uses of deprecated credentials, warnings. In short statements, safe to run on all workers at once; what goes by age goes by the
 * cleanup time and only while the clocks agree.
 */
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { compactOld, compactRecent } from './hooks/compact-versions.ts'
import { dayMs } from './model/day.ts'
import type { DatabaseClock } from './ops/database-clock.ts'
import { every, nowAndEvery } from './ops/every.ts'
import { untilNone } from './ops/until-none.ts'
import { moveCleanupTime } from './pipeline/ledger/cleanup-time.ts'

interface PruningParts {
  db: Database
  clock: DatabaseClock
  config: Pick<Config, 'retentionDays' | 'auditRetentionDays'>
  onError: (error: unknown) => void
}

const minute = 60_000
const rowsPerStep = 2_000

export function startPruning({ db, clock, config, onError }: PruningParts): () => Promise<void> {
  const { retentionDays, auditRetentionDays } = config
  const pruneOld = async (): Promise<void> => {
    await clock.measure()
    if (!clock.isRight()) return
    const { at } = await moveCleanupTime(db)
    await compactOld(db, retentionDays, at)
    await pruneAudit(db, auditRetentionDays, at)
    for (const [table, isOld] of leftovers(auditRetentionDays, at)) await prune(db, table, isOld)
  }
  const stops = [
    every(10 * minute, () => compactRecent(db), onError),
    nowAndEvery(60 * minute, pruneOld, onError),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

type Condition = ReturnType<typeof sql<boolean>>

/** Small tables: rows that nothing refers to any more. */
function leftovers(auditRetentionDays: number, at: Date): Array<[table: string, isOld: Condition]> {
  const noSuchHook = sql`NOT EXISTS (
    SELECT FROM hooks WHERE hooks.account_id = own.account_id AND hooks.id = own.hook_id)`
  return [
    // The audit log names keys by their ids.
    ['keys', sql`revoked_at < ${daysBefore(at, auditRetentionDays)}`],
    ['deprecated_uses', sql`day < ${daysBefore(at, 400)}`],
    ['hook_failures', sql`failing_since < ${daysBefore(at, 1)} AND ${noSuchHook}`],
    ['hook_warnings', sql`at < ${daysBefore(at, 90)}`],
  ]
}

function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * dayMs)
}

function prune(db: Database, table: string, isOld: Condition): Promise<void> {
  return untilNone(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${sql.table(table)} AS own WHERE ${isOld} LIMIT ${rowsPerStep} FOR UPDATE SKIP LOCKED))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}

/** Ids follow time, so the oldest entries are the first; what is kept is not read. */
export function pruneAudit(db: Database, days: number, at: Date): Promise<void> {
  return untilNone(async () => {
    const { numAffectedRows } = await sql`
      DELETE FROM audit WHERE id = ANY (ARRAY(
        SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ${rowsPerStep}) AS oldest
        WHERE at < ${daysBefore(at, days)}))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
