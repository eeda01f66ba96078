/** Forces statements to run concurrently: a lock blocks them until all of them wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestService } from './test-service.ts'

/** Less than the service's statement timeout of five seconds. */
const timeoutMs = 4_500

/** Takes a lock, calls `start`, and commits once `waiting` statements are blocked. Returns the result of `start`. */
export async function barrier<T>(
  { database, db }: TestService,
  lock: string,
  waiting: number,
  start: () => Promise<T>,
): Promise<T> {
  await database.query('BEGIN')
  try {
    await database.query(lock)
    const started = start()
    const deadline = performance.now() + timeoutMs
    for (let seen = -1; seen !== waiting;) {
      const { rows } = await sql`
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
      `.execute(db)
      seen = rows.length
      if (performance.now() > deadline) throw new Error(`${seen} statements are blocked, expected ${waiting}`)
      if (seen < waiting) await sleep(20)
    }
    await database.query('COMMIT')
    return await started
  } finally {
    await database.query('ROLLBACK')
  }
}
