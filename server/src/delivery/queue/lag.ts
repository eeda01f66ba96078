/**
 * Reads how far behind the pipeline is: the oldest unrouted event, and the lag of due deliveries. Workers report that
 * lag from what they claim, since a delivery that waits for its own receiver is not late. Without a live worker, the
 * lanes are used.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isLive } from './live-workers.ts'

export interface Backlog {
  oldestEventSeconds: number
  oldestDueSeconds: number
  parkedEvents: number
  liveLeases: number
  /** Stops of operators, without those of suspended accounts. */
  stops: number
  isAllStopped: boolean
  unloadableHooks: number
  suspectDeliveries: number
  quarantinedDeliveries: number
}

export async function readQueueLag(db: Database): Promise<Backlog> {
  const result = await sql<Backlog>`
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
  const [backlog] = result.rows
  if (backlog === undefined) throw new Error('queue lag was not returned')
  return backlog
}
