/**
 * One commit for many events: the ledger row and the inbox row of each, and its idempotency key. When it returns, they
 * are on disk (synchronous_commit stays on) and will be routed, whatever dies afterwards.
 */
import { sql } from 'kysely'
import { plainArray, textArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import type { ReadyEvent } from './judge-events.ts'

export interface IncomingEvent extends ReadyEvent {
  producerId: number
  /** The hook that it is a test of. */
  testHookId?: number
}

/** `known`: the same event was accepted before under its key. */
export type Inserted =
  | { state: 'accepted'; id: string; acceptedAt: Date }
  | { state: 'known'; id: string }
  | { state: 'other body' | 'key just forgotten' | 'unknown account' | 'suspended account' }

interface Row {
  place: number
  id: string
  acceptedAt: Date
  isFresh: boolean
  isKnownAccount: boolean
  isSuspended: boolean
}

export async function insertEvents(db: Database, events: readonly IncomingEvent[]): Promise<Inserted[]> {
  const answer = await sql<Row>`/* kept */
    WITH given AS MATERIALIZED (
      SELECT given.*, uuid_v7(now()) AS id, accounts.id IS NOT NULL AS is_known_account,
             accounts.suspended_at IS NOT NULL AS is_suspended,
             -- Of one key given twice in a batch, the first counts.
             row_number() OVER (PARTITION BY account_id, key ORDER BY place) = 1 OR key IS NULL AS is_first
      FROM unnest(
        ${plainArray(events.map((_, place) => place))}::integer[],
        ${plainArray(events.map((event) => event.accountId))}::integer[],
        ${wordArray(events.map((event) => event.type))}::text[],
        ${textArray(events.map((event) => event.data))}::text[],
        ${plainArray(events.map((event) => event.producerId))}::integer[],
        ${plainArray(events.map((event) => event.occurredAt))}::timestamptz[],
        ${textArray(events.map((event) => event.key))}::text[],
        ${wordArray(events.map((event) => event.digest))}::text[],
        ${textArray(events.map((event) => event.messageId))}::text[],
        ${textArray(events.map((event) => event.sender))}::text[],
        ${textArray(events.map((event) => event.recipient))}::text[],
        ${textArray(events.map((event) => event.foreignId))}::text[],
        ${plainArray(events.map((event) => event.testHookId))}::integer[]
      ) AS given (place, account_id, type, data, producer_id, occurred_at, key, digest,
                  message_id, sender, recipient, foreign_id, test_hook_id)
      LEFT JOIN LATERAL (
        SELECT id, suspended_at FROM accounts WHERE accounts.id = given.account_id LIMIT 1
      ) AS accounts ON true
      WHERE ${ledgerWrite}
    ), keyed AS (
      INSERT INTO event_keys (account_id, key, digest, event_id, accepted_at)
      SELECT account_id, key, decode(digest, 'hex'), id, now() FROM given
      WHERE key IS NOT NULL AND is_first AND is_known_account AND NOT is_suspended
      ORDER BY account_id, key
      ON CONFLICT DO NOTHING
      RETURNING event_id
    ), fresh AS (
      SELECT * FROM given
      WHERE is_known_account AND NOT is_suspended AND (key IS NULL OR id IN (SELECT event_id FROM keyed))
    ), in_ledger AS (
      INSERT INTO events (account_id, id, type, data, producer_id, occurred_at, accepted_at,
                          message_id, sender, recipient, foreign_id, test_hook_id)
      SELECT account_id, id, type, data, producer_id, occurred_at, now(), message_id, sender, recipient, foreign_id,
             test_hook_id
      FROM fresh
    ), in_inbox AS (
      INSERT INTO inbox (event_id, account_id) SELECT id, account_id FROM fresh
    )
    SELECT place, id, now() AS accepted_at, id IN (SELECT id FROM fresh) AS is_fresh, is_known_account, is_suspended
    FROM given ORDER BY place
  `.execute(db)
  const repeated = answer.rows.filter((row) => row.isKnownAccount && !row.isSuspended && !row.isFresh)
  const known = await knownKeys(
    db,
    repeated.map((row) => events[row.place]),
  )
  return answer.rows.map((row) => judgeRow(row, events[row.place], known))
}

function judgeRow(row: Row, event: IncomingEvent | undefined, known: Map<string, KnownKey>): Inserted {
  if (!row.isKnownAccount) return { state: 'unknown account' }
  if (row.isSuspended) return { state: 'suspended account' }
  if (row.isFresh) return { state: 'accepted', id: row.id, acceptedAt: row.acceptedAt }
  const before = event && known.get(keyName(event.accountId, event.key))
  if (before === undefined) return { state: 'key just forgotten' }
  return before.digest.toString('hex') === event?.digest
    ? { state: 'known', id: before.eventId }
    : { state: 'other body' }
}

interface KnownKey {
  accountId: number
  key: string
  digest: Buffer
  eventId: string
}

async function knownKeys(
  db: Database,
  events: ReadonlyArray<IncomingEvent | undefined>,
): Promise<Map<string, KnownKey>> {
  if (events.length === 0) return new Map()
  const answer = await sql<KnownKey>`
    SELECT account_id, key, digest, event_id FROM event_keys
    JOIN unnest(${plainArray(events.map((event) => event?.accountId))}::integer[], ${textArray(events.map((event) => event?.key))}::text[])
      AS given (account_id, key) USING (account_id, key)
  `.execute(db)
  return new Map(answer.rows.map((row) => [keyName(row.accountId, row.key), row]))
}

function keyName(accountId: number, key: string | null): string {
  return `${accountId} ${key}`
}
