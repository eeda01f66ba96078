/** Keeps the newest status of each message and call, although retries deliver statuses out of order. */
import { checkTable, type RunRedis, type RunSql } from './databases.ts'
import type { WebhookEvent } from './parse.ts'
import { orderOf } from './status-order.ts'

export interface StatusStore {
  /** Stores a status in one step, unless one of a greater order is stored for the id. Returns whether it was stored. */
  replace: (id: string, status: OrderedStatus) => Promise<boolean>
}

export interface OrderedStatus {
  /** A text that sorts. */
  order: string
  status: string
}

/**
 * Stores the status of a message or call unless a newer one is stored. Returns whether it was stored. The stored status
 * counts as new, so that a handler that failed runs again. Returns true for an event that is no status.
 */
export async function keepNewest(event: WebhookEvent, store: StatusStore): Promise<boolean> {
  const { webhook_event: type, webhook_timestamp: acceptedAt } = event
  const data: Record<string, unknown> = event.data
  const id = { dlr: data.msg_id, rcs: data.msg_id, voice_status: data.id }[type as string]
  const { status } = data
  // Typing says nothing about a message.
  if (!isScalar(id) || typeof status !== 'string' || status === 'IS_TYPING') return true
  return store.replace(`${type}:${id}`, { order: orderOf(status, [data.timestamp, acceptedAt]), status })
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** For one process: keeps the statuses of the messages that changed last. */
export function memoryStatusStore(
  maxIds = 100_000,
): StatusStore & { get: (id: string) => string | undefined } {
  const stored = new Map<string, OrderedStatus>()
  return {
    async replace(id, status) {
      const existing = stored.get(id)
      if (existing !== undefined && existing.order > status.order) return false
      stored.delete(id)
      stored.set(id, status)
      const [oldest] = stored.keys()
      if (stored.size > maxIds && oldest !== undefined) stored.delete(oldest)
      return true
    },
    get: (id) => stored.get(id)?.status,
  }
}

/**
 * For PostgreSQL and SQLite, with the table
 * `CREATE TABLE webhook_statuses (id text PRIMARY KEY, status_order text NOT NULL, status text NOT NULL)`.
 * In the transaction of the handler, the row stays locked until the handler has ended: its other writes are never those of
 * an older status either.
 */
export function sqlStatusStore(run: RunSql, table = 'webhook_statuses'): StatusStore {
  checkTable(table)
  const statement = `INSERT INTO ${table} AS stored (id, status_order, status) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET status_order = excluded.status_order, status = excluded.status
    WHERE stored.status_order <= excluded.status_order`
  return {
    replace: async (id, { order, status }) => (await run(statement, [id, order, status])) > 0,
  }
}

/** Redis runs a script as one step. */
const redisScript = `
local stored = redis.call('HGET', KEYS[1], 'order')
if stored and stored > ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'order', ARGV[1], 'status', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1`

/** A hash for each message, with the fields `order` and `status`. By default as long as Hookline keeps events for replays. */
export function redisStatusStore(run: RunRedis, { prefix = 'webhook-status:', days = 30 } = {}): StatusStore {
  return {
    async replace(id, { order, status }) {
      const seconds = String(days * 86_400)
      return Number(await run(['EVAL', redisScript, '1', `${prefix}${id}`, order, status, seconds])) === 1
    },
  }
}
