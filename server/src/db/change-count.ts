/**
 * Limits how often an account changes things that leave a row behind, per minute and per day of UTC, over all processes.
 * Counted in the transaction of the change, so that a change that is refused or rolled back does not count.
 */
import { sql } from 'kysely'
import { Refusal } from '../model/errors.ts'
import type { Trx } from './database.ts'

export interface ChangeLimits {
  perMinute: number
  perDay: number
}

const descriptions = {
  hooks: 'changes of webhooks',
  audit: 'actions that are recorded in the audit log',
} as const

export async function countChange(
  trx: Trx,
  accountId: number,
  kind: keyof typeof descriptions,
  limits: ChangeLimits,
): Promise<void> {
  const { rows } = await sql<{ inMinute: number; inDay: number; minuteLeft: number; dayLeft: number }>`
    INSERT INTO change_counts AS known (account_id, kind, minute, in_minute, day, in_day)
    VALUES (${accountId}, ${kind}, date_trunc('minute', now(), 'UTC'), 1, (now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (account_id, kind) DO UPDATE SET
      in_minute = CASE WHEN known.minute = excluded.minute THEN known.in_minute + 1 ELSE 1 END,
      minute = excluded.minute,
      in_day = CASE WHEN known.day = excluded.day THEN known.in_day + 1 ELSE 1 END,
      day = excluded.day
    RETURNING in_minute, in_day,
      ceil(extract(epoch FROM minute + interval '1 minute' - now()))::integer AS minute_left,
      ceil(extract(epoch FROM (day + 1)::timestamp AT TIME ZONE 'UTC' - now()))::integer AS day_left
  `.execute(trx)
  const [count] = rows
  if (count === undefined) throw new Error('the change was not counted')
  if (count.inDay > limits.perDay) refuse(kind, `${limits.perDay} a day`, count.dayLeft)
  if (count.inMinute > limits.perMinute) refuse(kind, `${limits.perMinute} a minute`, count.minuteLeft)
}

function refuse(kind: keyof typeof descriptions, limit: string, retryAfterSeconds: number): never {
  throw new Refusal(
    'tooManyChanges',
    `Too many ${descriptions[kind]}: an account can make ${limit}. Retry after ${retryAfterSeconds} s.`,
    { retryAfterSeconds: Math.max(1, retryAfterSeconds) },
  )
}
