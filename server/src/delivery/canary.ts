/**
 * The canary: a synthetic event that periodically takes the whole path of a real one (commit, route, guarded
 * connection, response, ledger). Its metrics show that delivery works even when there is no traffic.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { startInterval } from '../runtime/every.ts'
import { takeIdEndings } from '../model/event-id.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { commitEvents } from './commit-events.ts'
import { noProducer } from '../model/event.ts'

interface CanaryDeps {
  db: Database
  metrics: Metrics
  /** An account whose hook points to this service. */
  accountId: number
  intervalSeconds: number
  onError: (error: unknown) => void
}

const data = JSON.stringify({ type: 'view', sms_id: 'canary' })

export function startCanary({
  db,
  metrics,
  accountId,
  intervalSeconds,
  onError,
}: CanaryDeps): () => Promise<void> {
  metrics.addGauges(
    {
      hookline_canary_age_seconds: 'Seconds since the newest delivered canary was accepted',
      hookline_canary_duration_seconds:
        'Seconds from acceptance to the final state of the newest delivered canary',
    },
    () => readCanary(db, accountId),
  )
  metrics.addGauges({ hookline_canary_interval_seconds: 'The setting CANARY_SECONDS' }, async () => ({
    hookline_canary_interval_seconds: intervalSeconds,
  }))
  return startInterval(intervalSeconds * 1_000, () => sendCanary(db, accountId), onError)
}

async function sendCanary(db: Database, accountId: number): Promise<void> {
  const search = { messageId: 'canary', sender: null, recipient: null, foreignId: null }
  const event = {
    accountId,
    type: 'tracking',
    data,
    occurredAt: null,
    key: null,
    digest: null,
  } as const
  const [idEnding = ''] = takeIdEndings(1)
  await commitEvents(db, [{ ...event, ...search, idEnding, producerId: noProducer }])
}

async function readCanary(db: Database, accountId: number): Promise<Record<string, number>> {
  const result = await sql<{ age: number; duration: number }>`
    SELECT extract(epoch FROM now() - accepted_at)::float8 AS age,
           extract(epoch FROM finished_at - accepted_at)::float8 AS duration
    FROM deliveries JOIN events ON events.account_id = deliveries.account_id AND events.id = deliveries.event_id
    WHERE deliveries.account_id = ${accountId} AND state = 'delivered'
      AND event_id > uuid_v7_floor(now() - interval '1 day')
    ORDER BY event_id DESC LIMIT 1
  `.execute(db)
  const [last] = result.rows
  return last === undefined
    ? {}
    : { hookline_canary_age_seconds: last.age, hookline_canary_duration_seconds: last.duration }
}
