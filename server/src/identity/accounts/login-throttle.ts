/**
 * Counts password attempts before anything is hashed. Three buckets: this login from this IP address (small), this IP
 * address (five times that), this login from anywhere (ten times that), so that guessing is slow everywhere while a
 * stranger can hardly lock an owner out. An attempt counts when it starts and is taken back when it succeeds, so many
 * at once cannot slip through. Unknown logins are counted alike.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { networkOf } from '../../model/ip.ts'
import { every } from '../../ops/every.ts'
import type { Vault } from '../../vault/vault.ts'

export interface LoginThrottle {
  /** Counts an attempt, or refuses. The answer takes it back. */
  attempt: (login: string, ip: string) => Promise<() => Promise<void>>
  stop: () => Promise<void>
}

const windowSeconds = 15 * 60
const purgeIntervalMs = 60_000

export function createLoginThrottle(
  db: Database,
  vault: Vault,
  limit: number,
  onError: (error: unknown) => void,
): LoginThrottle {
  const stopPurging = every(purgeIntervalMs, () => purge(db), onError)
  return {
    async attempt(login, address) {
      if (limit === 0) return async () => {}
      const ip = networkOf(address)
      const limits = new Map([
        [bucket(vault, `login and ip\0${login}\0${ip}`), limit],
        [bucket(vault, `ip\0${ip}`), limit * 5],
        [bucket(vault, `login\0${login}`), limit * 10],
      ])
      const buckets = [...limits.keys()].toSorted()
      const counted = await count(db, buckets)
      const over = counted.filter((row) => row.attempts > (limits.get(row.bucket.toString('hex')) ?? limit))
      if (over.length > 0) {
        // Refused, so it was no attempt: else one bucket's refusals would fill the wider ones and lock others out.
        await takeBack(db, buckets)
        throw new Refusal('tooManyFailedLogins', 'Too many wrong passwords. Wait, or use an API key.', {
          retryAfterSeconds: Math.max(1, ...over.map((row) => Math.ceil(row.secondsLeft))),
        })
      }
      return () => takeBack(db, buckets)
    },
    stop: stopPurging,
  }
}

/** In hexadecimal, so that it can be a key of a map; the table keeps the bytes. */
function bucket(vault: Vault, name: string): string {
  return vault.digest(name, 'login-attempts').toString('hex')
}

/** Buckets come sorted: two calls that share some never wait for each other crosswise. */
async function count(
  db: Database,
  buckets: string[],
): Promise<Array<{ bucket: Buffer; attempts: number; secondsLeft: number }>> {
  const answer = await sql<{ bucket: Buffer; attempts: number; secondsLeft: number }>`
    INSERT INTO login_attempts AS known (bucket, attempts, started_at)
    SELECT decode(bucket, 'hex'), 1, now() FROM unnest(${buckets}::text[]) AS new (bucket)
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN known.started_at < now() - make_interval(secs => ${windowSeconds})
                      THEN 1 ELSE known.attempts + 1 END,
      started_at = CASE WHEN known.started_at < now() - make_interval(secs => ${windowSeconds})
                        THEN now() ELSE known.started_at END
    RETURNING bucket, attempts,
      extract(epoch FROM started_at - now())::float8 + ${windowSeconds}::float8 AS seconds_left
  `.execute(db)
  return answer.rows
}

async function takeBack(db: Database, buckets: string[]): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT bucket FROM login_attempts
      WHERE bucket IN (SELECT decode(given, 'hex') FROM unnest(${buckets}::text[]) AS given)
      ORDER BY bucket FOR UPDATE
    )
    UPDATE login_attempts SET attempts = greatest(attempts - 1, 0)
    FROM locked WHERE login_attempts.bucket = locked.bucket
  `.execute(db)
}

async function purge(db: Database): Promise<void> {
  await sql`DELETE FROM login_attempts WHERE started_at < now() - make_interval(secs => ${windowSeconds})`.execute(
    db,
  )
}
