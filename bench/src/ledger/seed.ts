/**
 * Seeds a ledger of 30 days in the database: 1,000 accounts, of which one has 30% of the events. Numbers follow Zipf's
 * law, and one delivery in twenty is not delivered. Partitions get their indexes when they are attached.
 */
import type { Client } from 'pg'

export const accounts = 1_000
export const bigAccount = 1
/** An account of median size. */
export const medianAccount = 500
const hooksPerAccount = 5
const days = 30
const dayMs = 24 * 60 * 60 * 1_000
/** A quarter of the events goes to a second hook. */
const deliveriesPerEvent = 1.25

/** `address` is the endpoint URL of all hooks. */
export async function seedLedger(client: Client, deliveries: number, address: string): Promise<void> {
  await client.query(
    "INSERT INTO accounts (name, hooks_version) SELECT 'account ' || n, 1 FROM generate_series(1, $1::integer) AS n",
    [accounts],
  )
  await client.query(
    `INSERT INTO hooks (account_id, id, target_url, call_url, event_type, request_method, fingerprint)
     OVERRIDING SYSTEM VALUE
     SELECT a, a * 10 + h, $1, $1, CASE h WHEN 1 THEN 'all' ELSE 'voice_dtmf' END, 'JSON', sha256(h::text::bytea)
     FROM generate_series(1, ${accounts}) AS a, generate_series(1, ${hooksPerAccount}) AS h`,
    [address],
  )
  await client.query(
    `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method, enabled, at)
     SELECT account_id, id, 1, 'created', 'operator', target_url, event_type, request_method, true,
            now() - interval '${days + 10} days'
     FROM hooks`,
  )
  const today = Math.floor(Date.now() / dayMs) * dayMs
  // The service creates the partitions of yesterday, today and the following days when it starts.
  const eventsPerDay = Math.round(deliveries / deliveriesPerEvent / days)
  for (let day = days - 1; day >= 0; day--) {
    const startedAt = performance.now()
    await seedDay(client, today - day * dayMs, eventsPerDay, day === 0)
    console.log(`day ${days - day} of ${days}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
  await seedQueue(client)
  await seedRollups(client)
  await client.query('VACUUM ANALYZE')
}

/** Sets the endpoint URL of all hooks. With a persistent ledger the receiver has a new port. */
export async function pointHooksAt(client: Client, address: string): Promise<void> {
  await client.query('UPDATE hooks SET target_url = $1, call_url = $1 WHERE call_url <> $1', [address])
}

async function seedDay(client: Client, start: number, events: number, isToday: boolean): Promise<void> {
  const name = new Date(start).toISOString().slice(0, 10).replaceAll('-', '')
  // Fills today only up to a minute ago. The load adds later events.
  const lengthMs = isToday ? Date.now() - start - 60_000 : dayMs
  const count = Math.round((events * lengthMs) / dayMs)
  for (const table of ['events', 'routes', 'deliveries', 'attempts'])
    await client.query(
      `CREATE TABLE ${table}_${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    )

  await client.query(
    `INSERT INTO events_${name} (account_id, id, type, data, producer_id, accepted_at, message_id, sender, recipient, foreign_id)
     SELECT account_id, uuid_v7(at), type,
            '{"id":"' || message_id || '","sender":"' || coalesce(sender, '') || '","system":"' || coalesce(recipient, '')
              || '","text":"' || repeat('Hello there. ', 8) || '","time":"1731656400"}',
            1, at, message_id, sender, recipient, foreign_id
     FROM (
       SELECT at, account_id, type, '77' || ($2::bigint + n)::text AS message_id,
              CASE WHEN type IN ('sms_mo', 'rcs') THEN '4917' || lpad(floor(exp(s * ln(1000000)))::text, 8, '0') END AS sender,
              CASE WHEN type IN ('sms_mo', 'rcs')
                   THEN '4915' || lpad(account_id::text, 6, '0') || lpad(floor(exp(r * ln(20)))::text, 2, '0') END AS recipient,
              CASE WHEN type = 'dlr' THEN
                CASE WHEN f < 0.1 THEN 'campaign-' || floor(f * 100)::text ELSE 'order-' || ($2::bigint + n)::text END
              END AS foreign_id
       FROM (
         SELECT n, to_timestamp($1::float8 / 1000 + n * ($3::float8 / $4 / 1000)) AS at,
                CASE WHEN random() < 0.3 THEN ${bigAccount} ELSE 2 + floor(${accounts - 1} * random())::integer END AS account_id,
                CASE WHEN t < 0.6 THEN 'sms_mo' WHEN t < 0.9 THEN 'dlr' WHEN t < 0.95 THEN 'voice_status'
                     WHEN t < 0.999 THEN 'tracking' ELSE 'rcs' END AS type,
                s, r, f
         FROM (SELECT n, random() AS t, random() AS s, random() AS r, random() AS f
               FROM generate_series(0, $4::integer - 1) AS n) AS random_values
       ) AS typed
     ) AS input`,
    [start, Math.floor(start / 1_000) * 1_000, lengthMs, count],
  )
  await client.query(
    `INSERT INTO deliveries_${name} (account_id, event_id, hook_id, round, state, reason, attempts, finished_at, hooks_version,
                                     started_at, status, first_byte_ms, body_ms, total_ms, answer_headers, worker)
     SELECT account_id, id, account_id * 10 + h, 1, state,
            CASE WHEN state = 'delivered' THEN 'delivered' WHEN state = 'cancelled' THEN 'hook_deleted'
                 WHEN state = 'expired' THEN 'too_late' WHEN q < 0.6 THEN 'status' WHEN q < 0.85 THEN 'timeout'
                 WHEN q < 0.97 THEN 'connection_refused' ELSE 'tls' END,
            CASE state WHEN 'delivered' THEN CASE WHEN q < 0.05 THEN 2 ELSE 1 END WHEN 'failed' THEN 3 ELSE 0 END,
            accepted_at + interval '50 ms', 1, d.*
     FROM (
       SELECT account_id, id, accepted_at, h, random() AS q,
              CASE WHEN p < 0.95 THEN 'delivered' WHEN p < 0.98 THEN 'failed' WHEN p < 0.99 THEN 'expired'
                   ELSE 'cancelled' END AS state
       FROM (SELECT account_id, id, accepted_at, random() AS p, random() AS second,
                    2 + floor(exp(random() * ln(4)))::integer - 1 AS other FROM events_${name}) AS events
       CROSS JOIN LATERAL (SELECT 1 AS h UNION ALL SELECT other WHERE second < ${deliveriesPerEvent - 1}) AS hooks
     ) AS input
     LEFT JOIN LATERAL (
       SELECT accepted_at + interval '30 ms', 204, 20, 1, 10 + 200 * q, 'content-length: 0', 'bench' WHERE state = 'delivered'
     ) AS d ON true`,
  )
  await client.query(
    `INSERT INTO attempts_${name} (account_id, event_id, hook_id, round, attempt, started_at, reason, status,
                                   first_byte_ms, body_ms, total_ms, answer_headers, worker)
     SELECT account_id, event_id, hook_id, 1, n, finished_at, CASE WHEN state = 'delivered' THEN 'status' ELSE reason END,
            CASE WHEN state <> 'delivered' AND reason <> 'status' THEN NULL
                 WHEN p < 0.8 THEN 500 WHEN p < 0.99 THEN 503 ELSE 404 END,
            20, 1, 10 + 200 * p, 'content-length: 0', 'bench'
     FROM (SELECT d.*, n, random() AS p FROM deliveries_${name} AS d, generate_series(1, d.attempts) AS n
           WHERE n < d.attempts OR state <> 'delivered') AS input`,
  )
  for (const table of ['events', 'routes', 'deliveries', 'attempts'])
    await client.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${table}_${name}
       FOR VALUES FROM ('${minEventId(start)}') TO ('${minEventId(start + dayMs)}')`,
    )
}

/** Seeds pending and held deliveries of recent events, mostly of the big account. */
async function seedQueue(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts, held, waits_since)
     SELECT account_id, account_id * 10 + 2 + n % 3, id, type, accepted_at, now() + interval '6 hours', 3, n % 3 = 2, now()
     FROM (SELECT *, row_number() OVER () AS n FROM (
       (SELECT * FROM events WHERE account_id = ${bigAccount} ORDER BY id DESC LIMIT 100000)
       UNION ALL (SELECT * FROM events WHERE account_id = ${medianAccount} ORDER BY id DESC LIMIT 500)) AS recent) AS picked
     ON CONFLICT DO NOTHING`,
  )
}

/** Inserts rollups hour by hour, in the order in which the service writes them. */
async function seedRollups(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO rollups (account_id, hook_id, hour, delivered, failed, expired, cancelled, attempts)
     SELECT account_id, hook_id, date_trunc('hour', finished_at), count(*) FILTER (WHERE state = 'delivered'),
            count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state = 'expired'),
            count(*) FILTER (WHERE state = 'cancelled'), sum(attempts)
     FROM deliveries GROUP BY 1, 2, 3 ORDER BY 3, 1, 2`,
  )
  await client.query(
    `INSERT INTO event_rollups (account_id, hour, events)
     SELECT account_id, date_trunc('hour', accepted_at), count(*) FROM events GROUP BY 1, 2 ORDER BY 2, 1`,
  )
}

/** Returns the smallest event id of a time. */
function minEventId(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
