/**
 * The inbox: accepted events that are not routed. A worker that reads events marks them as taken for some seconds, so
 * workers do not route the same events. The mark is a hint, not a claim: the route commit decides which worker routed an
 * event. Events that are set apart are read only by account.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import { eventOf } from './event-of.ts'

/** Longer than any route takes. The events of a worker that dies are delayed by this. */
const takenSeconds = 5
const maxAccountsApart = 1_000
const postponedSeconds = 1
/** Limited by the column type. */
const maxCountedTries = 1_000

const isFree = sql`(taken_until IS NULL OR taken_until < now())`

export interface FreshEvent {
  event: Event
  /** How often a worker has started to route the event, including now. */
  tries: number
}

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

export interface Inbox {
  /** Half of the events are the oldest, so none waits forever. The others are the newest, which do not wait for a backlog. */
  pull: (max: number) => Promise<FreshEvent[]>
  /** Releases events that could not be routed through no fault of theirs, for any worker. */
  release: (events: readonly FreshEvent[]) => Promise<void>
  /**
   * Postpones events beyond the current budget. They are pulled again a little later, and this does not count as a
   * try.
   */
  postpone: (events: readonly FreshEvent[]) => Promise<void>
  /** Sets events apart: only `pullApart` reads them from now on. */
  setApart: (events: readonly FreshEvent[]) => Promise<void>
  /** Returns accounts with events set apart by any worker. */
  accountsApart: () => Promise<number[]>
  /** Reads up to `maxEvents` set-apart events of each account, oldest first. */
  pullApart: (requested: ReadonlyArray<{ accountId: number; maxEvents: number }>) => Promise<FreshEvent[]>
}

export function createInbox(db: Database): Inbox {
  return {
    pull: (max) =>
      pullRows(
        db,
        sql`
          SELECT * FROM (SELECT event_id FROM inbox WHERE NOT apart AND ${isFree}
                         ORDER BY event_id LIMIT ${Math.ceil(max / 2)} FOR UPDATE SKIP LOCKED) AS oldest
          UNION
          SELECT * FROM (SELECT event_id FROM inbox WHERE NOT apart AND ${isFree}
                         ORDER BY event_id DESC LIMIT ${Math.floor(max / 2)} FOR UPDATE SKIP LOCKED) AS newest`,
      ),
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
    SELECT events.*, taken.tries FROM taken CROSS JOIN LATERAL ${eventOf(
      'taken',
      sql`id, account_id, type, data, accepted_at, test_hook_id, traceparent`,
    )} AS events
  `.execute(db)
  return rows.map(({ tries, ...event }) => ({ event, tries }))
}
