/** Collects the observations of producer, database and receivers after a scenario. */
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { type Observations, deliveryName } from './verify.ts'
import type { Environment } from './environment.ts'

export interface AttemptLine {
  eventId: string
  hookId: number
  reason: string
  isSettled: boolean
}

export async function readObservations(
  environment: Environment,
  client: Client,
  /** Processes that the fault affected. Their logs are incomplete, so they cannot show which process sent twice. */
  affected: ReadonlySet<ServiceProcess>,
  /** Events that the scenario inserted into the database. They count as submitted. */
  inserted: ReadonlyArray<{ id: string; key: string }>,
): Promise<Observations> {
  const { producer, receivers, hooksByAccount, processes } = environment
  const unaffected = processes.filter((one) => !affected.has(one)).flatMap(attemptLines)
  return {
    producer: {
      acknowledged: [...producer.acknowledged, ...inserted],
      offered: new Set([...producer.offered, ...inserted.map(({ key }) => key)]),
      loadEndedAt: producer.loadEndedAt(),
    },
    database: await readDatabase(client),
    receivers: receivers.received,
    reportedByUnaffected: new Map(
      [...Map.groupBy(unaffected, deliveryName)].map(([name, lines]) => [name, lines.length]),
    ),
    hooksByAccount,
  }
}

async function readDatabase(client: Client): Promise<Observations['database']> {
  const events = await client.query<{ id: string; key: string; accountId: number }>(
    `SELECT id, data::jsonb->>'id' AS key, account_id AS "accountId" FROM events`,
  )
  const deliveries = await client.query<Observations['database']['deliveries'][number]>(
    `SELECT event_id AS "eventId", hook_id AS "hookId", state, attempts,
            extract(epoch FROM finished_at)::float8 * 1000 AS "finishedAt" FROM deliveries`,
  )
  const attempts = await client.query<{ eventId: string; hookId: number; count: number }>(
    `SELECT event_id AS "eventId", hook_id AS "hookId", count(*)::integer AS count FROM all_attempts GROUP BY 1, 2`,
  )
  // In one statement, because workers move counts from one table to the other.
  const counted = await client.query<{ delivered: number; events: number }>(
    `WITH deltas AS (
       SELECT coalesce(sum(count) FILTER (WHERE hook_ids IS NOT NULL), 0) AS delivered,
              coalesce(sum(count) FILTER (WHERE hook_ids IS NULL), 0) AS events
       FROM rollup_deltas CROSS JOIN LATERAL unnest(counts) AS count
     )
     SELECT (delivered + (SELECT coalesce(sum(delivered), 0) FROM rollups))::integer AS delivered,
            (events + (SELECT coalesce(sum(events), 0) FROM event_rollups))::integer AS events
     FROM deltas`,
  )
  return {
    events: events.rows,
    deliveries: deliveries.rows,
    attempts: new Map(attempts.rows.map((row) => [deliveryName(row), row.count])),
    left: await readRemaining(client),
    counted: counted.rows[0] ?? { delivered: -1, events: -1 },
  }
}

export async function readRemaining(client: Client): Promise<Observations['database']['left']> {
  const { rows } = await client.query<Observations['database']['left']>(
    `SELECT (SELECT count(*)::integer FROM inbox) AS inbox, (SELECT count(*)::integer FROM work) AS work,
            (SELECT count(*)::integer FROM parked) AS parked`,
  )
  return rows[0] ?? { inbox: -1, work: -1, parked: -1 }
}

/** Returns the attempts that a worker has logged so far. */
export function attemptLines({ output }: ServiceProcess): AttemptLine[] {
  return output()
    .split('\n')
    .filter((line) => line.includes('"msg":"attempt"'))
    .map((line) => {
      const { event, hook, reason, settled } = JSON.parse(line)
      return { eventId: event, hookId: hook, reason, isSettled: settled }
    })
}
