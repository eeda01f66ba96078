/**
 * How far behind the pipeline is: the oldest event nobody has routed, and how late due work is taken. The workers say the
 * latter by what they take, since work that waits for its own receiver is not late; where none lives, the lanes say it.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isLive } from './live-workers.ts'

export interface Backlog {
  oldestEventSeconds: number
  oldestDueSeconds: number
  parkedEvents: number
  liveLeases: number
  /** Of operators, those of suspended accounts not counted. */
  stops: number
  isAllStopped: boolean
  unloadableHooks: number
  suspectDeliveries: number
  quarantinedDeliveries: number
}

export async function readBacklog(db: Database): Promise<Backlog> {
  const answer = await sql<Backlog>`
    SELECT
      coalesce((SELECT extract(epoch FROM now()) -
                       ('x' || translate(left(event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0
                FROM inbox ORDER BY event_id LIMIT 1), 0)::float8 AS oldest_event_seconds,
      coalesce((SELECT max(lag_seconds) FROM workers WHERE ${isLive}),
               (SELECT extract(epoch FROM now() - greatest(due_at, not_before)) FROM lane
                WHERE greatest(due_at, not_before) <= now() ORDER BY greatest(due_at, not_before) LIMIT 1),
               0)::float8 AS oldest_due_seconds,
      (SELECT count(*) FROM parked)::integer AS parked_events,
      (SELECT count(*) FROM work WHERE lease IS NOT NULL)::integer AS live_leases,
      (SELECT count(*) FROM stops WHERE ended_at IS NULL AND NOT is_suspension)::integer AS stops,
      EXISTS (SELECT FROM stops WHERE ended_at IS NULL AND scope = 'all') AS is_all_stopped,
      (SELECT count(*) FROM hook_problems)::integer AS unloadable_hooks,
      (SELECT count(*) FROM suspects WHERE quarantined_at IS NULL)::integer AS suspect_deliveries,
      (SELECT count(*) FROM suspects WHERE quarantined_at IS NOT NULL)::integer AS quarantined_deliveries
  `.execute(db)
  const [backlog] = answer.rows
  if (backlog === undefined) throw new Error('the backlog was not answered')
  return backlog
}
