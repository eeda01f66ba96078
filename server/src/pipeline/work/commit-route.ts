/**
 * The route commit: in one statement the inbox row goes out and a work row for each matched hook comes in. It counts only
 * for events whose account's hooks still have the version they were matched against, and whose inbox row is still
 * there: of two workers, or two sources, that route the same event, one finds the row gone and adds nothing.
 * That version is kept with what it decided; an event that no hook matched has a row of its own for it.
 */
import { sql } from 'kysely'
import { plainArray, textArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import { ledgerWrite } from '../../db/ledger-write.ts'
import type { Event } from '../../model/event.ts'
import { slowStart } from './breaker.ts'
import { addTurns } from './turns.ts'

export interface RoutedEvent {
  event: Event
  /** The version of the account's hooks that it was matched against. */
  version: string
  /** The version of the stops that were regarded. */
  stopsVersion: string
  matches: readonly Match[]
}

interface Match {
  hookId: number
  host: string
  /** Leased: attempted at once. Due: waits for its turn. Held: the hook is disabled. Dropped: and holds no more. */
  becomes: 'leased' | 'due' | 'held' | 'dropped'
  /** Whether the worker knows that the hook's breaker has just closed, and keeps to the slow start by itself. */
  isStartingSlowly: boolean
  /** The hook's filter cannot be loaded: whether it matches is decided before the first attempt. */
  matchPending?: boolean
}

/** Deferred: of a routed event, the hooks that get it later, since their breaker is open or has just closed. */
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
  const matches = events.flatMap(({ event, version, matches: own }) =>
    own.map((match) => ({ event, version, ...match })),
  )
  const answer = await sql<RouteResult>`/* kept */
    WITH given AS MATERIALIZED (
      SELECT given.*, coalesce(
        (SELECT hooks_version FROM accounts WHERE accounts.id = given.account_id) = given.version
        AND (SELECT version FROM stops_version) = given.stops_version, false) AS is_current
      FROM unnest(
        ${wordArray(events.map(({ event }) => event.id))}::uuid[],
        ${plainArray(events.map(({ event }) => event.accountId))}::integer[],
        ${wordArray(events.map(({ version }) => version))}::bigint[],
        ${wordArray(events.map(({ stopsVersion }) => stopsVersion))}::bigint[]
      ) WITH ORDINALITY AS given (event_id, account_id, version, stops_version, place)
      WHERE ${ledgerWrite}
    ), routed AS (
      DELETE FROM inbox WHERE event_id = ANY (ARRAY(SELECT event_id FROM given WHERE is_current))
      RETURNING event_id, account_id
    ), matched AS MATERIALIZED (
      SELECT matched.* FROM unnest(
        ${plainArray(matches.map(({ event }) => event.accountId))}::integer[],
        ${plainArray(matches.map(({ hookId }) => hookId))}::integer[],
        ${wordArray(matches.map(({ event }) => event.id))}::uuid[],
        ${wordArray(matches.map(({ event }) => event.type))}::text[],
        ${plainArray(matches.map(({ event }) => event.acceptedAt))}::timestamptz[],
        ${wordArray(matches.map(({ becomes }) => becomes))}::text[],
        ${textArray(matches.map(({ host }) => host))}::text[],
        ${plainArray(matches.map(({ isStartingSlowly }) => isStartingSlowly))}::boolean[],
        ${wordArray(matches.map(({ version }) => version))}::bigint[],
        ${plainArray(matches.map(({ matchPending }) => matchPending ?? false))}::boolean[]
      ) AS matched (account_id, hook_id, event_id, type, accepted_at, becomes, host, is_starting_slowly, version,
                    match_pending)
      -- Said so that it is looked up in a hash, and not in the whole list for each.
      WHERE (event_id IN (SELECT event_id FROM routed)) IS TRUE
    ), deferred AS MATERIALIZED (
      SELECT matched.event_id, matched.hook_id, breaker.recovered_ms FROM matched CROSS JOIN LATERAL (
        SELECT CASE WHEN open_seconds = 0 THEN extract(epoch FROM now() - recovered_at)::float8 * 1000 END AS recovered_ms
        FROM lane
        WHERE lane.account_id = matched.account_id AND lane.hook_id = matched.hook_id
          AND (open_seconds > 0 OR NOT matched.is_starting_slowly AND recovered_at > now() - ${slowStart})
        LIMIT 1
      ) AS breaker WHERE becomes = 'leased'
    ), sorted AS MATERIALIZED (
      SELECT *, becomes = 'leased'
                AND ((event_id, hook_id) IN (SELECT event_id, hook_id FROM deferred)) IS NOT TRUE AS is_leased
      FROM matched
    ), added AS (
      INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, hooks_version, match_pending, due_at, held,
                        lease, lease_until)
      SELECT account_id, hook_id, event_id, type, accepted_at, version, match_pending, now(), becomes = 'held',
             CASE WHEN is_leased THEN ${lease.id}::uuid END,
             CASE WHEN is_leased THEN now() + make_interval(secs => ${lease.seconds}) END
      FROM sorted WHERE becomes <> 'dropped'
    ), dropped AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts, hooks_version)
      SELECT account_id, event_id, hook_id, 1, 'cancelled', 'held_full', 0, version FROM matched WHERE becomes = 'dropped'
      RETURNING account_id, hook_id
    ), counted AS (
      INSERT INTO rollups (account_id, hook_id, hour, cancelled)
      SELECT account_id, hook_id, date_trunc('hour', now()), count(*) FROM dropped
      GROUP BY account_id, hook_id ORDER BY account_id, hook_id
      ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET cancelled = rollups.cancelled + excluded.cancelled
    ), unmatched AS (
      INSERT INTO routes (account_id, event_id, hooks_version)
      SELECT account_id, event_id, version FROM given
      WHERE (event_id IN (SELECT event_id FROM routed)) IS TRUE
        AND (event_id IN (SELECT event_id FROM matched)) IS NOT TRUE
    ), events_counted AS (
      INSERT INTO event_rollups (account_id, hour, events)
      SELECT account_id, date_trunc('hour', now()), count(*) FROM routed GROUP BY account_id ORDER BY account_id
      ON CONFLICT (account_id, hour) DO UPDATE SET events = event_rollups.events + excluded.events
    ), turns AS (
      ${addTurns(sql`
        SELECT account_id, hook_id, now(), min(host) FROM sorted
        WHERE becomes IN ('leased', 'due') AND NOT is_leased GROUP BY account_id, hook_id`)}
    )
    SELECT CASE WHEN NOT is_current THEN 'stale' WHEN event_id IN (SELECT event_id FROM routed) THEN 'routed'
                ELSE 'gone' END AS state,
           CASE WHEN event_id IN (SELECT event_id FROM deferred) THEN (
             SELECT json_agg(json_build_object('hookId', hook_id, 'recoveredMs', recovered_ms))
             FROM deferred WHERE deferred.event_id = given.event_id) ELSE '[]' END AS deferred
    FROM given ORDER BY place
  `.execute(db)
  return answer.rows
}
