/**
 * Live workers, by their heartbeats. The concurrency limits of hooks and accounts are divided by their number. The leases
 * of a worker that has been silent for some seconds are released.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isHandOffLease, isLeaseOf, leaseSeconds, leasesOf } from './lease.ts'
import { releaseAsSuspects } from './suspects.ts'

/** A worker without a heartbeat for this long is dead or disconnected. */
export const isLive = sql`seen_at > now() - interval '5 seconds'`

/** Another worker, as of a heartbeat. */
export interface OtherWorker {
  id: string
  /** The time of its last heartbeat, as the database prints it. */
  seenAt: string
  isLive: boolean
}

/** Records a heartbeat with the lag of this worker. Returns the other workers. */
export async function heartbeat(db: Database, worker: string, lagSeconds: number): Promise<OtherWorker[]> {
  const { rows } = await sql<OtherWorker>`/* prepared */
    WITH updated AS (
      INSERT INTO workers (id, lag_seconds) VALUES (${worker}, ${lagSeconds})
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), lag_seconds = excluded.lag_seconds
    ), pruned AS (
      DELETE FROM workers WHERE id IN (
        SELECT id FROM workers WHERE seen_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)
    )
    SELECT id, seen_at::text, ${isLive} AS is_live FROM workers WHERE id <> ${worker}
  `.execute(db)
  return rows
}

export async function leave(db: Database, worker: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${worker}`.execute(db)
}

/** Longer than a hand-off takes to arrive. */
const orphanedAfterSeconds = 3

/**
 * Releases leases that an api process took for a worker that has left meanwhile, or was removed as silent. Its commit may
 * have waited for a lock. Returns the number of deliveries.
 */
export async function releaseOrphanedLeases(db: Database): Promise<number> {
  const isOrphaned = sql`lease_until < now() + make_interval(secs => ${leaseSeconds - orphanedAfterSeconds})
    AND ${isHandOffLease} AND NOT EXISTS (SELECT FROM workers WHERE ${isLeaseOf(sql`workers.id`)})`
  // Nearly no lease is orphaned, and this takes no lock and is not planned each time.
  const { rows } = await sql`/* prepared */
    SELECT FROM work WHERE lease IS NOT NULL AND ${isOrphaned} LIMIT 1
  `.execute(db)
  return rows.length === 0 ? 0 : releaseAsSuspects(db, isOrphaned, maxLeases)
}

/** More than a worker has leases at a time. */
const maxLeases = 10_000

/**
 * Releases the leases of a worker that has sent no heartbeat since `seenAt`, and removes the worker. Its deliveries become
 * suspects: one of them may have killed it. Returns their number. A heartbeat meanwhile stops the release.
 */
export async function releaseSilentWorker(
  db: Database,
  { id, seenAt }: Pick<OtherWorker, 'id' | 'seenAt'>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const removed = await sql`
      DELETE FROM workers WHERE id = ${id} AND seen_at = ${seenAt}::timestamptz RETURNING id
    `.execute(trx)
    if (removed.rows.length === 0) return 0
    const [first, last] = leasesOf(id)
    return releaseAsSuspects(trx, sql`lease BETWEEN ${first}::uuid AND ${last}::uuid`, maxLeases)
  })
}
