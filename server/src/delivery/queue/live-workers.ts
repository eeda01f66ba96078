/** Counts live workers. The concurrency limits of hooks and accounts are divided by their number. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A worker without a heartbeat for this long is dead or disconnected. */
export const isLive = sql`seen_at > now() - interval '5 seconds'`

/** Records a heartbeat with the lag of this worker. Returns the number of live workers. */
export async function heartbeat(db: Database, worker: string, lagSeconds: number): Promise<number> {
  const result = await sql<{ live: number }>`
    WITH updated AS (
      INSERT INTO workers (id, lag_seconds) VALUES (${worker}, ${lagSeconds})
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), lag_seconds = excluded.lag_seconds
    ), pruned AS (
      DELETE FROM workers WHERE id IN (
        SELECT id FROM workers WHERE seen_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)
    )
    SELECT count(*)::integer AS live FROM workers
    WHERE id <> ${worker} AND ${isLive}
  `.execute(db)
  return 1 + (result.rows[0]?.live ?? 0)
}

export async function leave(db: Database, worker: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${worker}`.execute(db)
}
