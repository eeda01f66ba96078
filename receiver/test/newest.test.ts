/** Keeps the newest status, with the stores for memory, real PostgreSQL and Redis servers, and SQLite. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keepNewest,
  memoryStatusStore,
  parse,
  redisStatusStore,
  sign,
  sqlStatusStore,
  type StatusStore,
  type WebhookEvent,
} from '../src/index.ts'
import { type Databases, startDatabases } from './support/databases.ts'

let databases: Databases
const memory = memoryStatusStore()

beforeAll(async () => {
  databases = await startDatabases(
    'CREATE TABLE webhook_statuses (id text PRIMARY KEY, status_order text NOT NULL, status text NOT NULL)',
  )
})
afterAll(async () => databases.close())

interface Opened {
  store: StatusStore
  /** Reads the stored status. */
  read: (id: string) => unknown
}

const query = 'SELECT status FROM webhook_statuses WHERE id = $1'

const stores: Record<string, () => Opened> = {
  memory: () => ({ store: memory, read: memory.get }),
  PostgreSQL: () => ({
    store: sqlStatusStore(databases.postgres),
    read: async (id) => (await databases.pool.query<{ status: string }>(query, [id])).rows[0]?.status,
  }),
  SQLite: () => ({
    store: sqlStatusStore(databases.sqlite),
    read: (id) => databases.sqliteFile.prepare(query).get({ 1: id })?.status,
  }),
  Redis: () => ({
    store: redisStatusStore(databases.redis),
    read: (id) => databases.redis(['HGET', `webhook-status:${id}`, 'status']),
  }),
}

function eventOf(type: string, data: Record<string, unknown>): WebhookEvent {
  const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`
  return parse(sign({ webhook_event: type, data }, { secret, now: new Date('2025-11-15T09:00:30Z') }))
}

function statusOf(id: string, status: string, timestamp: unknown): WebhookEvent {
  return eventOf('dlr', { msg_id: id, status, timestamp, foreign_id: null })
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

test.each(Object.entries(stores))('%s: of 50 concurrent statuses the newest stays', async (name, open) => {
  const { store, read } = open()
  const events = Array.from({ length: 50 }, (_, index) =>
    statusOf(name, index === 49 ? 'DELIVERED' : `STEP${index}`, `2025-11-15 09:00:00.0000${index + 10}`),
  )
  for (let round = 0; round < 20; round++) {
    const id = `dlr:${name}-${round}`
    const inRound = events.map((event) => ({ ...event, data: { ...event.data, msg_id: `${name}-${round}` } }))
    await Promise.all(shuffled(inRound).map((event) => keepNewest(event as WebhookEvent, store)))
    expect(await read(id)).toBe('DELIVERED')
  }
})

test.each(Object.entries(stores))('%s: an older status never replaces a newer one', async (name, open) => {
  const { store, read } = open()
  const id = `${name}-order`
  const keep = (status: string, timestamp: unknown) => keepNewest(statusOf(id, status, timestamp), store)
  expect(await keep('TRANSMITTED', '2025-11-15 09:00:00.000002')).toBe(true)
  expect(await keep('ACCEPTED', '2025-11-15 09:00:00.000001')).toBe(false)
  expect(await read(`dlr:${id}`)).toBe('TRANSMITTED')
  // The same status again, as after a handler that failed.
  expect(await keep('TRANSMITTED', '2025-11-15 09:00:00.000002')).toBe(true)
  expect(await keep('DELIVERED', '2025-11-15 09:00:00.000002')).toBe(true)
  expect(await keep('FAILED', '2025-11-15 09:00:00.000002')).toBe(false)
  expect(await read(`dlr:${id}`)).toBe('DELIVERED')
})

type Status = readonly [type: string, data: Record<string, unknown>]
const voice = (status: string, timestamp: unknown): Status => ['voice_status', { id: 1, status, timestamp }]
const rcs = (status: string, timestamp = '2025-11-15 09:00:00.000000'): Status => [
  'rcs',
  { msg_id: '1', agent_id: 'a', sender: '2', status, foreign_id: null, timestamp },
]
const dlr = (status: string, timestamp: unknown): Status => ['dlr', { msg_id: '1', status, timestamp }]

test.each<[string, first: Status, second: Status, isNewer: boolean]>([
  ['a call, a second later', voice('in-progress', 1_763_197_200), voice('completed', 1_763_197_201), true],
  ['a call, as text of a form', voice('completed', '1763197201'), voice('in-progress', '1763197200'), false],
  ['a call, at the same time', voice('completed', 1_763_197_200), voice('in-progress', 1_763_197_200), false],
  ['a status that is not known', voice('BUSY', 1_763_197_200), voice('COMPLETED', 1_763_197_200), true],
  ['RCS, at the same time', rcs('READ'), rcs('DELIVERED'), false],
  ['another type with the same id', rcs('READ'), dlr('ACCEPTED', '2025-11-15 08:00:00'), true],
  [
    'another time zone',
    dlr('FAILED', '2025-11-15T10:00:00+02:00'),
    dlr('FAILED', '2025-11-15 08:30:00'),
    true,
  ],
  ['a time that cannot be read', dlr('FAILED', '2025-11-15 09:00:29'), dlr('ACCEPTED', 'today'), true],
  ['a time that cannot be read', dlr('FAILED', '2025-11-15 09:00:31'), dlr('ACCEPTED', '2025-02-31'), false],
  ['no status', ['sms_mo', { id: '1', time: '2' }], ['sms_mo', { id: '1', time: '1' }], true],
])('%s: %j, then %j', async (_, first, second, isNewer) => {
  const store = memoryStatusStore()
  expect(await keepNewest(eventOf(...first), store)).toBe(true)
  expect(await keepNewest(eventOf(...second), store)).toBe(isNewer)
})

test('typing does not replace the status of a message', async () => {
  const store = memoryStatusStore()
  await keepNewest(eventOf(...rcs('READ')), store)
  expect(await keepNewest(eventOf(...rcs('IS_TYPING', '2025-11-15 09:01:00.000000')), store)).toBe(true)
  expect(store.get('rcs:1')).toBe('READ')
})

test('in the transaction of a handler, its writes are in order too', async () => {
  const { pool } = databases
  await pool.query('CREATE TABLE messages (status text)')
  await pool.query("INSERT INTO messages VALUES ('SENT')")
  async function handle(event: WebhookEvent, work: () => Promise<void>): Promise<void> {
    const client = await pool.connect()
    const store = sqlStatusStore(
      async (statement, parameters) => (await client.query(statement, [...parameters])).rowCount ?? 0,
    )
    await client.query('BEGIN')
    if (await keepNewest(event, store)) {
      await work()
      await client.query('UPDATE messages SET status = $1', [(event.data as { status: string }).status])
    }
    await client.query('COMMIT')
    client.release()
  }
  let newer: Promise<void> | undefined
  await handle(statusOf('transaction', 'ACCEPTED', '2025-11-15 09:00:00'), async () => {
    // Starts and waits while this one is not finished.
    newer = handle(statusOf('transaction', 'DELIVERED', '2025-11-15 09:00:01'), async () => {})
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
  await newer
  expect((await pool.query('SELECT status FROM messages')).rows).toEqual([{ status: 'DELIVERED' }])
})

test('statuses in Redis expire', async () => {
  await redisStatusStore(databases.redis, { days: 2 }).replace('a', { order: '1', status: 'READ' })
  expect(await databases.redis(['TTL', 'webhook-status:a'])).toBeGreaterThan(47 * 3_600)
})

test('the memory store keeps the messages that changed last', async () => {
  const store = memoryStatusStore(2)
  for (const id of ['a', 'b', 'a', 'c']) await store.replace(id, { order: '1', status: 'READ' })
  expect(['a', 'b', 'c'].map(store.get)).toEqual(['READ', undefined, 'READ'])
})
