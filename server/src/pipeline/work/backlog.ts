/** How far behind the pipeline is: the oldest event nobody has routed, the oldest delivery nobody has attempted. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface Backlog {
  oldestEventSeconds: number
  oldestDueSeconds: number
  parkedEvents: number
  liveLeases: number
}

export async function readBacklog(db: Database): Promise<Backlog> {
  const answer = await sql<Backlog>`
    SELECT
      coalesce((SELECT extract(epoch FROM now()) -
                       ('x' || translate(left(event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0
                FROM inbox ORDER BY event_id LIMIT 1), 0)::float8 AS oldest_event_seconds,
      coalesce((SELECT extract(epoch FROM now() - due_at) FROM lane WHERE due_at <= now() ORDER BY due_at LIMIT 1),
               0)::float8 AS oldest_due_seconds,
      (SELECT count(*) FROM parked)::integer AS parked_events,
      (SELECT count(*) FROM work WHERE lease IS NOT NULL)::integer AS live_leases
  `.execute(db)
  const [backlog] = answer.rows
  if (backlog === undefined) throw new Error('the backlog was not answered')
  return backlog
}
