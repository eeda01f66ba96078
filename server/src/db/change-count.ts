/**
 * Limits how often an account makes changes that leave a row behind, per minute and per UTC day, over all processes.
 * Counts in the transaction of the change, so a rejected or rolled back change does not count.
 */
import { sql } from 'kysely'
import { ApiError } from '../model/errors.ts'
import type { Trx } from './database.ts'

export interface ChangeLimits {
  perMinute: number
  perDay: number
}

const descriptions = {
  hooks: 'webhook changes',
  audit: 'actions recorded in the audit log',
  tests: 'test events',
  invitations: 'invitations',
  channels: 'new channels, links and tests',
} as const

export async function countChange(
  trx: Trx,
  accountId: number,
  kind: keyof typeof descriptions,
  limits: ChangeLimits,
): Promise<void> {
  const { rows } = await sql<{ inMinute: number; inDay: number; minuteLeft: number; dayLeft: number }>`
    INSERT INTO change_counts AS existing (account_id, kind, minute, in_minute, day, in_day)
    VALUES (${accountId}, ${kind}, date_trunc('minute', now(), 'UTC'), 1, (now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (account_id, kind) DO UPDATE SET
      in_minute = CASE WHEN existing.minute = excluded.minute THEN existing.in_minute + 1 ELSE 1 END,
      minute = excluded.minute,
      in_day = CASE WHEN existing.day = excluded.day THEN existing.in_day + 1 ELSE 1 END,
      day = excluded.day
    RETURNING in_minute, in_day,
      ceil(extract(epoch FROM minute + interval '1 minute' - now()))::integer AS minute_left,
      ceil(extract(epoch FROM (day + 1)::timestamp AT TIME ZONE 'UTC' - now()))::integer AS day_left
  `.execute(trx)
  const [count] = rows
  if (count === undefined) throw new Error('change was not counted')
  if (count.inDay > limits.perDay) reject(kind, `${limits.perDay} per day`, count.dayLeft)
  if (count.inMinute > limits.perMinute) reject(kind, `${limits.perMinute} per minute`, count.minuteLeft)
}

function reject(kind: keyof typeof descriptions, limit: string, retryAfterSeconds: number): never {
  throw new ApiError(
    'tooManyChanges',
    `Too many ${descriptions[kind]}: the limit is ${limit}. Retry after ${retryAfterSeconds} s.`,
    { retryAfterSeconds: Math.max(1, retryAfterSeconds) },
  )
}
