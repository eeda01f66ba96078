/** Handles an event once, although it can arrive several times, also while it is handled. */
import { checkTable, type RunRedis, type RunSql } from './databases.ts'

export interface IdStore {
  /**
   * Claims an id for a handler. `running`: another attempt has claimed it and has not finished. That claim ends after 15
   * minutes, because its process may have been killed.
   */
  start: (id: string) => Promise<'started' | 'running' | 'done'>
  /** Stores that the event was handled. */
  finish: (id: string) => Promise<void>
  /** Ends the claim, so that the event is handled again. */
  remove: (id: string) => Promise<void>
}

/**
 * Another attempt handles the event, and could still fail. So this one needs another response than success: Hookline
 * repeats it. Express and Fastify respond with `status`, other frameworks with 500.
 */
export class EventInProgress extends Error {
  override readonly name = 'EventInProgress'
  readonly status = 409
  readonly statusCode = 409

  constructor(id: string) {
    super(`Another attempt is handling the event ${id}.`)
  }
}

const maxRunningSeconds = 15 * 60

/**
 * Runs the handler unless the event was handled. Returns false for a duplicate, and throws EventInProgress while another
 * attempt handles the event. If the handler fails, the next attempt runs it again.
 */
export async function once(id: string, store: IdStore, handle: () => Promise<void> | void): Promise<boolean> {
  const state = await store.start(id)
  if (state === 'done') return false
  if (state === 'running') throw new EventInProgress(id)
  try {
    await handle()
  } catch (error) {
    // In a transaction that has failed, the id cannot be removed, and the rollback does it.
    await store.remove(id).catch(() => {})
    throw error
  }
  await store.finish(id)
  return true
}

/** For one process: keeps the newest ids. */
export function memoryStore(maxIds = 100_000): IdStore {
  const states = new Map<string, 'running' | 'done'>()
  return {
    async start(id) {
      const state = states.get(id)
      if (state !== undefined) return state
      states.set(id, 'running')
      const [oldest] = states.keys()
      if (states.size > maxIds && oldest !== undefined) states.delete(oldest)
      return 'started'
    },
    async finish(id) {
      if (states.has(id)) states.set(id, 'done')
    },
    async remove(id) {
      states.delete(id)
    },
  }
}

/**
 * For PostgreSQL and SQLite. The time until which a handler may run is 0 when it has finished:
 * `CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)`.
 * In the transaction of the handler, an event is handled exactly once.
 */
export function sqlStore(run: RunSql, table = 'webhook_ids'): IdStore {
  checkTable(table)
  return {
    async start(id) {
      const now = Math.floor(Date.now() / 1_000)
      const claimed = await run(
        `INSERT INTO ${table} AS ids (id, running_until) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET running_until = excluded.running_until
         WHERE ids.running_until > 0 AND ids.running_until < $3`,
        [id, String(now + maxRunningSeconds), String(now)],
      )
      if (claimed > 0) return 'started'
      // Only the number of rows is known, so this reads by a change without an effect.
      const done = await run(`UPDATE ${table} SET running_until = 0 WHERE id = $1 AND running_until = 0`, [
        id,
      ])
      return done > 0 ? 'done' : 'running'
    },
    async finish(id) {
      await run(`UPDATE ${table} SET running_until = 0 WHERE id = $1`, [id])
    },
    async remove(id) {
      await run(`DELETE FROM ${table} WHERE id = $1`, [id])
    },
  }
}

export function redisStore(run: RunRedis, { prefix = 'webhook:', days = 7 } = {}): IdStore {
  return {
    async start(id) {
      const key = `${prefix}${id}`
      if ((await run(['SET', key, 'running', 'NX', 'EX', String(maxRunningSeconds)])) === 'OK')
        return 'started'
      return (await run(['GET', key])) === 'done' ? 'done' : 'running'
    },
    async finish(id) {
      await run(['SET', `${prefix}${id}`, 'done', 'EX', String(days * 86_400)])
    },
    async remove(id) {
      await run(['DEL', `${prefix}${id}`])
    },
  }
}
