/**
 * Drops whole days that are too old: partitions are detached, which blocks nothing, and dropped. Detaching waits for
 * open transactions and may be interrupted at any point. The next run continues there.
 * A day with pending deliveries stays until they are finished. At most one day that contains events is dropped per
 * hour, whatever the clock or the settings say: a mistake costs one day, and the log shows it before the next.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { firstDayKept } from './days.ts'
import { ledgerTables, partitionDay } from './partitions.ts'

interface RetentionDeps {
  db: Database
  retentionDays: number
  /** Counts everything pending for events of a day, by kind; empty if nothing is. */
  readPending: (day: Date) => Promise<Record<string, number>>
  /** Expires everything pending for events before a time. */
  expirePending: (before: Date) => Promise<void>
  onDropped: (dropped: DroppedDay) => void
  onKept: (kept: KeptDay) => void
}

export interface DroppedDay {
  day: string
  /** Rows by partition; for large ones the planner's estimate. */
  rows: Record<string, number>
}

export interface KeptDay {
  day: string
  waiting: Record<string, number>
}

/** RETENTION_DAYS covers holds and retries. Anything pending for longer is stopped, quarantined or part of a replay. */
const maxOverdueDays = 14

export async function dropOldPartitions(deps: RetentionDeps, at: Date): Promise<void> {
  const { db, retentionDays } = deps
  const keepFrom = firstDayKept(at.getTime(), retentionDays)
  if ((await partitionsBefore(db, keepFrom)).length === 0) return
  await dropDays(deps, keepFrom)
}

async function dropDays(deps: RetentionDeps, keepFrom: Date): Promise<void> {
  const { db } = deps
  const found = await partitionsBefore(db, keepFrom)
  // Unfinished drops come first: a table can detach only one partition at a time, and that day has been checked
  // already.
  for (const partition of found.filter(({ state }) => state !== 'attached'))
    if (!(await dropLocked(db, partition))) return
  const days = Map.groupBy(
    found.filter(({ state }) => state === 'attached'),
    ({ name }) => name.slice(-8),
  )
  for (const [day, partitions] of days) {
    const start = partitionDay(`_${day}`)
    if (start === undefined || (await mustStay(deps, day, start, keepFrom))) continue
    const rows = await countRows(db, partitions)
    const isEmpty = Object.values(rows).every((count) => count === 0)
    if (!isEmpty && !(await isDropAllowed(db))) return
    for (const partition of partitions) if (!(await dropLocked(db, partition))) return
    deps.onDropped({ day, rows })
  }
}

/** Returns true once per hour, over all processes. */
async function isDropAllowed(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE cleanup_clock SET dropped_at = now()
    WHERE dropped_at NOT BETWEEN now() - interval '50 minutes' AND now()
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * Drops a partition under a lock. Returns false if another process has the lock. A transaction holds the lock while
 * another connection works, since DETACH CONCURRENTLY cannot run inside a transaction.
 */
async function dropLocked(db: Database, partition: Partition): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const locked = await sql<{ isLocked: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('hookline retention')) AS is_locked`.execute(trx)
    if (!locked.rows[0]?.isLocked) return false
    await dropPartition(db, partition)
    return true
  })
}

/** Whether something is pending for the day's events. If it is overdue, it is expired and the day does not stay. */
async function mustStay(deps: RetentionDeps, day: string, start: Date, keepFrom: Date): Promise<boolean> {
  const waiting = await deps.readPending(start)
  if (Object.keys(waiting).length === 0) return false
  deps.onKept({ day, waiting })
  if (start.getTime() >= keepFrom.getTime() - maxOverdueDays * dayMs) return true
  await deps.expirePending(new Date(start.getTime() + dayMs))
  return false
}

interface Partition {
  parent: string
  name: string
  /** Detached: not dropped yet. */
  state: 'attached' | 'detaching' | 'detached'
}

async function dropPartition(db: Database, { parent, name, state }: Partition): Promise<void> {
  if (state !== 'detached') {
    const mode = state === 'attached' ? sql`CONCURRENTLY` : sql`FINALIZE`
    await sql`ALTER TABLE ${sql.table(parent)} DETACH PARTITION ${sql.table(name)} ${mode}`.execute(db)
  }
  await sql`DROP TABLE ${sql.table(name)}`.execute(db)
}

/** Larger counts take longer than a log line is worth. */
const maxCounted = 100_000

async function countRows(db: Database, partitions: readonly Partition[]): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name } of partitions) {
    const result = await sql<{ counted: number; estimate: number }>`
      SELECT (SELECT count(*) FROM (SELECT FROM ${sql.table(name)} LIMIT ${maxCounted}) AS found)::integer AS counted,
             reltuples::float8 AS estimate
      FROM pg_class WHERE oid = ${name}::regclass
    `.execute(db)
    const [{ counted, estimate } = { counted: 0, estimate: 0 }] = result.rows
    rows[name] = counted < maxCounted ? counted : Math.max(counted, estimate)
  }
  return rows
}

/**
 * Returns partitions to drop. Unfinished drops come first. Then day by day, deliveries last, so pending deliveries of
 * a day can be recorded as long as any of its partitions exists.
 */
async function partitionsBefore(db: Database, before: Date): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    SELECT parent, relname AS name, CASE WHEN NOT relispartition THEN 'detached'
                                         WHEN inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
    FROM unnest(${[...ledgerTables]}::text[]) AS parent
    JOIN pg_class ON relname ~ ('^' || parent || '_[0-9]{8}$') AND relkind = 'r' AND pg_table_is_visible(pg_class.oid)
    LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
    ORDER BY inhdetachpending DESC, right(relname, 8), parent = 'deliveries', name
  `.execute(db)
  return rows.filter(
    ({ name }) => (partitionDay(name)?.getTime() ?? Number.POSITIVE_INFINITY) < before.getTime(),
  )
}
