/** Reads an account's newest events within a time limit. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Event } from '../model/event.ts'
import { typeOfName } from '../model/event-part.ts'
import { hasErrorCode } from '../runtime/has-error-code.ts'

export interface RecentEvent extends Event {
  sender: string | null
  recipient: string | null
}

/** A page of the largest events is a few megabytes. */
const pageSize = 100
const statementCancelled = '57014'

/**
 * Yields events of a type or of an older name, newest first, until there are no more, `max` is reached or the time is
 * up. Tests are omitted.
 */
export async function* recentEvents(
  db: Database,
  accountId: number,
  type: string,
  max: number,
  maxMs: number,
): AsyncGenerator<RecentEvent> {
  const endsAt = performance.now() + maxMs
  let before = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  for (let read = 0; read < max;) {
    const leftMs = Math.ceil(endsAt - performance.now())
    if (leftMs <= 0) return
    const page = await readPage(db, accountId, type, before, Math.min(pageSize, max - read), leftMs)
    const last = page.at(-1)
    if (last === undefined) return
    for (const event of page) {
      if (performance.now() > endsAt) return
      yield event
    }
    read += page.length
    before = last.id
  }
}

/** Returns none if the time is up first, as for a type that is rare among many events. */
async function readPage(
  db: Database,
  accountId: number,
  type: string,
  before: string,
  max: number,
  leftMs: number,
): Promise<RecentEvent[]> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('statement_timeout', ${String(leftMs)}, true)`.execute(trx)
      const { rows } = await sql<RecentEvent>`
        SELECT account_id, id, type, data, accepted_at, sender, recipient FROM events
        WHERE account_id = ${accountId} AND id < ${before} AND (${type} = 'all' OR type = ${typeOfName(type)})
          AND test_hook_id IS NULL AND test_consumer_id IS NULL
        ORDER BY id DESC LIMIT ${max}
      `.execute(trx)
      return rows
    })
  } catch (error) {
    if (hasErrorCode(error, statementCancelled)) return []
    throw error
  }
}
