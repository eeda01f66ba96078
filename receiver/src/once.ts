/** Handles an event once, although it can arrive several times. */
import { checkTable, type RunRedis, type RunSql } from './databases.ts'

export interface IdStore {
  /** Stores an id. Returns false if it is stored already. */
  add: (id: string) => Promise<boolean>
  /** Removes an id, so that the event is handled again. */
  remove: (id: string) => Promise<void>
}

/**
 * Runs the handler unless the id is stored. Returns false for a duplicate. If the handler fails, the id is removed: the
 * next attempt runs it again.
 */
export async function once(id: string, store: IdStore, handle: () => Promise<void> | void): Promise<boolean> {
  if (!(await store.add(id))) return false
  try {
    await handle()
  } catch (error) {
    // In a transaction that has failed, the id cannot be removed, and the rollback does it.
    await store.remove(id).catch(() => {})
    throw error
  }
  return true
}

/** For one process: keeps the newest ids. */
export function memoryStore(maxIds = 100_000): IdStore {
  const ids = new Set<string>()
  return {
    async add(id) {
      if (ids.has(id)) return false
      ids.add(id)
      const [oldest] = ids
      if (ids.size > maxIds && oldest !== undefined) ids.delete(oldest)
      return true
    },
    async remove(id) {
      ids.delete(id)
    },
  }
}

/**
 * For PostgreSQL and SQLite. The table has a unique column:
 * `CREATE TABLE webhook_ids (id text PRIMARY KEY, received_at timestamptz NOT NULL DEFAULT now())`.
 * In the transaction of the handler, an event is handled exactly once.
 */
export function sqlStore(run: RunSql, table = 'webhook_ids'): IdStore {
  checkTable(table)
  return {
    add: async (id) => (await run(`INSERT INTO ${table} (id) VALUES ($1) ON CONFLICT DO NOTHING`, [id])) > 0,
    async remove(id) {
      await run(`DELETE FROM ${table} WHERE id = $1`, [id])
    },
  }
}

export function redisStore(run: RunRedis, { prefix = 'webhook:', days = 7 } = {}): IdStore {
  return {
    add: async (id) =>
      (await run(['SET', `${prefix}${id}`, '1', 'NX', 'EX', String(days * 86_400)])) === 'OK',
    async remove(id) {
      await run(['DEL', `${prefix}${id}`])
    },
  }
}
