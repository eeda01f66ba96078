/**
 * Fresh events straight from the inbox. Marks what it takes for some seconds, so that workers do not route the same.
 * Beside a stream that moves, it takes only what the stream has not moved in time; without one, everything. Events that are
 * set apart are taken by account, and only so.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'
import type { FreshEvent, Source } from './source.ts'

/** Longer than any route takes; a worker that dies in between delays its events by this. */
const takenSeconds = 5

/** What the inbox source knows of the stream beside it. */
export interface StreamWatch {
  isMoving: () => boolean
  /** Rows were found that the stream should have moved. */
  foundAged: () => void
}

const noStream: StreamWatch = { isMoving: () => false, foundAged: () => {} }

/** The stream takes milliseconds; what is older than this it has lost or was never given. */
const aged = sql`AND event_id < uuid_v7_floor(now() - interval '2 seconds')`
const maxAccountsApart = 1_000
const idleMs = 20
const postponedSeconds = 1
/** The column ends somewhere; what is taken so often has been seen to fail or not. */
const maxCountedTries = 1_000
/** Looking for what the stream has left behind is not urgent. */
const besideStreamIdleMs = 250

const isFree = sql`(taken_until IS NULL OR taken_until < now())`

interface Row {
  id: string
  accountId: number
  type: DeliverableType
  data: string
  acceptedAt: Date
  testHookId: number | null
  tries: number
}

export interface InboxSource extends Source {
  /** From now on only `takeApart` takes these. */
  setApart: (events: readonly FreshEvent[]) => Promise<void>
  /** Accounts that have events apart, whichever worker set them apart. */
  accountsApart: () => Promise<number[]>
  /** Takes so many events of each of these accounts from those that are set apart, the oldest first. */
  takeApart: (wanted: ReadonlyArray<{ accountId: number; maxEvents: number }>) => Promise<FreshEvent[]>
}

export function createInboxSource(db: Database, stream: StreamWatch = noStream): InboxSource {
  return {
    name: 'inbox',
    async take(most) {
      const isBesideStream = stream.isMoving()
      const taken = await takeRows(
        db,
        sql`
          SELECT event_id FROM inbox WHERE NOT apart AND ${isFree} ${isBesideStream ? aged : sql``}
          ORDER BY event_id LIMIT ${most} FOR UPDATE SKIP LOCKED`,
      )
      if (isBesideStream && taken.length > 0) stream.foundAged()
      return taken
    },
    setApart: (events) => release(db, events, sql`taken_until = NULL, apart = true`),
    async accountsApart() {
      // From one account to the next in the index, however many events each of them has.
      const { rows } = await sql<{ accountId: number }>`/* kept */
        WITH RECURSIVE apart AS (
          (SELECT account_id FROM inbox WHERE apart ORDER BY account_id LIMIT 1)
          UNION ALL
          SELECT (SELECT own.account_id FROM inbox AS own WHERE own.apart AND own.account_id > apart.account_id
                  ORDER BY own.account_id LIMIT 1)
          FROM apart WHERE apart.account_id IS NOT NULL
        )
        SELECT account_id FROM apart WHERE account_id IS NOT NULL LIMIT ${maxAccountsApart}
      `.execute(db)
      return rows.map(({ accountId }) => accountId)
    },
    takeApart: (wanted) =>
      takeRows(
        db,
        sql`
          SELECT own.event_id FROM unnest(
            ${plainArray(wanted.map(({ accountId }) => accountId))}::integer[],
            ${plainArray(wanted.map(({ maxEvents }) => maxEvents))}::integer[]
          ) AS wanted (account_id, max_events) CROSS JOIN LATERAL (
            SELECT event_id FROM inbox WHERE inbox.account_id = wanted.account_id AND apart AND ${isFree}
            ORDER BY event_id LIMIT wanted.max_events FOR UPDATE SKIP LOCKED
          ) AS own`,
      ),
    // Their rows went with the commit.
    routed() {},
    idleMs: () => (stream.isMoving() ? besideStreamIdleMs : idleMs),
    close: () => [],
    giveBack: (events) => release(db, events, sql`taken_until = NULL`),
    // Not at once: they are the oldest and would be taken before all others again.
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

/** Marks what `free` selects and returns it with its events. */
async function takeRows(db: Database, free: RawBuilder<unknown>): Promise<FreshEvent[]> {
  const { rows } = await sql<Row>`/* kept */
    WITH free AS (${free}), taken AS (
      UPDATE inbox SET taken_until = now() + make_interval(secs => ${takenSeconds}), tries = least(tries + 1, ${maxCountedTries})
      WHERE event_id = ANY (ARRAY(SELECT event_id FROM free))
      RETURNING event_id, account_id, tries
    )
    SELECT events.*, taken.tries FROM taken CROSS JOIN LATERAL (
      SELECT id, account_id, type, data, accepted_at, test_hook_id FROM events
      WHERE events.account_id = taken.account_id AND events.id = taken.event_id LIMIT 1
    ) AS events
  `.execute(db)
  return rows.map(({ tries, ...event }) => ({ event, tries }))
}
