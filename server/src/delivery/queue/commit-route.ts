/**
 * The route commit: one statement removes the inbox row and adds a work row for each matched hook.
 * It applies only to events whose account's hooks still have the version they were matched against, and whose inbox
 * row still exists. If two workers or sources route the same event, one finds the row gone and adds nothing.
 * The version is stored with the deliveries. An event that matched no hook gets a row in `routes` for it.
 *
 * Stages: input (events, current or stale) → routed (inbox rows removed) → matched (hooks of the routed events) →
 * deferred (hooks that back off or start slowly, except for a test with a permit) → classified (leased now, or due) →
 * added, dropped (work rows, canceled deliveries) → counted, unmatched (rollups and routes) → events_counted (a row that
 * `add-counts.ts` adds to the rollups) → scheduled (lanes).
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import {
  bigint,
  boolean,
  integer,
  text,
  timestamptz,
  unnestNumberedRows,
  unnestRows,
  uuid,
} from '../../db/rows.ts'
import type { Event } from '../../model/event.ts'
import { slowStart } from './circuit-breaker.ts'
import { secondsSince } from './elapsed.ts'
import { scheduleLanes } from './lanes.ts'
import { hasTestPermit } from './test-permit.ts'

export interface RoutedEvent {
  event: Event
  /** The version of the account's hooks that the event was matched against. */
  version: string
  /** The version of the stops that were applied. */
  stopsVersion: string
  matches: readonly Match[]
}

interface Match {
  hookId: number
  host: string
  /**
   * Leased: attempted now. Due: waits in its lane. Held: the hook is disabled. Dropped: disabled and at its hold
   * limit.
   */
  disposition: 'leased' | 'due' | 'held' | 'dropped'
  /** Whether the worker knows that the hook's breaker has just closed, and applies the slow start itself. */
  isStartingSlowly: boolean
  /** The hook's filter cannot be loaded. It is evaluated before the first attempt. */
  matchPending?: boolean
}

/** Deferred: hooks that receive the event later, because their breaker is open or has just closed. */
export type RouteResult =
  { state: 'routed'; deferred: readonly Deferred[] } | { state: 'stale' | 'gone'; deferred: readonly [] }

interface Deferred {
  hookId: number
  /** Null: the breaker is open. */
  recoveredMs: number | null
}

export async function commitRoute(
  db: Database,
  events: readonly RoutedEvent[],
  lease: { id: string; seconds: number },
): Promise<RouteResult[]> {
  const matches = events.flatMap(({ event, version, matches: eventMatches }) =>
    eventMatches.map((match) => ({ event, version, ...match })),
  )
  const result = await sql<RouteResult>`/* prepared */
    WITH input AS MATERIALIZED (
      SELECT input.*, coalesce(
        (SELECT hooks_version FROM accounts WHERE accounts.id = input.account_id) = input.version
        AND (SELECT version FROM stops_version) = input.stops_version, false) AS is_current
      FROM ${unnestNumberedRows('input', events, {
        event_id: uuid(({ event }) => event.id),
        account_id: integer(({ event }) => event.accountId),
        version: bigint(({ version }) => version),
        stops_version: bigint(({ stopsVersion }) => stopsVersion),
      })}
      WHERE ${ledgerWrite}
    ), routed AS (
      DELETE FROM inbox WHERE event_id = ANY (ARRAY(SELECT event_id FROM input WHERE is_current))
      RETURNING event_id, account_id
    ), matched AS MATERIALIZED (
      SELECT matched.* FROM ${unnestRows('matched', matches, {
        account_id: integer(({ event }) => event.accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ event }) => event.id),
        type: text(({ event }) => event.type),
        accepted_at: timestamptz(({ event }) => event.acceptedAt),
        disposition: text(({ disposition }) => disposition),
        host: text(({ host }) => host),
        is_starting_slowly: boolean(({ isStartingSlowly }) => isStartingSlowly),
        version: bigint(({ version }) => version),
        match_pending: boolean(({ matchPending }) => matchPending ?? false),
        is_test: boolean(({ event }) => event.testHookId != null),
      })}
      -- IN … IS TRUE makes the planner use a hash, and not scan the list for each row.
      WHERE (event_id IN (SELECT event_id FROM routed)) IS TRUE
    ), deferred AS MATERIALIZED (
      SELECT matched.event_id, matched.hook_id, breaker.recovered_ms FROM matched CROSS JOIN LATERAL (
        SELECT CASE WHEN open_seconds = 0 THEN ${secondsSince(sql`recovered_at`)}::float8 * 1000 END AS recovered_ms
        FROM lane
        WHERE lane.account_id = matched.account_id AND lane.hook_id = matched.hook_id
          AND (open_seconds > 0 OR NOT matched.is_starting_slowly AND recovered_at > now() - ${slowStart})
          AND NOT (open_seconds > 0 AND matched.is_test AND ${hasTestPermit(sql`lane`, sql`matched.event_id`)})
        LIMIT 1
      ) AS breaker WHERE disposition = 'leased'
    ), classified AS MATERIALIZED (
      SELECT *, disposition = 'leased'
                AND ((event_id, hook_id) IN (SELECT event_id, hook_id FROM deferred)) IS NOT TRUE AS is_leased
      FROM matched
    ), added AS (
      INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, hooks_version, match_pending, due_at, held,
                        lease, lease_until)
      SELECT account_id, hook_id, event_id, type, accepted_at, version, match_pending, now(), disposition = 'held',
             CASE WHEN is_leased THEN ${lease.id}::uuid END,
             CASE WHEN is_leased THEN now() + make_interval(secs => ${lease.seconds}) END
      FROM classified WHERE disposition <> 'dropped'
    ), dropped AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, hooks_version)
      SELECT account_id, event_id, hook_id, 1, 'cancelled', 'held_full', 0, version FROM matched WHERE disposition = 'dropped'
      RETURNING account_id, hook_id
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, cancelled)
      SELECT account_id, hook_id, date_trunc('hour', now()), count(*) FROM dropped
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET cancelled = rollups.cancelled + excluded.cancelled
    ), unmatched AS (
      INSERT INTO routes (account_id, event_id, hooks_version)
      SELECT account_id, event_id, version FROM input
      WHERE (event_id IN (SELECT event_id FROM routed)) IS TRUE
        AND (event_id IN (SELECT event_id FROM matched)) IS NOT TRUE
    ), events_counted AS (
      INSERT INTO rollup_deltas (hour, account_ids, counts)
      SELECT date_trunc('hour', now()), array_agg(account_id), array_agg(count) FROM (
        SELECT account_id, count(*)::integer AS count FROM routed GROUP BY account_id
      ) AS counts HAVING count(*) > 0
    ), scheduled AS (
      ${scheduleLanes(sql`
        SELECT account_id, hook_id, now(), min(host) FROM classified
        WHERE disposition IN ('leased', 'due') AND NOT is_leased GROUP BY account_id, hook_id`)}
    )
    SELECT CASE WHEN NOT is_current THEN 'stale' WHEN event_id IN (SELECT event_id FROM routed) THEN 'routed'
                ELSE 'gone' END AS state,
           CASE WHEN event_id IN (SELECT event_id FROM deferred) THEN (
             SELECT json_agg(json_build_object('hookId', hook_id, 'recoveredMs', recovered_ms))
             FROM deferred WHERE deferred.event_id = input.event_id) ELSE '[]' END AS deferred
    FROM input ORDER BY ordinal
  `.execute(db)
  return result.rows
}
