/** Makes the next attempt of a delivery the last one and due now; normally retries last for days. */
import { expect } from 'vitest'
import type { TestService } from './test-service.ts'

/** Waits until a delivery has failed once, then exhausts its retries and waits for the state `failed`. */
export async function exhaustRetries(
  { database }: TestService,
  eventId: string,
  hookId: number,
): Promise<void> {
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
