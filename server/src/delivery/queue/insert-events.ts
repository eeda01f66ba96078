/**
 * Inserts many events in one commit. When it returns, the events are on disk (synchronous_commit stays on) and will be
 * delivered even if the process dies. An event is either
 * - leased: it has a work row for each matched hook, leased to the worker that attempts them at once; or
 * - in the inbox, from where a worker routes it later.
 * An event is leased only if its hooks and the stops still have the versions it was matched against, and no breaker of
 * its hooks is open or has just closed. So a cache of hooks that is out of date cannot send anything.
 *
 * Stages: clock (the time part of the ids) → authorized (producers that are not revoked) → input (events with their account) → keyed (idempotency keys that are new) →
 * fresh (events to insert) → matched (their hooks) → deferred (events of hooks that back off or start slowly) → leased
 * (events to attempt at once) → in_ledger, in_inbox, added, unmatched (their rows) → counted (a row that `add-counts.ts`
 * adds to the rollups). Stages that no event of the batch needs are left out, because each costs time without rows too.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import { bigint, bytea, integer, text, timestamptz, unnestNumberedRows, unnestRows } from '../../db/rows.ts'
import { createStatement, inputParameter, type Statement } from '../../db/statement.ts'
import { noProducer, type ValidEvent } from '../../model/event.ts'
import { slowStart } from './circuit-breaker.ts'

export interface IncomingEvent extends ValidEvent {
  /** The part of the id after its time. */
  idEnding: string
  /** Zero: not from a producer. Otherwise it must not be revoked. */
  producerId: number
  /** The hook that the event is a test of. */
  testHookId?: number
  traceparent?: string | undefined
  /** The hooks that receive the event, if it can be leased. */
  match?: EventMatch | undefined
}

export interface EventMatch {
  /** The version of the account's hooks that the event was matched against. */
  version: string
  hookIds: readonly number[]
}

/** The worker that attempts the matched deliveries, and the version of the stops they were matched against. */
export interface LeasedTo {
  lease: { id: string; seconds: number }
  stopsVersion: string
}

/** `duplicate`: the same event was accepted earlier under its key. */
export type Inserted =
  | { state: 'accepted'; id: string; acceptedAt: Date; isLeased: boolean }
  | { state: 'duplicate'; id: string }
  | {
      state: 'key conflict' | 'key just pruned' | 'unknown account' | 'suspended account' | 'revoked producer'
    }

/** The first row has the time of the commit. The others are the events that are not leased. */
type Row =
  | { ordinal: 0; idTime: string; acceptedAt: Date }
  | {
      ordinal: number
      isFresh: boolean
      accountExists: boolean
      isSuspended: boolean
      isAuthorized: boolean
    }

/** What the statement works on. */
interface Input {
  events: readonly IncomingEvent[]
  producerIds: readonly number[]
  leasedTo: LeasedTo | undefined
  /** A row for each matched hook of the events that can be leased. */
  matches: ReadonlyArray<{ event: IncomingEvent; hookId: number }>
}

export async function insertEvents(
  db: Database,
  events: readonly IncomingEvent[],
  leasedTo?: LeasedTo,
): Promise<Inserted[]> {
  const matched = leasedTo === undefined ? [] : events.filter(({ match }) => match !== undefined)
  const insert = statementFor({
    hasKeys: events.some(({ key }) => key !== null),
    leases: matched.length > 0,
    hasUnmatched: matched.some(({ match }) => match?.hookIds.length === 0),
  })
  const rows = await insert(db, {
    events,
    producerIds: [...new Set(events.map(({ producerId }) => producerId))],
    leasedTo,
    matches: matched.flatMap((event) => (event.match?.hookIds ?? []).map((hookId) => ({ event, hookId }))),
  })
  return toInserted(db, events, rows)
}

/** What the events of a batch need. */
interface Needs {
  hasKeys: boolean
  leases: boolean
  hasUnmatched: boolean
}

const statements = new Map<string, Statement<Input, Row>>()

function statementFor(needs: Needs): Statement<Input, Row> {
  const name = Object.values(needs).join()
  const existing = statements.get(name)
  if (existing !== undefined) return existing
  const created = createStatement<Input, Row>(insertStatement(needs))
  statements.set(name, created)
  return created
}

function insertStatement({ hasKeys, leases, hasUnmatched }: Needs): RawBuilder<Row> {
  return sql<Row>`/* prepared */
    WITH clock AS MATERIALIZED (
      SELECT left(uuid_v7_floor(now())::text, 14) AS id_time
    ), authorized AS MATERIALIZED (
      SELECT id FROM producers WHERE revoked_at IS NULL
        AND id = ANY (${inputParameter(({ producerIds }: Input) => producerIds)}::integer[])
    ), input AS MATERIALIZED (
      SELECT input.*, (clock.id_time || input.id_ending)::uuid AS id, accounts.id IS NOT NULL AS account_exists,
             accounts.suspended_at IS NOT NULL AS is_suspended,
             input.producer_id = ${sql.lit(noProducer)} OR (input.producer_id IN (SELECT id FROM authorized)) IS TRUE
               AS is_authorized,
             ${leases ? isCurrent : sql`false`} AS is_current,
             ${hasKeys ? isFirstOfKey : sql`true`} AS is_first
      FROM clock CROSS JOIN ${unnestNumberedRows('input', ({ events }: Input) => events, {
        account_id: integer(({ accountId }) => accountId),
        id_ending: text(({ idEnding }) => idEnding),
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
        version: bigint(({ match }) => match?.version),
        matches: integer(({ match }) => match?.hookIds.length),
      })}
      LEFT JOIN LATERAL (
        SELECT id, suspended_at, hooks_version FROM accounts WHERE accounts.id = input.account_id LIMIT 1
      ) AS accounts ON true
      WHERE ${ledgerWrite}
    ), ${hasKeys ? keyed : sql``} fresh AS MATERIALIZED (
      SELECT * FROM input
      WHERE account_exists AND NOT is_suspended AND is_authorized
        ${hasKeys ? sql`AND (key IS NULL OR id IN (SELECT event_id FROM keyed))` : sql``}
    ), in_ledger AS (
      INSERT INTO events (account_id, id, type, data, producer_id, occurred_at, accepted_at,
                          message_id, sender, recipient, foreign_id, test_hook_id, traceparent)
      SELECT account_id, id, type, data, producer_id, occurred_at, now(), message_id, sender, recipient, foreign_id,
             test_hook_id, traceparent
      FROM fresh
    ), ${leases ? leaseMatched : noneLeased}${hasUnmatched ? unmatched : sql``},
    in_inbox AS (
      INSERT INTO inbox (event_id, account_id)
      SELECT id, account_id FROM fresh WHERE (id IN (SELECT id FROM leased)) IS NOT TRUE
    )
    SELECT 0 AS ordinal, id_time, now() AS accepted_at,
           NULL::boolean AS is_fresh, NULL::boolean AS account_exists, NULL::boolean AS is_suspended,
           NULL::boolean AS is_authorized
    FROM clock
    UNION ALL
    SELECT ordinal::integer, NULL, NULL, (id IN (SELECT id FROM fresh)) IS TRUE, account_exists, is_suspended,
           is_authorized
    FROM input WHERE (id IN (SELECT id FROM leased)) IS NOT TRUE`
}

const isCurrent = sql`coalesce(accounts.hooks_version = input.version AND (SELECT version FROM stops_version)
               = ${inputParameter(({ leasedTo }: Input) => leasedTo?.stopsVersion)}::bigint, false)`

/** Of a key that occurs twice in a batch, the first event counts. */
const isFirstOfKey = sql`row_number() OVER (PARTITION BY account_id, key ORDER BY ordinal) = 1 OR key IS NULL`

const keyed = sql`
    keyed AS (
      INSERT INTO event_keys (account_id, key, digest, event_id, accepted_at)
      SELECT account_id, key, digest, id, now() FROM input
      WHERE key IS NOT NULL AND is_first AND account_exists AND NOT is_suspended AND is_authorized
      ORDER BY account_id, key
      ON CONFLICT DO NOTHING
      RETURNING event_id
    ),`

const noneLeased = sql`
    leased AS MATERIALIZED (SELECT id FROM fresh LIMIT 0)`

const leaseMatched = sql`
    matched AS MATERIALIZED (
      SELECT matched.*, (clock.id_time || matched.id_ending)::uuid AS event_id
      FROM clock CROSS JOIN ${unnestRows('matched', ({ matches }: Input) => matches, {
        account_id: integer(({ event }) => event.accountId),
        hook_id: integer(({ hookId }) => hookId),
        id_ending: text(({ event }) => event.idEnding),
        type: text(({ event }) => event.type),
        version: bigint(({ event }) => event.match?.version),
      })}
    ), deferred AS MATERIALIZED (
      SELECT event_id FROM matched CROSS JOIN LATERAL (
        SELECT FROM lane WHERE lane.account_id = matched.account_id AND lane.hook_id = matched.hook_id
          AND (open_seconds > 0 OR recovered_at > now() - ${slowStart})
        LIMIT 1
      ) AS breaker
    ), leased AS MATERIALIZED (
      SELECT id, account_id, version, matches FROM fresh
      WHERE is_current AND (id IN (SELECT event_id FROM deferred)) IS NOT TRUE
    ), added AS (
      INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, hooks_version, due_at, lease, lease_until)
      SELECT account_id, hook_id, event_id, type, now(), version, now(),
             ${inputParameter(({ leasedTo }: Input) => leasedTo?.lease.id)}::uuid,
             now() + make_interval(secs => ${inputParameter(({ leasedTo }: Input) => leasedTo?.lease.seconds)})
      -- IN … IS TRUE makes the planner use a hash, and not scan the list for each row.
      FROM matched WHERE (event_id IN (SELECT id FROM leased)) IS TRUE
    ), counted AS (
      INSERT INTO rollup_deltas (hour, account_ids, counts)
      SELECT date_trunc('hour', now()), array_agg(account_id), array_agg(count) FROM (
        SELECT account_id, count(*)::integer AS count FROM leased GROUP BY account_id
      ) AS counts HAVING count(*) > 0
    )`

const unmatched = sql`, unmatched AS (
      INSERT INTO routes (account_id, event_id, hooks_version)
      SELECT account_id, id, version FROM leased WHERE matches = 0
    )`

async function toInserted(
  db: Database,
  events: readonly IncomingEvent[],
  rows: readonly Row[],
): Promise<Inserted[]> {
  const commit = rows.find((row) => 'idTime' in row && row.ordinal === 0) as Extract<Row, { ordinal: 0 }>
  const exceptions = new Map<number, Extract<Row, { isFresh: boolean }>>()
  for (const row of rows) if (row.ordinal > 0 && 'isFresh' in row) exceptions.set(row.ordinal, row)
  const repeated = events.filter((_, index) => {
    const row = exceptions.get(index + 1)
    return row?.isAuthorized && row.accountExists && !row.isSuspended && !row.isFresh
  })
  const existingKeys = await findExistingKeys(db, repeated)
  return events.map((event, index) => {
    const row = exceptions.get(index + 1)
    if (row !== undefined && !row.isAuthorized) return { state: 'revoked producer' }
    if (row !== undefined && !row.accountExists) return { state: 'unknown account' }
    if (row?.isSuspended) return { state: 'suspended account' }
    if (row === undefined || row.isFresh)
      return {
        state: 'accepted',
        id: commit.idTime + event.idEnding,
        acceptedAt: commit.acceptedAt,
        isLeased: row === undefined,
      }
    const existing = existingKeys.get(keyName(event.accountId, event.key))
    if (existing === undefined) return { state: 'key just pruned' }
    return existing.digest.toString('hex') === event.digest
      ? { state: 'duplicate', id: existing.eventId }
      : { state: 'key conflict' }
  })
}

interface ExistingKey {
  accountId: number
  key: string
  digest: Buffer
  eventId: string
}

async function findExistingKeys(
  db: Database,
  events: readonly IncomingEvent[],
): Promise<Map<string, ExistingKey>> {
  if (events.length === 0) return new Map()
  const result = await sql<ExistingKey>`
    SELECT account_id, key, digest, event_id FROM event_keys
    JOIN ${unnestRows('input', events, { account_id: integer(({ accountId }) => accountId), key: text(({ key }) => key) })}
      USING (account_id, key)
  `.execute(db)
  return new Map(result.rows.map((row) => [keyName(row.accountId, row.key), row]))
}

function keyName(accountId: number, key: string | null): string {
  return `${accountId} ${key}`
}
