/**
 * Fresh events straight from the inbox. Marks what it takes for some seconds, so that workers do not route the same.
 * Beside a stream that moves, it takes only what the stream has not moved in time; without one, everything.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { DeliverableType } from '../../model/event.ts'
import type { Source } from './source.ts'

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
const idleMs = 20
/** Looking for what the stream has left behind is not urgent. */
const besideStreamIdleMs = 250

interface Row {
  id: string
  accountId: number
  type: DeliverableType
  data: string
  acceptedAt: Date
  testHookId: number | null
  tries: number
}

export function createInboxSource(db: Database, stream: StreamWatch = noStream): Source {
  return {
    name: 'inbox',
    async take(most) {
      const isBesideStream = stream.isMoving()
      const { rows } = await sql<Row>`/* kept */
        WITH free AS (
          SELECT event_id FROM inbox WHERE (taken_until IS NULL OR taken_until < now())
            ${isBesideStream ? aged : sql``}
          ORDER BY event_id LIMIT ${most} FOR UPDATE SKIP LOCKED
        ), taken AS (
          UPDATE inbox SET taken_until = now() + make_interval(secs => ${takenSeconds}), tries = tries + 1
          WHERE event_id = ANY (ARRAY(SELECT event_id FROM free))
          RETURNING event_id, account_id, tries
        )
        SELECT events.*, taken.tries FROM taken CROSS JOIN LATERAL (
          SELECT id, account_id, type, data, accepted_at, test_hook_id FROM events
          WHERE events.account_id = taken.account_id AND events.id = taken.event_id LIMIT 1
        ) AS events
      `.execute(db)
      if (isBesideStream && rows.length > 0) stream.foundAged()
      return rows.map(({ tries, ...event }) => ({ event, tries }))
    },
    // Their rows went with the commit.
    routed() {},
    idleMs: () => (stream.isMoving() ? besideStreamIdleMs : idleMs),
    close: () => [],
    async giveBack(events) {
      await sql`
        UPDATE inbox SET taken_until = NULL, tries = greatest(tries - 1, 0)
        WHERE event_id = ANY (${events.map(({ event }) => event.id)}::uuid[])
      `.execute(db)
    },
  }
}
