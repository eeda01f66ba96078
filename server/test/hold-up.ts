/** Makes things happen at once that else would do so by luck: holds them at a lock until all are there. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestWorld } from './service.ts'

/** Less than the five seconds after which the service gives a statement up. */
const patienceMs = 4_500

/** Takes a lock, starts, and commits once so many statements of the service wait. Answers what was started. */
export async function holdUp<T>(
  { database, db }: TestWorld,
  lock: string,
  waiting: number,
  start: () => Promise<T>,
): Promise<T> {
  await database.query('BEGIN')
  try {
    await database.query(lock)
    const started = start()
    const until = performance.now() + patienceMs
    for (let seen = -1; seen !== waiting;) {
      const { rows } = await sql`
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
      `.execute(db)
      seen = rows.length
      if (performance.now() > until) throw new Error(`${seen} statements wait, not ${waiting}`)
      if (seen < waiting) await sleep(20)
    }
    await database.query('COMMIT')
    return await started
  } finally {
    await database.query('ROLLBACK')
  }
}
