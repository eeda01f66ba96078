/**
 * Whole days leave the ledger when they are too old: partitions are detached, which blocks nobody, and dropped. Detaching
 * waits for transactions that are open, and may be interrupted at any point: whatever is left half done is where the next
 * time begins.
 * A day with waiting work stays until that work has ended, and at most one day that holds events is dropped in an hour,
 * whatever the clock or the settings say: a mistake costs a day, and the log shows it before it costs the next.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayMs } from '../../model/day.ts'
import { firstDayKept } from './ledger-days.ts'
import { ledgerTables, partitionDay } from './partitions.ts'

interface RetentionParts {
  db: Database
  retentionDays: number
  /** How much waits for events of a day, by kind; none: an empty record. */
  readWaiting: (day: Date) => Promise<Record<string, number>>
  /** Ends what waits for events of a day and before, with that reason. */
  endWork: (before: Date) => Promise<void>
  onDropped: (dropped: DroppedDay) => void
  onKept: (kept: KeptDay) => void
}

export interface DroppedDay {
  day: string
  /** Rows by partition; of large ones the estimate that the planner uses. */
  rows: Record<string, number>
}

export interface KeptDay {
  day: string
  waiting: Record<string, number>
}

/** RETENTION_DAYS covers holds and retries, so what waits longer is stopped, quarantined or belongs to a replay. */
const maxOverdueDays = 14

export async function dropOldPartitions(parts: RetentionParts, at: Date): Promise<void> {
  const { db, retentionDays } = parts
  const keepFrom = firstDayKept(at.getTime(), retentionDays)
  if ((await partitionsBefore(db, keepFrom)).length === 0) return
  await dropDays(parts, keepFrom)
}

async function dropDays(parts: RetentionParts, keepFrom: Date): Promise<void> {
  const { db } = parts
  const found = await partitionsBefore(db, keepFrom)
  // What was begun is finished first: a table detaches one at a time, and such a day has been judged before.
  for (const partition of found.filter(({ state }) => state !== 'attached'))
    if (!(await dropLocked(db, partition))) return
  const days = Map.groupBy(
    found.filter(({ state }) => state === 'attached'),
    ({ name }) => name.slice(-8),
  )
  for (const [day, partitions] of days) {
    const start = partitionDay(`_${day}`)
    if (start === undefined || (await mustStay(parts, day, start, keepFrom))) continue
    const rows = await countRows(db, partitions)
    const isEmpty = Object.values(rows).every((count) => count === 0)
    if (!isEmpty && !(await mayDropEvents(db))) return
    for (const partition of partitions) if (!(await dropLocked(db, partition))) return
    parts.onDropped({ day, rows })
  }
}

/** Once an hour, over all processes. */
async function mayDropEvents(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE cleanup_clock SET dropped_at = now()
    WHERE dropped_at NOT BETWEEN now() - interval '50 minutes' AND now()
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * False: another process is at it. A transaction holds the lock while another connection does the work, since detaching
 * concurrently cannot run inside a transaction.
 */
async function dropLocked(db: Database, partition: Partition): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const locked = await sql<{ isOurs: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('hookline retention')) AS is_ours`.execute(trx)
    if (!locked.rows[0]?.isOurs) return false
    await dropPartition(db, partition)
    return true
  })
}

/** Whether something waits for the day's events. What has done so for too long is ended, and keeps the day no more. */
async function mustStay(parts: RetentionParts, day: string, start: Date, keepFrom: Date): Promise<boolean> {
  const waiting = await parts.readWaiting(start)
  if (Object.keys(waiting).length === 0) return false
  parts.onKept({ day, waiting })
  if (start.getTime() >= keepFrom.getTime() - maxOverdueDays * dayMs) return true
  await parts.endWork(new Date(start.getTime() + dayMs))
  return false
}

interface Partition {
  parent: string
  name: string
  /** Detached: it was not dropped any more. */
  state: 'attached' | 'detaching' | 'detached'
}

async function dropPartition(db: Database, { parent, name, state }: Partition): Promise<void> {
  if (state !== 'detached') {
    const how = state === 'attached' ? sql`CONCURRENTLY` : sql`FINALIZE`
    await sql`ALTER TABLE ${sql.table(parent)} DETACH PARTITION ${sql.table(name)} ${how}`.execute(db)
  }
  await sql`DROP TABLE ${sql.table(name)}`.execute(db)
}

/** Above this a count takes longer than a log line is worth. */
const mostCounted = 100_000

async function countRows(db: Database, partitions: readonly Partition[]): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name } of partitions) {
    const answer = await sql<{ counted: number; estimate: number }>`
      SELECT (SELECT count(*) FROM (SELECT FROM ${sql.table(name)} LIMIT ${mostCounted}) AS found)::integer AS counted,
             reltuples::float8 AS estimate
      FROM pg_class WHERE oid = ${name}::regclass
    `.execute(db)
    const [{ counted, estimate } = { counted: 0, estimate: 0 }] = answer.rows
    rows[name] = counted < mostCounted ? counted : Math.max(counted, estimate)
  }
  return rows
}

/**
 * What was left half done comes first. Then day by day, deliveries last, so that work of a day can be ended for as long as
 * anything of that day is there.
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
