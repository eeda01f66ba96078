/** What the database says about an outage, while it lasts and when it is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { OutageBooks } from './outage-judge.ts'

export type Sample = OutageBooks['backlog'][number]

const drainWithinSeconds = 60

export async function readBacklog(client: Client): Promise<Sample> {
  const { rows } = await client.query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM work WHERE lease IS NULL AND NOT held)::integer
          + (SELECT count(*) FROM inbox)::integer AS waiting`,
  )
  return { at: Date.now(), waiting: rows[0]?.waiting ?? Number.NaN }
}

/** Waits until nothing is left to do; answers what is left when it takes too long. */
export async function drain(client: Client): Promise<number> {
  const endsAt = performance.now() + drainWithinSeconds * 1_000
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
): Promise<OutageBooks['ledger']> {
  const between = [new Date(outage.failedAt), new Date(outage.recoveredAt)]
  // Of a connection that is refused the receiver sees nothing: only what was answered can be compared.
  const attempts = await client.query<{ id: string; count: number }>(
    `SELECT event_id AS id, count(*)::integer AS count FROM attempts
     WHERE event_id >= uuid_v7_floor($1) AND event_id < uuid_v7_floor($2) AND (status IS NOT NULL OR NOT $3)
     GROUP BY event_id`,
    [...between, outage.isRefusing],
  )
  const inOutage = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM attempts
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
