/**
 * Counts what a stranger could repeat until it works, before anything is hashed, looked up or sent. For passwords there
 * are three buckets: this login from this IP address (small), this IP address (five times that), this login from anywhere
 * (ten times that), so that guessing is slow everywhere while a stranger can hardly lock an owner out. An attempt counts
 * when it starts and is taken back when it succeeds, so many at once cannot slip through. Unknown logins are counted alike.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { networkOf } from '../../model/ip.ts'
import { every } from '../../ops/every.ts'
import type { Vault } from '../../vault/vault.ts'

/** Each counts, or refuses. */
export interface LoginThrottle {
  /** A password. The answer takes it back. */
  attempt: (login: string, ip: string) => Promise<() => Promise<void>>
  /** A code of the second factor, from anywhere: whoever tries one has the password already. The answer takes it back. */
  attemptCode: (loginId: number) => Promise<() => Promise<void>>
  /** A mail with a link to a new password. */
  askForLink: (login: string, ip: string) => Promise<void>
  /** An alias or e-mail address that somebody else may have, which the answer would tell. */
  claimName: (ip: string) => Promise<void>
  /** A request for access that is kept until a person has answered. */
  askForAccess: (ip: string) => Promise<void>
  stop: () => Promise<void>
}

const windowSeconds = 15 * 60
const purgeIntervalMs = 60_000
/** Enough for somebody who mislaid a mail, too few to fill somebody's inbox. */
const linksOfLogin = 3

export function createLoginThrottle(
  db: Database,
  vault: Vault,
  limit: number,
  onError: (error: unknown) => void,
): LoginThrottle {
  const stopPurging = every(purgeIntervalMs, () => purge(db), onError)

  async function take(sentence: string, named: Record<string, number>): Promise<() => Promise<void>> {
    if (limit === 0) return async () => {}
    const limits = new Map(Object.entries(named).map(([name, most]) => [bucket(vault, name), most]))
    const buckets = [...limits.keys()].toSorted()
    const counted = await count(db, buckets)
    const over = counted.filter((row) => row.attempts > (limits.get(row.bucket.toString('hex')) ?? limit))
    if (over.length > 0) {
      // Refused, so it was no attempt: else one bucket's refusals would fill the wider ones and lock others out.
      await takeBack(db, buckets)
      throw new Refusal('tooManyFailedLogins', sentence, {
        retryAfterSeconds: Math.max(1, ...over.map((row) => Math.ceil(row.secondsLeft))),
      })
    }
    return () => takeBack(db, buckets)
  }

  return {
    attempt(login, address) {
      const ip = networkOf(address)
      return take('Too many wrong passwords. Wait, or use an API key.', {
        [`login and ip\0${login}\0${ip}`]: limit,
        [`ip\0${ip}`]: limit * 5,
        [`login\0${login}`]: limit * 10,
      })
    },
    attemptCode: (loginId) => take('Too many wrong codes. Wait a while.', { [`code\0${loginId}`]: limit }),
    async askForLink(login, address) {
      await take('Too many links were asked for. Look for the mail, or wait a while.', {
        [`link\0${login}`]: linksOfLogin,
        [`link ip\0${networkOf(address)}`]: limit,
      })
    },
    async claimName(address) {
      await take('Too many names were tried from here. Wait a while.', {
        [`name ip\0${networkOf(address)}`]: limit,
      })
    },
    async askForAccess(address) {
      await take('Too many requests for access came from here. Wait a while.', {
        [`access ip\0${networkOf(address)}`]: limit * 50,
      })
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
