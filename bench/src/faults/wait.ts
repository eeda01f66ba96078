import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** Waits until a condition holds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const endsAt = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`not so in ${withinMs} ms: ${what}`)
    await sleep(5)
  }
}

/** Waits until a statement of somebody else waits for a lock that this connection holds. */
export async function untilBlocks(client: Client): Promise<void> {
  await until('somebody waits for the lock', async () => {
    const { rows } = await client.query(
      'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
    )
    return rows.length > 0
  })
}
