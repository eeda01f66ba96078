/** An account's newest events, as many as can be read in a given time. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import type { EventType } from '../../model/hook.ts'

export interface RecentEvent extends Event {
  sender: string | null
  recipient: string | null
}

/** Of the largest events as many as fit into some megabytes. */
const pageSize = 100
const statementCancelled = '57014'

/** Newest first, until there are no more, there were enough, or the time is over. Tests are left out. */
export async function* recentEvents(
  db: Database,
  accountId: number,
  type: EventType,
  most: number,
  mostMs: number,
): AsyncGenerator<RecentEvent> {
  const endsAt = performance.now() + mostMs
  let before = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  for (let read = 0; read < most;) {
    const leftMs = Math.ceil(endsAt - performance.now())
    if (leftMs <= 0) return
    const page = await readPage(db, accountId, type, before, Math.min(pageSize, most - read), leftMs)
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

/** None when it takes longer than there is time: a type that is rare among many events. */
async function readPage(
  db: Database,
  accountId: number,
  type: EventType,
  before: string,
  most: number,
  leftMs: number,
): Promise<RecentEvent[]> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('statement_timeout', ${String(leftMs)}, true)`.execute(trx)
      const { rows } = await sql<RecentEvent>`
        SELECT account_id, id, type, data, accepted_at, sender, recipient FROM events
        WHERE account_id = ${accountId} AND id < ${before} AND (${type} = 'all' OR type = ${type})
          AND test_hook_id IS NULL
        ORDER BY id DESC LIMIT ${most}
      `.execute(trx)
      return rows
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === statementCancelled) return []
    throw error
  }
}
