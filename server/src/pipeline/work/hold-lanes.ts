/**
 * Lanes that wait for something other than their receiver: a stop of an operator, or a hook that cannot be loaded. The lane
 * is marked, not its deliveries, so that a stop costs the same however many wait. It is marked by the worker that claims
 * it: nothing has to be found beforehand, and a lane that something else sets free is marked again.
 */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'

export interface HeldClaim {
  accountId: number
  hookId: number
  eventId: string
  /** Null: its hook cannot be loaded. */
  stopId: number | null
}

/** When a hook that could not be loaded is tried again. */
const retryLoadSeconds = 5

/** Gives back what was claimed, as it was, and lets its lanes wait. */
export async function holdLanes(db: Database, lease: string, rows: readonly HeldClaim[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${plainArray(rows.map((row) => row.accountId))}::integer[],
        ${plainArray(rows.map((row) => row.hookId))}::integer[],
        ${wordArray(rows.map((row) => row.eventId))}::uuid[],
        ${plainArray(rows.map((row) => row.stopId))}::integer[]
      ) AS given (account_id, hook_id, event_id, stop_id)
    ), released AS (
      UPDATE work SET lease = NULL, lease_until = NULL FROM given
      WHERE work.account_id = given.account_id AND work.hook_id = given.hook_id AND work.event_id = given.event_id
        AND work.lease = ${lease}
      RETURNING work.account_id, work.hook_id, given.stop_id
    )
    INSERT INTO lane (account_id, hook_id, due_at, stop_id, not_before)
    SELECT DISTINCT released.account_id, released.hook_id, now(), stops.id,
           CASE WHEN stops.id IS NOT NULL THEN 'infinity'
                WHEN released.stop_id IS NULL THEN now() + make_interval(secs => ${retryLoadSeconds})
                ELSE '-infinity' END
    FROM released LEFT JOIN stops ON stops.id = released.stop_id AND ended_at IS NULL
    ORDER BY account_id, hook_id
    -- It was not attempted, so it was no probe either.
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = excluded.due_at, stop_id = excluded.stop_id, not_before = excluded.not_before, is_probing = false
  `.execute(db)
}

/** So many lanes of a stop that has ended are released in its first second; then twice as many in each. */
const firstLanes = 16
const maxLanes = 8_192

/**
 * Releases lanes of stops that have ended, with a slow start for each hook. Returns the number of lanes released. A breaker that
 * was open stays open and lets its probe through.
 */
export async function releaseLanes(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH ended AS (
      SELECT id, least(${maxLanes}, ${firstLanes} * power(2, least(20, extract(epoch FROM now() - ended_at))))::integer AS lanes
      FROM stops WHERE ended_at IS NOT NULL
    ), released AS MATERIALIZED (
      SELECT own.account_id, own.hook_id FROM ended CROSS JOIN LATERAL (
        SELECT account_id, hook_id FROM lane WHERE stop_id = ended.id LIMIT ended.lanes FOR UPDATE SKIP LOCKED
      ) AS own
    )
    UPDATE lane SET stop_id = NULL, due_at = now(), is_probing = false,
                    not_before = CASE WHEN open_seconds > 0 THEN now() ELSE '-infinity' END,
                    recovered_at = CASE WHEN open_seconds = 0 THEN now() END
    FROM released WHERE lane.account_id = released.account_id AND lane.hook_id = released.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Longer than any statement that could still mark a lane for a stop that was in force when it began. */
const keptSeconds = 30

/** Stops that have ended and hold no lane any more. */
export async function forgetEndedStops(db: Database): Promise<void> {
  await sql`
    DELETE FROM stops WHERE ended_at < now() - make_interval(secs => ${keptSeconds})
      AND NOT EXISTS (SELECT FROM lane WHERE lane.stop_id = stops.id)
  `.execute(db)
}
