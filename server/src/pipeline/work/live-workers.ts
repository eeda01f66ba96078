/** Who else is at work: what a hook or an account may have under way over all workers is divided by their number. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A worker that has not been heard of for so long is dead or cut off. */
export const isLive = sql`seen_at > now() - interval '5 seconds'`

/** Says that this worker lives and how late the work is that it takes; answers how many live. */
export async function beat(db: Database, worker: string, lagSeconds: number): Promise<number> {
  const answer = await sql<{ live: number }>`
    WITH beaten AS (
      INSERT INTO workers (id, lag_seconds) VALUES (${worker}, ${lagSeconds})
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), lag_seconds = excluded.lag_seconds
    ), buried AS (
      DELETE FROM workers WHERE id IN (
        SELECT id FROM workers WHERE seen_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)
    )
    SELECT count(*)::integer AS live FROM workers
    WHERE id <> ${worker} AND ${isLive}
  `.execute(db)
  return 1 + (answer.rows[0]?.live ?? 0)
}

export async function leave(db: Database, worker: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${worker}`.execute(db)
}
