/**
 * Takes due work, in turn over the hooks: lanes by due time, then a few rows of each. A lane with more work goes behind
 * those that wait, so a hook with a huge backlog gets its turns and no more. A claim is a lease: whoever holds it past
 * its end has lost it.
 *
 * Two statements in one transaction, for a reason: a lane may be removed only by someone who sees all of its work. The
 * first statement locks the lanes; the second, begun after that, sees what was committed before, and whoever adds work to
 * such a lane afterwards waits for the lock and finds out whether to make the lane anew.
 */
import { sql } from 'kysely'
import { plainArray, textArray, wordArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'
import { slowStart } from './breaker.ts'

export interface ClaimedDelivery {
  accountId: number
  hookId: number
  eventId: string
  round: number
  type: DeliverableType
  data: string
  acceptedAt: Date
  testHookId: number | null
  /** Attempts made before. */
  attempts: number
  /** Faults of ours in a row, which are no attempts. */
  faults: number
  /** The version of the account's hooks when it was claimed, and that of the stops. */
  version: string
  stopsVersion: string
  /** Whether its hook's filter matches is not decided yet. */
  matchPending: boolean
  /** How long ago the hook's breaker closed, while what failed before that is still being taken. */
  recoveredMs: number | null
}

/** Whose turn can wait: they have as many attempts under way in this worker as they may. */
export interface Full {
  hooks: readonly number[]
  accounts: readonly number[]
  hosts: readonly string[]
}

/** Rows of a lane among many; among few each gets more, up to what a hook may have under way. */
const fewestRowsALane = 4
const mostRowsALane = 16
/** Longer than the longest deadline: until then nobody else probes. */
const probeSeconds = 20

export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** How long the youngest of these turns has been due. */
  lagSeconds: number
}

export async function claimDue(
  db: Database,
  most: number,
  lease: { id: string; seconds: number },
  full: Full,
): Promise<Claimed> {
  return db.transaction().execute(async (trx) => {
    const turns = await takeTurns(trx, most, full)
    const deliveries = turns.length === 0 ? [] : await claimOf(trx, turns, most, lease)
    return { deliveries, lagSeconds: turns.at(-1)?.lagSeconds ?? 0 }
  })
}

interface Turn {
  accountId: number
  hookId: number
  /** One of an open breaker, to see whether the receiver is back; in a slow start what a worker may attempt then. */
  mostRows: number | null
  lagSeconds: number
  /** When the breaker closed, if what failed before has not all been taken: as text, for the next statement. */
  recoveredAt: string | null
}

async function takeTurns(trx: Trx, most: number, full: Full): Promise<Turn[]> {
  const answer = await sql<Turn>`/* kept */
    SELECT account_id, hook_id, recovered_at::text,
           extract(epoch FROM now() - greatest(due_at, not_before))::float8 AS lag_seconds,
           CASE WHEN open_seconds > 0 THEN 1
                WHEN recovered_at > now() - ${slowStart}
                THEN power(2, floor(extract(epoch FROM now() - recovered_at)))::integer END AS most_rows
    FROM lane
    WHERE greatest(due_at, not_before) <= now()
      AND hook_id <> ALL (${[...full.hooks]}::integer[]) AND account_id <> ALL (${[...full.accounts]}::integer[])
      AND host <> ALL (${[...full.hosts]}::text[])
    ORDER BY greatest(due_at, not_before) LIMIT ${Math.ceil(most / fewestRowsALane)} FOR UPDATE SKIP LOCKED
  `.execute(trx)
  return answer.rows
}

async function claimOf(
  trx: Trx,
  turns: readonly Turn[],
  most: number,
  lease: { id: string; seconds: number },
): Promise<ClaimedDelivery[]> {
  const rowsALane = Math.min(mostRowsALane, Math.max(1, Math.floor(most / turns.length)))
  const shares = turns.map(({ mostRows }) => halves(Math.min(rowsALane, mostRows ?? rowsALane)))
  const answer = await sql<ClaimedDelivery>`
    WITH turns AS MATERIALIZED (
      SELECT * FROM unnest(
        ${plainArray(turns.map((turn) => turn.accountId))}::integer[],
        ${plainArray(turns.map((turn) => turn.hookId))}::integer[],
        ${plainArray(shares.map(([old]) => old))}::integer[],
        ${plainArray(shares.map(([, young]) => young))}::integer[],
        ${textArray(turns.map((turn) => turn.recoveredAt))}::timestamptz[]
      ) AS turns (account_id, hook_id, most_old, most_young, recovered_at)
    ), old AS MATERIALIZED (
      SELECT due.* FROM turns CROSS JOIN LATERAL (
        SELECT account_id, hook_id, event_id, turns.recovered_at FROM work
        WHERE work.account_id = turns.account_id AND work.hook_id = turns.hook_id
          AND lease IS NULL AND NOT held AND (due_at <= now() OR waits_since < turns.recovered_at)
        ORDER BY due_at LIMIT turns.most_old FOR UPDATE SKIP LOCKED
      ) AS due
    ), young AS MATERIALIZED (
      SELECT due.* FROM turns CROSS JOIN LATERAL (
        SELECT account_id, hook_id, event_id, turns.recovered_at FROM work
        WHERE work.account_id = turns.account_id AND work.hook_id = turns.hook_id
          AND lease IS NULL AND NOT held AND due_at <= now()
        ORDER BY due_at DESC LIMIT turns.most_young FOR UPDATE SKIP LOCKED
      ) AS due
    ), picked AS MATERIALIZED (
      SELECT * FROM old UNION SELECT * FROM young
    ), leased AS (
      UPDATE work SET lease = ${lease.id}, lease_until = now() + make_interval(secs => ${lease.seconds})
      FROM picked
      WHERE work.event_id = ANY (ARRAY(SELECT event_id FROM picked))
        AND work.event_id = picked.event_id AND work.hook_id = picked.hook_id
      RETURNING work.*, picked.recovered_at
    ), following AS MATERIALIZED (
      -- Still the state before this statement: whatever was not picked comes next.
      SELECT turns.*, own.rows, own.rows > 0 OR turns.most_old = 0 AS may_have_more, (
        SELECT work.due_at FROM work
        WHERE work.account_id = turns.account_id AND work.hook_id = turns.hook_id AND lease IS NULL AND NOT held
          AND work.event_id <> ALL (own.event_ids)
        ORDER BY work.due_at LIMIT 1
      ) AS next_at
      FROM turns CROSS JOIN LATERAL (
        SELECT count(*) AS rows, coalesce(array_agg(event_id), '{}') AS event_ids FROM picked
        WHERE picked.account_id = turns.account_id AND picked.hook_id = turns.hook_id
      ) AS own
    ), emptied AS (
      DELETE FROM lane USING following
      WHERE lane.account_id = following.account_id AND lane.hook_id = following.hook_id AND next_at IS NULL
        AND lane.open_seconds = 0 AND (lane.recovered_at IS NULL OR NOT may_have_more)
    ), turned AS (
      -- An open breaker lets one through and then waits for what becomes of it. After it has closed, turns go on at once
      -- until all that failed before is taken.
      UPDATE lane SET
        due_at = CASE WHEN lane.recovered_at IS NOT NULL AND may_have_more THEN now()
                      ELSE greatest(coalesce(next_at, 'infinity'), now()) END,
        recovered_at = CASE WHEN may_have_more THEN lane.recovered_at END,
        not_before = CASE WHEN open_seconds = 0 THEN '-infinity'
                          WHEN rows > 0 THEN now() + make_interval(secs => ${probeSeconds}) ELSE not_before END,
        is_probing = open_seconds > 0 AND rows > 0
      FROM following
      WHERE lane.account_id = following.account_id AND lane.hook_id = following.hook_id
        AND (next_at IS NOT NULL OR lane.open_seconds > 0 OR lane.recovered_at IS NOT NULL AND may_have_more)
    )
    SELECT leased.account_id, leased.hook_id, leased.event_id, leased.round, leased.type, leased.accepted_at,
           leased.attempts, leased.faults, leased.match_pending, event.data, event.test_hook_id,
           (SELECT hooks_version FROM accounts WHERE accounts.id = leased.account_id) AS version,
           (SELECT version FROM stops_version) AS stops_version,
           extract(epoch FROM now() - leased.recovered_at)::float8 * 1000 AS recovered_ms
    FROM leased CROSS JOIN LATERAL (
      SELECT data, test_hook_id FROM events WHERE events.account_id = leased.account_id AND events.id = leased.event_id LIMIT 1
    ) AS event
  `.execute(trx)
  return answer.rows
}

/**
 * Half of a turn from each end of what is due: the oldest, so that none waits for ever, and the youngest, so that a fresh
 * event does not wait for a backlog. The odd one by chance.
 */
function halves(rows: number): [old: number, young: number] {
  const old = rows % 2 === 1 && Math.random() < 0.5 ? Math.ceil(rows / 2) : Math.floor(rows / 2)
  return [old, rows - old]
}

/** Gives back what was claimed and cannot be attempted here now; its turn comes again after a while. */
export async function releaseClaimed(
  db: Database,
  lease: string,
  rows: readonly ClaimedDelivery[],
  afterMs: number,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    WITH released AS (
      UPDATE work SET lease = NULL, lease_until = NULL, due_at = least(due_at, now())
      FROM unnest(
        ${plainArray(rows.map((row) => row.accountId))}::integer[],
        ${plainArray(rows.map((row) => row.hookId))}::integer[],
        ${wordArray(rows.map((row) => row.eventId))}::uuid[]
      ) AS given (account_id, hook_id, event_id)
      WHERE work.account_id = given.account_id AND work.hook_id = given.hook_id AND work.event_id = given.event_id
        AND work.lease = ${lease}
      RETURNING work.account_id, work.hook_id
    )
    INSERT INTO lane (account_id, hook_id, due_at)
    SELECT DISTINCT account_id, hook_id, now() + make_interval(secs => ${afterMs / 1_000}) FROM released
    ORDER BY account_id, hook_id
    -- It was not attempted, so it was no probe either.
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = excluded.due_at, is_probing = false,
      not_before = CASE WHEN lane.open_seconds > 0 THEN now() ELSE '-infinity' END
  `.execute(db)
}
