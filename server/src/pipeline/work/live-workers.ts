/** Who else is at work: what a hook or an account may have under way over all workers is divided by their number. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A worker that has not been heard of for so long is dead or cut off. */
const liveSeconds = 5

/** Says that this worker lives; answers how many do. */
export async function beat(db: Database, worker: string): Promise<number> {
  const answer = await sql<{ live: number }>`
    WITH beaten AS (
      INSERT INTO workers (id) VALUES (${worker}) ON CONFLICT (id) DO UPDATE SET seen_at = now()
    ), buried AS (
      DELETE FROM workers WHERE id IN (
        SELECT id FROM workers WHERE seen_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED)
    )
    SELECT count(*)::integer AS live FROM workers
    WHERE id <> ${worker} AND seen_at > now() - make_interval(secs => ${liveSeconds})
  `.execute(db)
  return 1 + (answer.rows[0]?.live ?? 0)
}

export async function leave(db: Database, worker: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${worker}`.execute(db)
}
