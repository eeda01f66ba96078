/** What fails for good does so after days; here the next attempt is the last, and now. */
import { expect } from 'vitest'
import type { TestWorld } from './service.ts'

/** Waits until a delivery has failed once, and then until it has failed for good. */
export async function failForGood({ database }: TestWorld, eventId: string, hookId: number): Promise<void> {
  const stateOf = async () => {
    const rows = await database.query<{ state: string }>(
      `SELECT 'waiting' AS state FROM work WHERE event_id = $1 AND hook_id = $2 AND attempts > 0 AND lease IS NULL
       UNION ALL SELECT state FROM deliveries WHERE event_id = $1 AND hook_id = $2`,
      [eventId, hookId],
    )
    return rows.map(({ state }) => state)
  }
  await expect.poll(stateOf, { timeout: 30_000 }).toEqual(['waiting'])
  await database.query(
    'UPDATE work SET attempts = 11, due_at = now(), waits_since = NULL WHERE event_id = $1 AND hook_id = $2',
    [eventId, hookId],
  )
  await database.query('UPDATE lane SET due_at = now() WHERE hook_id = $1', [hookId])
  await expect.poll(stateOf, { timeout: 30_000 }).toEqual(['failed'])
}
