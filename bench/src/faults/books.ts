/** Reads the three books of a world once everything is over. */
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { type Books, nameOf } from './judge.ts'
import type { World } from './world.ts'

export interface AttemptLine {
  eventId: string
  hookId: number
  reason: string
  isSettled: boolean
}

export async function readBooks(
  world: World,
  client: Client,
  /** Processes that the fault struck: what they report says nothing about who sent twice. */
  struck: ReadonlySet<ServiceProcess>,
  /** Events that the round put into the database itself, and so counts as offered. */
  planted: ReadonlyArray<{ id: string; key: string }>,
): Promise<Books> {
  const { producer, receivers, hooksOf, processes } = world
  const spared = processes.filter((one) => !struck.has(one)).flatMap(attemptLines)
  return {
    producer: {
      acknowledged: [...producer.acknowledged, ...planted],
      offered: new Set([...producer.offered, ...planted.map(({ key }) => key)]),
      loadedUntil: producer.loadedUntil(),
    },
    database: await readDatabase(client),
    receivers: receivers.received,
    reportedBySpared: new Map([...Map.groupBy(spared, nameOf)].map(([name, lines]) => [name, lines.length])),
    hooksOf,
  }
}

async function readDatabase(client: Client): Promise<Books['database']> {
  const events = await client.query<{ id: string; key: string; accountId: number }>(
    `SELECT id, data::jsonb->>'id' AS key, account_id AS "accountId" FROM events`,
  )
  const deliveries = await client.query<Books['database']['deliveries'][number]>(
    `SELECT event_id AS "eventId", hook_id AS "hookId", state, attempts,
            extract(epoch FROM finished_at)::float8 * 1000 AS "finishedAt" FROM deliveries`,
  )
  const attempts = await client.query<{ eventId: string; hookId: number; count: number }>(
    `SELECT event_id AS "eventId", hook_id AS "hookId", count(*)::integer AS count FROM attempts GROUP BY 1, 2`,
  )
  const counted = await client.query<{ sum: number }>(
    'SELECT coalesce(sum(delivered), 0)::integer AS sum FROM rollups',
  )
  return {
    events: events.rows,
    deliveries: deliveries.rows,
    attempts: new Map(attempts.rows.map((row) => [nameOf(row), row.count])),
    left: await readLeft(client),
    countedDelivered: counted.rows[0]?.sum ?? 0,
  }
}

export async function readLeft(client: Client): Promise<Books['database']['left']> {
  const { rows } = await client.query<Books['database']['left']>(
    `SELECT (SELECT count(*)::integer FROM inbox) AS inbox, (SELECT count(*)::integer FROM work) AS work,
            (SELECT count(*)::integer FROM parked) AS parked`,
  )
  return rows[0] ?? { inbox: -1, work: -1, parked: -1 }
}

/** What a worker has reported of its attempts so far. */
export function attemptLines({ output }: ServiceProcess): AttemptLine[] {
  return output()
    .split('\n')
    .filter((line) => line.includes('"msg":"attempt"'))
    .map((line) => {
      const { event, hook, reason, settled } = JSON.parse(line)
      return { eventId: event, hookId: hook, reason, isSettled: settled }
    })
}
