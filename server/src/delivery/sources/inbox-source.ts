/**
 * Reads fresh events from the inbox. Marks them as taken for some seconds, so workers do not route the same events.
 * Next to a moving stream it reads only events that the stream has not delivered in time; without a stream, all.
 * Events that are set apart are read only by account.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import type { FreshEvent, Source } from './source.ts'

/** Longer than any route takes. The events of a worker that dies are delayed by this. */
const takenSeconds = 5

/** The state of the stream, as the inbox source needs it. */
export interface StreamWatch {
  isMoving: () => boolean
  /** Called when the inbox has rows that the stream should have delivered. */
  foundAged: () => void
}

const noStream: StreamWatch = { isMoving: () => false, foundAged: () => {} }

/** The stream takes milliseconds. Older events were lost or never published. */
const aged = sql`AND event_id < uuid_v7_floor(now() - interval '2 seconds')`
const maxAccountsApart = 1_000
const idleMs = 20
const postponedSeconds = 1
/** Limited by the column type. */
const maxCountedTries = 1_000
/** Finding events that the stream missed is not urgent. */
const besideStreamIdleMs = 250

const isFree = sql`(taken_until IS NULL OR taken_until < now())`

interface Row {
  id: string
  accountId: number
  type: string
  data: string
  acceptedAt: Date
  testHookId: number | null
  traceparent: string | null
  tries: number
}

export interface InboxSource extends Source {
  /** Sets events apart: only `pullApart` reads them from now on. */
  setApart: (events: readonly FreshEvent[]) => Promise<void>
  /** Returns accounts with events set apart by any worker. */
  accountsApart: () => Promise<number[]>
  /** Reads up to `maxEvents` set-apart events of each account, oldest first. */
  pullApart: (requested: ReadonlyArray<{ accountId: number; maxEvents: number }>) => Promise<FreshEvent[]>
}

export function createInboxSource(db: Database, stream: StreamWatch = noStream): InboxSource {
  return {
    name: 'inbox',
    async pull(max) {
      const isBesideStream = stream.isMoving()
      const taken = await pullRows(
        db,
        sql`
          SELECT event_id FROM inbox WHERE NOT apart AND ${isFree} ${isBesideStream ? aged : sql``}
          ORDER BY event_id LIMIT ${max} FOR UPDATE SKIP LOCKED`,
      )
      if (isBesideStream && taken.length > 0) stream.foundAged()
      return taken
    },
    setApart: (events) => release(db, events, sql`taken_until = NULL, apart = true`),
    async accountsApart() {
      // Skips from account to account in the index, however many events each has.
      const { rows } = await sql<{ accountId: number }>`/* prepared */
        WITH RECURSIVE apart AS (
          (SELECT account_id FROM inbox WHERE apart ORDER BY account_id LIMIT 1)
          UNION ALL
          SELECT (SELECT next.account_id FROM inbox AS next WHERE next.apart AND next.account_id > apart.account_id
                  ORDER BY next.account_id LIMIT 1)
          FROM apart WHERE apart.account_id IS NOT NULL
        )
        SELECT account_id FROM apart WHERE account_id IS NOT NULL LIMIT ${maxAccountsApart}
      `.execute(db)
      return rows.map(({ accountId }) => accountId)
    },
    pullApart: (requested) =>
      pullRows(
        db,
        sql`
          SELECT picked.event_id FROM unnest(
            ${plainArray(requested.map(({ accountId }) => accountId))}::integer[],
            ${plainArray(requested.map(({ maxEvents }) => maxEvents))}::integer[]
          ) AS requested (account_id, max_events) CROSS JOIN LATERAL (
            SELECT event_id FROM inbox WHERE inbox.account_id = requested.account_id AND apart AND ${isFree}
            ORDER BY event_id LIMIT requested.max_events FOR UPDATE SKIP LOCKED
          ) AS picked`,
      ),
    // The route commit has deleted their rows.
    routed() {},
    idleMs: () => (stream.isMoving() ? besideStreamIdleMs : idleMs),
    close: () => [],
    release: (events) => release(db, events, sql`taken_until = NULL`),
    // With a delay: as the oldest events they would be read first again.
    postpone: (events) =>
      release(db, events, sql`taken_until = now() + make_interval(secs => ${postponedSeconds})`),
  }
}

async function release(db: Database, events: readonly FreshEvent[], set: RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE inbox SET ${set}, tries = greatest(tries - 1, 0)
    WHERE event_id = ANY (${events.map(({ event }) => event.id)}::uuid[])
  `.execute(db)
}

/** Marks the rows that `free` selects as taken, and returns their events. */
async function pullRows(db: Database, free: RawBuilder<unknown>): Promise<FreshEvent[]> {
  const { rows } = await sql<Row>`/* prepared */
    WITH free AS (${free}), taken AS (
      UPDATE inbox SET taken_until = now() + make_interval(secs => ${takenSeconds}), tries = least(tries + 1, ${maxCountedTries})
      WHERE event_id = ANY (ARRAY(SELECT event_id FROM free))
      RETURNING event_id, account_id, tries
    )
    SELECT events.*, taken.tries FROM taken CROSS JOIN LATERAL (
      SELECT id, account_id, type, data, accepted_at, test_hook_id, traceparent FROM events
      WHERE events.account_id = taken.account_id AND events.id = taken.event_id LIMIT 1
    ) AS events
  `.execute(db)
  return rows.map(({ tries, ...event }) => ({ event, tries }))
}
