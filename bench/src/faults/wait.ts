import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/**
 * Between a fault and the last request that was already on its way to a receiver. The receivers share two cores with all
 * that they watch, so that a request may lie in its socket for a while before its arrival is written down; a process that
 * is dead or held sends nothing in that time, so the width excuses nothing that it could do wrong.
 */
export const onTheWayMs = 3_000

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
  await until('somebody waits for the lock', async () => (await countBlocked(client)) > 0)
}

/** Waits until the last of those statements was cancelled: the service gives each of them 5 s. */
export async function untilBlocksNobody(client: Client): Promise<void> {
  await until('nobody waits for the lock any more', async () => (await countBlocked(client)) === 0)
}

async function countBlocked(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  )
  return rows.length
}
