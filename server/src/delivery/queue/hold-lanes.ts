/**
 * Puts lanes on hold for a stop of an operator, or because their hook cannot be loaded. Marks the lane, not its
 * deliveries, so a stop costs the same for any backlog. The claiming worker marks it: no search is needed, and a lane
 * that is released by something else is marked again.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { integer, unnestRows, uuid } from '../../db/rows.ts'
import { secondsSince } from './elapsed.ts'

export interface HeldClaim {
  accountId: number
  hookId: number
  eventId: string
  /** Null: the hook cannot be loaded. */
  stopId: number | null
}

/** Delay before a failed load is retried. */
const retryLoadSeconds = 5

/** Releases the claimed deliveries unchanged, and puts their lanes on hold. */
export async function holdLanes(db: Database, lease: string, rows: readonly HeldClaim[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${unnestRows('input', rows, {
        account_id: integer(({ accountId }) => accountId),
        hook_id: integer(({ hookId }) => hookId),
        event_id: uuid(({ eventId }) => eventId),
        stop_id: integer(({ stopId }) => stopId),
      })}
    ), released AS (
      UPDATE work SET lease = NULL, lease_until = NULL FROM input
      WHERE work.account_id = input.account_id AND work.hook_id = input.hook_id AND work.event_id = input.event_id
        AND work.lease = ${lease}
      RETURNING work.account_id, work.hook_id, input.stop_id
    )
    INSERT INTO lane (account_id, hook_id, due_at, stop_id, not_before)
    SELECT DISTINCT released.account_id, released.hook_id, now(), stops.id,
           CASE WHEN stops.id IS NOT NULL THEN 'infinity'
                WHEN released.stop_id IS NULL THEN now() + make_interval(secs => ${retryLoadSeconds})
                ELSE '-infinity' END
    FROM released LEFT JOIN stops ON stops.id = released.stop_id AND ended_at IS NULL
    ORDER BY account_id, hook_id
    -- Not attempted, so no probe either.
    ON CONFLICT (account_id, hook_id) DO UPDATE SET
      due_at = excluded.due_at, stop_id = excluded.stop_id, not_before = excluded.not_before, is_probing = false
  `.execute(db)
}

/** Lanes released in the first second after a stop ends; the number doubles every second. */
const firstLanes = 16
const maxLanes = 8_192

/**
 * Releases lanes of ended stops, with a slow start for each hook. Returns the number of lanes released. An open
 * breaker stays open and admits its probe.
 */
export async function releaseLanes(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH ended AS (
      SELECT id, least(${maxLanes}, ${firstLanes} * power(2, least(20, ${secondsSince(sql`ended_at`)})))::integer AS lanes
      FROM stops WHERE ended_at IS NOT NULL
    ), released AS MATERIALIZED (
      SELECT held.account_id, held.hook_id FROM ended CROSS JOIN LATERAL (
        SELECT account_id, hook_id FROM lane WHERE stop_id = ended.id LIMIT ended.lanes FOR UPDATE SKIP LOCKED
      ) AS held
    )
    UPDATE lane SET stop_id = NULL, due_at = now(), is_probing = false,
                    not_before = CASE WHEN open_seconds > 0 THEN now() ELSE '-infinity' END,
                    recovered_at = CASE WHEN open_seconds = 0 THEN now() END
    FROM released WHERE lane.account_id = released.account_id AND lane.hook_id = released.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Longer than any statement that could still mark a lane for a stop that was active when it began. */
const minAgeSeconds = 30

/** Deletes ended stops that hold no lane. */
export async function pruneEndedStops(db: Database): Promise<void> {
  await sql`
    DELETE FROM stops WHERE ended_at < now() - make_interval(secs => ${minAgeSeconds})
      AND NOT EXISTS (SELECT FROM lane WHERE lane.stop_id = stops.id)
  `.execute(db)
}
