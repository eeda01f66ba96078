/**
 * Allowances in PostgreSQL, shared by all processes: a row per bucket with the failures of the current window and the
 * attempts in flight. An attempt reserves allowance before it starts and either returns it or turns it into a failure.
 * A reservation expires by itself, so that a process that dies does not keep allowance for good.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { untilNone } from '../../ops/until-none.ts'

/** A bucket (a keyed digest, in hexadecimal) and how many failures it may have in a window. */
export interface Allowance {
  bucket: string
  max: number
}

export interface BucketState {
  bucket: string
  failures: number
  /** Whether this attempt has a reservation in the bucket. */
  isReserved: boolean
  /** Until the window ends. */
  secondsLeft: number
}

const windowSeconds = 15 * 60
/** Longer than any attempt takes: it waits for its turn to be hashed for a bounded time. */
const reservationSeconds = 60

const isWindowOver = sql<boolean>`existing.started_at < now() - make_interval(secs => ${sql.lit(windowSeconds)})`
const returnedState = sql`
  encode(bucket, 'hex') AS bucket, attempts AS failures,
  extract(epoch FROM started_at - now())::float8 + ${sql.lit(windowSeconds)} AS seconds_left`

/**
 * Reserves allowance in each bucket that has some left. Buckets must be sorted: two calls that share some then never wait
 * for each other crosswise.
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
      WHERE bucket IN (SELECT decode(given, 'hex') FROM unnest(${buckets}::text[]) AS given)
      ORDER BY bucket FOR UPDATE
    )
    UPDATE login_attempts SET in_flight = in_flight - ${reservation}::text
    FROM locked WHERE login_attempts.bucket = locked.bucket
  `.execute(db)
}

const maxPurged = 5_000

/** A reservation is only ever added within a window, so a row this old has none that counts. In steps: strangers add rows. */
export function purgeAttempts(db: Database): Promise<void> {
  return untilNone(async () => {
    const removed = await sql`
      DELETE FROM login_attempts WHERE bucket IN (
        SELECT bucket FROM login_attempts
        WHERE started_at < now() - make_interval(secs => ${windowSeconds + reservationSeconds}) LIMIT ${maxPurged})
    `.execute(db)
    return Number(removed.numAffectedRows ?? 0n)
  })
}
