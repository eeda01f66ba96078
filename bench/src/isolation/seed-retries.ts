/** Fills the queue with retries of other accounts that are due in hours, in separate lanes. */
import type { Client } from 'pg'

const rowsPerHook = 10
const hooksPerAccount = 10

export async function seedRetries(client: Client, rows: number): Promise<void> {
  const hooks = Math.ceil(rows / rowsPerHook)
  const accounts = Math.ceil(hooks / hooksPerAccount)
  const added = await client.query<{ first: number }>(
    `WITH added AS (INSERT INTO accounts (name) SELECT 'retries' FROM generate_series(1, $1::integer) RETURNING id)
     SELECT min(id) AS first FROM added`,
    [accounts],
  )
  const first = added.rows[0]?.first ?? 0
  // Nothing is due before the run ends, so no request is sent to this URL.
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $2::integer + n % $3::integer, url, url, 'all', 'JSON', uuid_send(gen_random_uuid())
     FROM generate_series(1, $1::integer) AS n, (VALUES ('http://127.0.0.1:1/')) AS target (url)`,
    [hooks, first, accounts],
  )
  await client.query(
    `CREATE TEMP TABLE retry_rows AS
     SELECT account_id, id AS hook_id, uuid_v7(now()) AS event_id
     FROM hooks, generate_series(1, ${rowsPerHook}) WHERE account_id >= ${first}`,
  )
  await client.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT account_id, event_id, 'sms_mo',
            '{"id":"1","sender":"491","system":"492","text":"' || repeat('x', 200) || '","time":"1"}', 1, now()
     FROM retry_rows`,
  )
  await client.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, attempts)
     SELECT account_id, hook_id, event_id, 'sms_mo', now(), now() + interval '3 hours' * (1 + random()), 1
     FROM retry_rows`,
  )
  await client.query(
    `INSERT INTO lane (account_id, hook_id, due_at)
     SELECT account_id, hook_id, min(due_at) FROM work GROUP BY account_id, hook_id`,
  )
  await client.query('DROP TABLE retry_rows')
  // Otherwise autovacuum would run during the measurement.
  await client.query('VACUUM ANALYZE')
}
