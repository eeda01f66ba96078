import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/**
 * Maximum time from a fault to the arrival of a request that was already in transit. The receivers share two cores with
 * the service, so a request may wait in its socket before the receiver logs it. A killed or paused process sends
 * nothing in that time, so the allowance hides no error.
 */
export const inTransitMs = 3_000

/** Waits until the condition is true. Throws with the description after the timeout. */
export async function waitFor(
  description: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const endsAt = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > endsAt)
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${description}`)
    await sleep(5)
  }
}

/** Waits until another session waits for a lock that this connection holds. */
export async function waitUntilBlocking(client: Client): Promise<void> {
  await waitFor('a session to block on the lock', async () => (await countBlocked(client)) > 0)
}

/** Waits until no session is blocked: the service cancels its statements after 5 s. */
export async function waitUntilUnblocked(client: Client): Promise<void> {
  await waitFor('no session to block on the lock', async () => (await countBlocked(client)) === 0)
}

async function countBlocked(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  )
  return rows.length
}
