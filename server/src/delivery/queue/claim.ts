/**
 * Claims due deliveries fairly over the hooks: lanes by due time, then a few rows of each. A lane with more rows goes
 * behind the waiting ones, so a hook with a huge backlog gets only its share. A claim is a lease: a worker that holds
 * it past its end has lost it.
 *
 * Two statements in one transaction: only a statement that sees all rows of a lane may remove it. The first statement
 * locks the lanes. The second starts afterwards, so it sees everything committed before. A transaction that adds rows
 * to such a lane waits for the lock, and then recreates the lane if it was removed.
 *
 * Rows are changed by their place (ctid). A list of keys can be looked up in any index, and the planner may choose one that
 * lacks its first column: it reads the whole index.
 *
 * Stages of the second: lanes (the locked ones) → old, young (due rows of each) → picked (both) → leased (rows under the
 * new lease) → following (the next due row of each lane) → removed, rescheduled (lanes).
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import type { LeasedDelivery } from '../../model/delivery/delivery.ts'
import { integer, tid, timestampText, unnestRows, uuid } from '../../db/rows.ts'
import { eventOf } from './event-of.ts'
import { slowStart } from './circuit-breaker.ts'
import { secondsSince } from './elapsed.ts'

/** A leased row of `work`, with its event. */
export interface LeasedRow {
  accountId: number
  hookId: number
  eventId: string
  round: number
  type: string
  data: string
  acceptedAt: Date
  testHookId: number | null
  traceparent: string | null
  /** Attempts made earlier. */
  attempts: number
  /** Consecutive service faults, which are not attempts. */
  faults: number
  /** The hook's filter has not been evaluated yet. */
  matchPending: boolean
}

export interface ClaimedDelivery extends LeasedRow {
  /** Versions of the account's hooks and of the stops at the time of the claim. */
  version: string
  stopsVersion: string
  /** Time since the hook's breaker closed, while earlier failures are still being claimed. */
  recoveredMs: number | null
}

export function toDelivery(row: LeasedRow): LeasedDelivery {
  const { eventId: id, accountId, type, data, acceptedAt, testHookId, traceparent } = row
  const { hookId, round, attempts, faults, matchPending } = row
  const event = { id, accountId, type, data, acceptedAt, testHookId, traceparent }
  return { event, hookId, round, attempts, faults, matchPending }
}

/** Hooks, accounts and hosts at their limit of attempts in flight in this worker. The claim skips them. */
export interface AtLimit {
  hooks: readonly number[]
  accounts: readonly number[]
  hosts: readonly string[]
}

export interface ClaimLimits extends AtLimit {
  /** Hooks that get one delivery. */
  single?: readonly number[]
}

/** Rows per lane when many lanes are due. With few lanes each gets more, up to a hook's limit of attempts in flight. */
const minRowsPerLane = 4
const maxRowsPerLane = 16
/** Longer than the longest deadline: until then there is no other probe. */
const probeSeconds = 20

export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** Time since the youngest of these lanes became due. */
  lagSeconds: number
}

export async function claimDue(
  db: Database,
  max: number,
  lease: { id: string; seconds: number },
  limits: ClaimLimits,
): Promise<Claimed> {
  return db.transaction().execute(async (trx) => {
    const lanes = await lockDueLanes(trx, max, limits)
    const deliveries = lanes.length === 0 ? [] : await claimRows(trx, lanes, max, lease)
    return { deliveries, lagSeconds: lanes.at(-1)?.lagSeconds ?? 0 }
  })
}

/** Whether a claim would find a lane: one cheap statement in place of a transaction. */
export async function hasDueLane(db: Database, atLimit: AtLimit): Promise<boolean> {
  const { rows } = await sql`/* prepared */
    SELECT FROM lane WHERE ${isDue(atLimit)} ORDER BY greatest(due_at, not_before) LIMIT 1
  `.execute(db)
  return rows.length > 0
}

function isDue({ hooks, accounts, hosts }: AtLimit): RawBuilder<unknown> {
  return sql`greatest(due_at, not_before) <= now()
      AND hook_id <> ALL (${[...hooks]}::integer[]) AND account_id <> ALL (${[...accounts]}::integer[])
      AND host <> ALL (${[...hosts]}::text[])`
}

interface DueLane {
  accountId: number
  hookId: number
  /** One for an open breaker, as a probe, and for a hook in line. In a slow start, the limit of a worker. Null: no limit. */
  maxRows: number | null
  lagSeconds: number
  /** When the breaker closed, while earlier failures are not all claimed. As text, for the next statement. */
  recoveredAt: string | null
  /** The place of the locked row, as text. */
  tid: string
}

async function lockDueLanes(trx: Trx, max: number, limits: ClaimLimits): Promise<DueLane[]> {
  const result = await sql<DueLane>`/* prepared */
    SELECT account_id, hook_id, ctid::text AS tid, recovered_at::text,
           extract(epoch FROM now() - greatest(due_at, not_before))::float8 AS lag_seconds,
           CASE WHEN open_seconds > 0 OR hook_id = ANY (${[...(limits.single ?? [])]}::integer[]) THEN 1
                WHEN recovered_at > now() - ${slowStart}
                THEN power(2, floor(${secondsSince(sql`recovered_at`)}))::integer END AS max_rows
    FROM lane
    WHERE ${isDue(limits)}
    ORDER BY greatest(due_at, not_before) LIMIT ${Math.ceil(max / minRowsPerLane)} FOR UPDATE SKIP LOCKED
  `.execute(trx)
  return result.rows
}

async function claimRows(
  trx: Trx,
  lanes: readonly DueLane[],
  max: number,
  lease: { id: string; seconds: number },
): Promise<ClaimedDelivery[]> {
  const rowsPerLane = Math.min(maxRowsPerLane, Math.max(1, Math.floor(max / lanes.length)))
  const shares = lanes.map(({ maxRows }) => splitInHalves(Math.min(rowsPerLane, maxRows ?? rowsPerLane)))
  const result = await sql<ClaimedDelivery>`/* prepared */
    WITH lanes AS MATERIALIZED (
      SELECT * FROM ${unnestRows('lanes', lanes, {
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        max_old: integer((_, index) => shares[index]?.[0]),
        max_young: integer((_, index) => shares[index]?.[1]),
        recovered_at: timestampText(({ recoveredAt }) => recoveredAt),
        tid: tid((lane) => lane.tid),
      })}
    ), old AS MATERIALIZED (
      SELECT due.* FROM lanes CROSS JOIN LATERAL (
        SELECT account_id, hook_id, event_id, work.ctid AS tid, lanes.recovered_at FROM work
        WHERE work.account_id = lanes.account_id AND work.hook_id = lanes.hook_id
          AND lease IS NULL AND NOT held AND (due_at <= now() OR waits_since < lanes.recovered_at)
        ORDER BY due_at LIMIT lanes.max_old FOR UPDATE SKIP LOCKED
      ) AS due
    ), young AS MATERIALIZED (
      SELECT due.* FROM lanes CROSS JOIN LATERAL (
        SELECT account_id, hook_id, event_id, work.ctid AS tid, lanes.recovered_at FROM work
        WHERE work.account_id = lanes.account_id AND work.hook_id = lanes.hook_id
          AND lease IS NULL AND NOT held AND due_at <= now()
        ORDER BY due_at DESC LIMIT lanes.max_young FOR UPDATE SKIP LOCKED
      ) AS due
    ), picked AS MATERIALIZED (
      SELECT * FROM old UNION SELECT * FROM young
    ), leased AS (
      UPDATE work SET lease = ${lease.id}, lease_until = now() + make_interval(secs => ${lease.seconds})
      FROM picked WHERE work.ctid = picked.tid
      RETURNING work.*, picked.recovered_at
    ), following AS MATERIALIZED (
      -- A statement sees the state before it: rows that were not leased come next. Those may include a picked row that
      -- another transaction changed before it was locked.
      SELECT lanes.*, claimed_rows.rows, claimed_rows.rows > 0 OR lanes.max_old = 0 AS may_have_more, (
        SELECT work.due_at FROM work
        WHERE work.account_id = lanes.account_id AND work.hook_id = lanes.hook_id AND lease IS NULL AND NOT held
          AND work.event_id <> ALL (claimed_rows.event_ids)
        ORDER BY work.due_at LIMIT 1
      ) AS next_at
      FROM lanes CROSS JOIN LATERAL (
        SELECT count(*) AS rows, coalesce(array_agg(event_id), '{}') AS event_ids FROM leased
        WHERE leased.account_id = lanes.account_id AND leased.hook_id = lanes.hook_id
      ) AS claimed_rows
    ), removed AS (
      DELETE FROM lane USING following
      WHERE lane.ctid = following.tid AND next_at IS NULL
        AND lane.open_seconds = 0 AND (lane.recovered_at IS NULL OR NOT may_have_more)
    ), rescheduled AS (
      -- An open breaker admits one probe and waits for its outcome. After it has closed, the lane stays due until all
      -- earlier failures are claimed.
      UPDATE lane SET
        due_at = CASE WHEN lane.recovered_at IS NOT NULL AND may_have_more THEN now()
                      ELSE greatest(coalesce(next_at, 'infinity'), now()) END,
        recovered_at = CASE WHEN may_have_more THEN lane.recovered_at END,
        not_before = CASE WHEN open_seconds = 0 THEN '-infinity'
                          WHEN rows > 0 THEN now() + make_interval(secs => ${probeSeconds}) ELSE not_before END,
        is_probing = open_seconds > 0 AND rows > 0
      FROM following
      WHERE lane.ctid = following.tid
        AND (next_at IS NOT NULL OR lane.open_seconds > 0 OR lane.recovered_at IS NOT NULL AND may_have_more)
    )
    SELECT leased.account_id, leased.hook_id, leased.event_id, leased.round, leased.type, leased.accepted_at,
           leased.attempts, leased.faults, leased.match_pending, event.data, event.test_hook_id,
           event.traceparent,
           (SELECT hooks_version FROM accounts WHERE accounts.id = leased.account_id) AS version,
           (SELECT version FROM stops_version) AS stops_version,
           ${secondsSince(sql`leased.recovered_at`)}::float8 * 1000 AS recovered_ms
    FROM leased CROSS JOIN LATERAL ${eventOf('leased', sql`data, test_hook_id, traceparent`)} AS event
  `.execute(trx)
  return result.rows
}

/**
 * Splits the rows of a lane: half are the oldest due, so none waits forever, and half the youngest, so a fresh event
 * does not wait behind a backlog. An odd row goes to either half at random.
 */
function splitInHalves(rows: number): [old: number, young: number] {
  const old = rows % 2 === 1 && Math.random() < 0.5 ? Math.ceil(rows / 2) : Math.floor(rows / 2)
  return [old, rows - old]
}

/** Releases claimed deliveries that cannot be attempted here now. Their lanes are due again after a delay. */
export async function releaseClaimed(
  db: Database,
  lease: string,
  rows: readonly ClaimedDelivery[],
  afterMs: number,
): Promise<void> {
  if (rows.length === 0) return
  await sql`/* prepared */
    WITH released AS (
      UPDATE work SET lease = NULL, lease_until = NULL, due_at = least(due_at, now())
      FROM ${unnestRows('input', rows, {
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ eventId }) => eventId),
      })}
      WHERE work.account_id = input.account_id AND work.hook_id = input.hook_id AND work.event_id = input.event_id
        AND work.lease = ${lease}
      RETURNING work.account_id, work.hook_id
    )
    INSERT INTO lane (account_id, hook_id, due_at)
    SELECT DISTINCT account_id, hook_id, now() + make_interval(secs => ${afterMs / 1_000}) FROM released
    ORDER BY account_id, hook_id
    -- Not attempted, so no probe either.
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = excluded.due_at, is_probing = false,
      not_before = CASE WHEN lane.open_seconds > 0 THEN now() ELSE '-infinity' END
  `.execute(db)
}
