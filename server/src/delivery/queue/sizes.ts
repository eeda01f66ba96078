/** Counts the rows of the queue for metrics. Counts end at a limit, so that a scrape stays cheap during an outage. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export interface QueueSizes {
  /** Events that have waited for routing for longer than 5 seconds, the limit of the service level objective. */
  overdueEvents: number
  pendingDeliveries: number
  /** Webhooks with pending deliveries and an open circuit breaker. */
  openBreakers: number
}

export const maxCount = 100_000

export async function readQueueSizes(db: Database): Promise<QueueSizes> {
  const result = await sql<QueueSizes>`
    SELECT
      (SELECT count(*) FROM (
         SELECT FROM inbox WHERE NOT apart AND event_id < uuid_v7_floor(now() - interval '5 seconds')
         LIMIT ${maxCount}) AS overdue)::integer AS overdue_events,
      (SELECT count(*) FROM (SELECT FROM work LIMIT ${maxCount}) AS pending)::integer AS pending_deliveries,
      (SELECT count(*) FROM (SELECT open_seconds FROM lane LIMIT ${maxCount}) AS lanes
       WHERE open_seconds > 0)::integer AS open_breakers
  `.execute(db)
  const [sizes] = result.rows
  if (sizes === undefined) throw new Error('queue sizes were not returned')
  return sizes
}
