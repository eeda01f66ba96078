/**
 * Stores failed attempts in PostgreSQL, shared by all processes. A row per bucket counts the failures of the current
 * window and the attempts in flight. An attempt reserves allowance before it starts, then releases it or counts a failure.
 * Reservations expire, so that a crashed process does not block allowance permanently.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { drain } from '../../runtime/drain.ts'

/** A bucket (a keyed digest in hexadecimal) and its max failures per window. */
export interface Allowance {
  bucket: string
  max: number
}

export interface BucketState {
  bucket: string
  failures: number
  /** Whether this attempt has a reservation in the bucket. */
  isReserved: boolean
  /** Seconds until the window ends. */
  secondsLeft: number
}

const windowSeconds = 15 * 60
/** Longer than any attempt, because the wait in the hash queue is bounded. */
const reservationSeconds = 60

const isWindowOver = sql<boolean>`existing.started_at < now() - make_interval(secs => ${sql.lit(windowSeconds)})`
const returnedState = sql`
  encode(bucket, 'hex') AS bucket, attempts AS failures,
  extract(epoch FROM started_at - now())::float8 + ${sql.lit(windowSeconds)} AS seconds_left`

/**
 * Reserves allowance in each bucket that has some left. Buckets must be sorted, so that two calls with common buckets
 * never deadlock.
 */
export async function reserve(
  db: Database,
  reservation: string,
  allowances: readonly Allowance[],
): Promise<BucketState[]> {
  const buckets = allowances.map(({ bucket }) => bucket)
  const maxima = allowances.map(({ max }) => max)
  const states = await sql<BucketState>`
    INSERT INTO login_attempts AS existing (bucket, attempts, started_at, in_flight)
    SELECT decode(bucket, 'hex'), 0, now(),
      jsonb_build_object(${reservation}::text, extract(epoch FROM now()) + ${reservationSeconds}::integer)
    FROM unnest(${buckets}::text[]) AS requested (bucket)
    ON CONFLICT (bucket) DO UPDATE SET (attempts, started_at, in_flight) = (
      SELECT failures.count, CASE WHEN ${isWindowOver} THEN now() ELSE existing.started_at END,
        CASE WHEN failures.count + live.count
                < (${maxima}::integer[])[array_position(${buckets}::text[], encode(existing.bucket, 'hex'))]
             THEN live.in_flight || excluded.in_flight ELSE live.in_flight END
      FROM (SELECT CASE WHEN ${isWindowOver} THEN 0 ELSE existing.attempts END AS count) AS failures,
        (SELECT count(*), coalesce(jsonb_object_agg(key, value), '{}') AS in_flight
         FROM jsonb_each(existing.in_flight) WHERE value::float8 > extract(epoch FROM now())) AS live
    )
    RETURNING ${returnedState}, jsonb_exists(in_flight, ${reservation}::text) AS is_reserved
  `.execute(db)
  return states.rows
}

/** Counts a failure in each bucket and ends the reservation. A window starts with its first failure. */
export async function fail(
  db: Database,
  reservation: string,
  buckets: readonly string[],
): Promise<BucketState[]> {
  const states = await sql<BucketState>`
    INSERT INTO login_attempts AS existing (bucket, attempts, started_at)
    SELECT decode(bucket, 'hex'), 1, now() FROM unnest(${buckets}::text[]) AS requested (bucket)
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN ${isWindowOver} THEN 1 ELSE existing.attempts + 1 END,
      started_at = CASE WHEN ${isWindowOver} OR existing.attempts = 0 THEN now() ELSE existing.started_at END,
      in_flight = existing.in_flight - ${reservation}::text
    RETURNING ${returnedState}, false AS is_reserved
  `.execute(db)
  return states.rows
}

/** Returns the reserved allowance. */
export async function release(db: Database, reservation: string, buckets: readonly string[]): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT bucket FROM login_attempts
      WHERE bucket IN (SELECT decode(requested, 'hex') FROM unnest(${buckets}::text[]) AS requested)
      ORDER BY bucket FOR UPDATE
    )
    UPDATE login_attempts SET in_flight = in_flight - ${reservation}::text
    FROM locked WHERE login_attempts.bucket = locked.bucket
  `.execute(db)
}

const maxPrunedPerBatch = 5_000

/** Deletes old rows in batches. Reservations are added only within a window, so these rows have no active one. */
export function pruneAttempts(db: Database): Promise<void> {
  return drain(async () => {
    const removed = await sql`
      DELETE FROM login_attempts WHERE bucket IN (
        SELECT bucket FROM login_attempts
        WHERE started_at < now() - make_interval(secs => ${windowSeconds + reservationSeconds}) LIMIT ${maxPrunedPerBatch})
    `.execute(db)
    return Number(removed.numAffectedRows ?? 0n)
  })
}
