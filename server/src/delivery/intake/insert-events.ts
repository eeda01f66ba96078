/**
 * Inserts many events in one commit: ledger row, inbox row and idempotency key of each. When it returns, the events
 * are on disk (synchronous_commit stays on) and will be routed even if the process dies.
 *
 * Stages: input (events with their account) → keyed (idempotency keys that are new) → fresh (events to insert) →
 * in_ledger, in_inbox (their rows).
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import { bytea, integer, text, timestamptz, unnestRows } from '../../db/rows.ts'
import type { ValidEvent } from './validate-events.ts'

export interface IncomingEvent extends ValidEvent {
  producerId: number
  /** The hook that the event is a test of. */
  testHookId?: number
  traceparent?: string | undefined
}

/** `duplicate`: the same event was accepted earlier under its key. */
export type Inserted =
  | { state: 'accepted'; id: string; acceptedAt: Date }
  | { state: 'duplicate'; id: string }
  | { state: 'key conflict' | 'key just pruned' | 'unknown account' | 'suspended account' }

interface Row {
  index: number
  id: string
  acceptedAt: Date
  isFresh: boolean
  accountExists: boolean
  isSuspended: boolean
}

export async function insertEvents(db: Database, events: readonly IncomingEvent[]): Promise<Inserted[]> {
  const result = await sql<Row>`/* prepared */
    WITH input AS MATERIALIZED (
      SELECT input.*, uuid_v7(now()) AS id, accounts.id IS NOT NULL AS account_exists,
             accounts.suspended_at IS NOT NULL AS is_suspended,
             -- Of a key that occurs twice in a batch, the first event counts.
             row_number() OVER (PARTITION BY account_id, key ORDER BY index) = 1 OR key IS NULL AS is_first
      FROM ${unnestRows('input', events, {
        index: integer((_, index) => index),
        account_id: integer(({ accountId }) => accountId),
        type: text(({ type }) => type),
        data: text(({ data }) => data),
        producer_id: integer(({ producerId }) => producerId),
        occurred_at: timestamptz(({ occurredAt }) => occurredAt),
        key: text(({ key }) => key),
        digest: bytea(({ digest }) => (digest === null ? null : Buffer.from(digest, 'hex'))),
        message_id: text(({ messageId }) => messageId),
        sender: text(({ sender }) => sender),
        recipient: text(({ recipient }) => recipient),
        foreign_id: text(({ foreignId }) => foreignId),
        test_hook_id: integer(({ testHookId }) => testHookId),
        traceparent: text(({ traceparent }) => traceparent),
      })}
      LEFT JOIN LATERAL (
        SELECT id, suspended_at FROM accounts WHERE accounts.id = input.account_id LIMIT 1
      ) AS accounts ON true
      WHERE ${ledgerWrite}
    ), keyed AS (
      INSERT INTO event_keys (account_id, key, digest, event_id, accepted_at)
      SELECT account_id, key, digest, id, now() FROM input
      WHERE key IS NOT NULL AND is_first AND account_exists AND NOT is_suspended
      ORDER BY account_id, key
      ON CONFLICT DO NOTHING
      RETURNING event_id
    ), fresh AS (
      SELECT * FROM input
      WHERE account_exists AND NOT is_suspended AND (key IS NULL OR id IN (SELECT event_id FROM keyed))
    ), in_ledger AS (
      INSERT INTO events (account_id, id, type, data, producer_id, occurred_at, accepted_at,
                          message_id, sender, recipient, foreign_id, test_hook_id, traceparent)
      SELECT account_id, id, type, data, producer_id, occurred_at, now(), message_id, sender, recipient, foreign_id,
             test_hook_id, traceparent
      FROM fresh
    ), in_inbox AS (
      INSERT INTO inbox (event_id, account_id) SELECT id, account_id FROM fresh
    )
    SELECT index, id, now() AS accepted_at, id IN (SELECT id FROM fresh) AS is_fresh, account_exists, is_suspended
    FROM input ORDER BY index
  `.execute(db)
  const repeated = result.rows.filter((row) => row.accountExists && !row.isSuspended && !row.isFresh)
  const existingKeys = await findExistingKeys(
    db,
    repeated.map((row) => events[row.index]),
  )
  return result.rows.map((row) => toInserted(row, events[row.index], existingKeys))
}

function toInserted(
  row: Row,
  event: IncomingEvent | undefined,
  existingKeys: Map<string, ExistingKey>,
): Inserted {
  if (!row.accountExists) return { state: 'unknown account' }
  if (row.isSuspended) return { state: 'suspended account' }
  if (row.isFresh) return { state: 'accepted', id: row.id, acceptedAt: row.acceptedAt }
  const existing = event && existingKeys.get(keyName(event.accountId, event.key))
  if (existing === undefined) return { state: 'key just pruned' }
  return existing.digest.toString('hex') === event?.digest
    ? { state: 'duplicate', id: existing.eventId }
    : { state: 'key conflict' }
}

interface ExistingKey {
  accountId: number
  key: string
  digest: Buffer
  eventId: string
}

async function findExistingKeys(
  db: Database,
  events: ReadonlyArray<IncomingEvent | undefined>,
): Promise<Map<string, ExistingKey>> {
  if (events.length === 0) return new Map()
  const result = await sql<ExistingKey>`
    SELECT account_id, key, digest, event_id FROM event_keys
    JOIN ${unnestRows('input', events, { account_id: integer((event) => event?.accountId), key: text((event) => event?.key) })}
      USING (account_id, key)
  `.execute(db)
  return new Map(result.rows.map((row) => [keyName(row.accountId, row.key), row]))
}

function keyName(accountId: number, key: string | null): string {
  return `${accountId} ${key}`
}
