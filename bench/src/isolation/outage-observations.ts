/** Reads the state of an outage from the database, during and after it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { OutageObservations } from './verify-outage.ts'

export type Sample = OutageObservations['backlog'][number]

const drainTimeoutSeconds = 60

export async function readBacklog(client: Client): Promise<Sample> {
  const { rows } = await client.query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM work WHERE lease IS NULL AND NOT held)::integer
          + (SELECT count(*) FROM inbox)::integer AS waiting`,
  )
  return { at: Date.now(), waiting: rows[0]?.waiting ?? Number.NaN }
}

/** Waits until the queue is empty or the timeout passes. Returns the number of rows left. */
export async function drain(client: Client): Promise<number> {
  const endsAt = performance.now() + drainTimeoutSeconds * 1_000
  for (;;) {
    const { rows } = await client.query<{ left: number }>(
      'SELECT (SELECT count(*) FROM work)::integer + (SELECT count(*) FROM inbox)::integer AS left',
    )
    const left = rows[0]?.left ?? Number.NaN
    if (left === 0 || performance.now() > endsAt) return left
    await sleep(250)
  }
}

export async function readLedger(
  client: Client,
  outage: { failedAt: number; recoveredAt: number; isRefusing: boolean },
): Promise<OutageObservations['ledger']> {
  const between = [new Date(outage.failedAt), new Date(outage.recoveredAt)]
  // A receiver does not see refused connections, so only attempts with a response can be compared.
  const attempts = await client.query<{ id: string; count: number }>(
    `SELECT event_id AS id, count(*)::integer AS count FROM all_attempts
     WHERE event_id >= uuid_v7_floor($1) AND event_id < uuid_v7_floor($2) AND (status IS NOT NULL OR NOT $3)
     GROUP BY event_id`,
    [...between, outage.isRefusing],
  )
  const inOutage = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM all_attempts
     WHERE started_at >= $1 AND started_at < $2 AND reason <> 'delivered' GROUP BY account_id, hook_id`,
    between,
  )
  const delivered = await client.query<{ id: string }>(
    `SELECT event_id AS id FROM deliveries WHERE state = 'delivered'`,
  )
  return {
    attempts: new Map(attempts.rows.map(({ id, count }) => [id, count])),
    attemptsInOutage: inOutage.rows.map(({ count }) => count),
    delivered: new Set(delivered.rows.map(({ id }) => id)),
  }
}
