/**
 * Counts of an account for each minute of the last hour. Rollups are hourly, so these come from the ledger: events,
 * deliveries and attempts by the minute in which each event was accepted. The newest events are read up to a limit.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { within } from '../ledger/days.ts'
import { withIndexScans } from '../ledger/indexed-read.ts'
import { newestAttempts } from '../ledger/newest-attempts.ts'
import { minEventId } from '../model/event-id.ts'
import type { Bucket } from './account-stats.ts'
import { noResponses, percentiles, type ResponseTimes } from './response-times.ts'

const minuteMs = 60_000
const lastHourMinutes = 60

/** Limit of each read. An account with more shows its newest minutes only. */
const maxRead = 20_000

interface LastHour {
  buckets: Array<Bucket & ResponseTimes>
  /** Minutes before are incomplete; null if everything was read. */
  completeFrom: Date | null
}

export function readLastHour(db: Database, accountId: number, now: number): Promise<LastHour> {
  const first = Math.floor(now / minuteMs) * minuteMs - (lastHourMinutes - 1) * minuteMs
  const ids = { low: minEventId(new Date(first)), high: minEventId(new Date(now + minuteMs)) }
  const minuteOf = (column: string) => sql`
    div(('x' || left(replace(${sql.ref(column)}::text, '-', ''), 12))::bit(48)::bigint - ${first}, ${minuteMs})::integer`
  const newest = (columns: string, table: string, id: string) => sql`
    SELECT ${minuteOf(id)} AS minute, ${sql.raw(columns)} FROM ${sql.table(table)}
    WHERE account_id = ${accountId} AND ${within(ids, id)} ORDER BY ${sql.ref(id)} DESC LIMIT ${sql.lit(maxRead)}`
  return withIndexScans(db, async (trx) => {
    const { rows: events } = await sql<{ minute: number; events: number }>`
      SELECT minute, count(*)::integer AS events FROM (${newest('id', 'events', 'id')}) AS read GROUP BY minute
    `.execute(trx)
    const { rows: deliveries } = await sql<{ minute: number; state: string; count: number }>`
      SELECT minute, state, count(*)::integer AS count FROM (${newest('state', 'deliveries', 'event_id')}) AS read
      GROUP BY minute, state
    `.execute(trx)
    const attemptsRead = sql`
      SELECT ${minuteOf('event_id')} AS minute, reason, status, total_ms
      FROM (${newestAttempts(accountId, within(ids, 'event_id'), sql.lit(maxRead))}) AS attempts`
    const { rows: attempts } = await sql<AttemptGroup>`
      SELECT minute, CASE WHEN reason = 'delivered' THEN '2' WHEN reason IN ('timeout', 'connect_timeout') THEN 'timeout'
                          ELSE coalesce(left(status::text, 1), 'none') END AS kind, count(*)::integer AS count
      FROM (${attemptsRead}) AS read GROUP BY 1, 2
    `.execute(trx)
    const { rows: times } = await sql<ResponseTimes & { minute: number }>`
      SELECT minute, ${percentiles} FROM (${attemptsRead}) AS read WHERE status IS NOT NULL GROUP BY minute
    `.execute(trx)
    const buckets = emptyBuckets(first)
    for (const row of events) Object.assign(buckets[row.minute] ?? {}, { events: row.events })
    for (const { minute, state, count } of deliveries)
      Object.assign(buckets[minute] ?? {}, { [state]: count })
    for (const { minute, ...values } of times) Object.assign(buckets[minute] ?? {}, values)
    for (const group of attempts) addAttempts(buckets[group.minute], group)
    return { buckets, completeFrom: completeFrom(first, [events, deliveries, attempts]) }
  })
}

interface AttemptGroup {
  minute: number
  kind: string
  count: number
}

const kindFields = { '3': 'status3xx', '4': 'status4xx', '5': 'status5xx', timeout: 'timeouts' } as const

function addAttempts(to: Bucket | undefined, { kind, count }: AttemptGroup): void {
  if (to === undefined) return
  to.attempts += count
  if (kind !== '2') to.failures += count
  if (Object.hasOwn(kindFields, kind)) to[kindFields[kind as keyof typeof kindFields]] += count
}

function emptyBuckets(first: number): Array<Bucket & ResponseTimes> {
  return Array.from({ length: lastHourMinutes }, (_, minute) => ({
    start: new Date(first + minute * minuteMs),
    events: 0,
    delivered: 0,
    failed: 0,
    expired: 0,
    cancelled: 0,
    attempts: 0,
    failures: 0,
    status3xx: 0,
    status4xx: 0,
    status5xx: 0,
    timeouts: 0,
    ...noResponses,
  }))
}

type Counted = ReadonlyArray<{ minute: number; count?: number; events?: number }>

/** A read that reached the limit may have missed a part of its oldest minute and all before. */
function completeFrom(first: number, reads: readonly Counted[]): Date | null {
  const firstComplete = reads.map((rows) => {
    const total = rows.reduce((sum, { count = 0, events = 0 }) => sum + count + events, 0)
    return total < maxRead ? 0 : Math.min(...rows.map(({ minute }) => minute)) + 1
  })
  const minute = Math.max(...firstComplete)
  return minute === 0 ? null : new Date(first + minute * minuteMs)
}
