/**
 * The canary: an event of our own, through the whole path that a customer's takes (commit, route, guarded connection,
 * answer, ledger), again and again. Its figures say that deliveries work even when no customer has any.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { every } from '../ops/every.ts'
import type { Metrics } from '../ops/metrics.ts'
import { commitEvents } from './commit-events.ts'

interface CanaryParts {
  db: Database
  metrics: Metrics
  /** An account whose hook leads back to us. */
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
}: CanaryParts): () => Promise<void> {
  metrics.addGauges(
    {
      hookline_canary_age_seconds: 'Seconds since the newest canary that was delivered was accepted',
      hookline_canary_seconds: 'How long that one took from acceptance to its final state',
    },
    () => readCanary(db, accountId),
  )
  return every(intervalSeconds * 1_000, () => sendCanary(db, accountId), onError)
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
  await commitEvents(db, [{ ...event, ...search, producerId: 0 }])
}

async function readCanary(db: Database, accountId: number): Promise<Record<string, number>> {
  const answer = await sql<{ age: number; took: number }>`
    SELECT extract(epoch FROM now() - accepted_at)::float8 AS age,
           extract(epoch FROM finished_at - accepted_at)::float8 AS took
    FROM deliveries JOIN events ON events.account_id = deliveries.account_id AND events.id = deliveries.event_id
    WHERE deliveries.account_id = ${accountId} AND state = 'delivered'
      AND event_id > uuid_v7_floor(now() - interval '1 day')
    ORDER BY event_id DESC LIMIT 1
  `.execute(db)
  const [last] = answer.rows
  return last === undefined
    ? {}
    : { hookline_canary_age_seconds: last.age, hookline_canary_seconds: last.took }
}
