/** What happens to calls, and to the process, when the database or a connection to it goes away. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { startWorld, type TestWorld } from './service.ts'
import { startTcpProxy } from './tcp-proxy.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

const form = { target_url: 'https://example.com/a', event_type: 'sms_mo' }

let world: TestWorld

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

/** Waits until a change of hooks waits for a lock that the test holds. */
async function untilOneWaits(): Promise<void> {
  await expect
    .poll(
      () =>
        world.database.query(
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        ),
      { timeout: 30_000 },
    )
    .not.toEqual([])
}

test('a connection lost in the middle of a change is a 503, and the next call works', async () => {
  const { key, accountId } = await world.account()
  const { query } = world.database
  await query('BEGIN')
  await query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
  const waiting = call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  await untilOneWaits()
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  const refused = await waiting
  await query('ROLLBACK')
  expect([refused.status, refused.json.code]).toEqual([503, 1301])
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(world.service.child.exitCode).toBeNull()
  expect((await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).status).toBe(200)
})

test('connections that a network has silently dropped are given up, and calls work again', async () => {
  const { key } = await world.account()
  const proxy = await startTcpProxy(Number(world.database.url.port))
  const through = new URL(world.database.url)
  through.port = String(proxy.port)
  through.searchParams.set('application_name', 'through-proxy')
  const another = await world.startAnother({ DATABASE_URL: through.href, DATABASE_POOL: '2' }, 'api')
  const list = () => call(`${another.url}/api/hooks`, { key })
  // Both connections of the pool must be open: one that is made later would not be swallowed.
  await expect
    .poll(
      async () => {
        expect((await Promise.all([list(), list()])).map(({ status }) => status)).toEqual([200, 200])
        return world.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'through-proxy'`,
        )
      },
      { timeout: 30_000 },
    )
    .toHaveLength(2)
  proxy.swallow()
  expect((await Promise.all([list(), list()])).map(({ status }) => status)).toEqual([503, 503])
  expect((await list()).status).toBe(200)
  await another.stop()
  await proxy.close()
})

test('a client that holds half a request cannot keep the process from stopping', async () => {
  const another = await world.startAnother()
  const socket = connect(Number(new URL(another.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /api/hooks HTTP/1.1\r\nHost: x\r\nX-Half')
  await sleep(200)
  // The client never lets go, so that it stops at all is what counts; when exactly is up to the machine.
  expect(await another.stop()).toBe(0)
  socket.destroy()
})

test('a burst of changes of one account leaves connections for the others', async () => {
  const [busy, calm] = [await world.account(), await world.account()]
  const { query } = world.database
  await query('BEGIN')
  await query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [busy.accountId])
  // More than there are connections, all waiting for the same row.
  const burst = Array.from({ length: 15 }, (_, count) =>
    call(`${world.url}/api/hooks`, {
      method: 'POST',
      key: busy.key,
      form: { ...form, target_url: `https://example.com/${count}` },
    }),
  )
  let answered = 0
  for (const changed of burst) void changed.then(() => answered++)
  await untilOneWaits()
  const listed = await call(`${world.url}/api/hooks`, { key: calm.key })
  expect(listed.status).toBe(200)
  expect(answered).toBe(0)
  await query('ROLLBACK')
  expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(
    Array.from({ length: 15 }, () => 200),
  )
})
