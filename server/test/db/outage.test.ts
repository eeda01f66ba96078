/** Behavior of calls and processes when the database or a connection fails. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../support/http-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 90_000 })

const form = { target_url: 'https://example.com/a', event_type: 'sms_mo' }

let hookline: TestService

beforeAll(async () => {
  hookline = await startTestService()
})
afterAll(() => hookline.close())

/** Waits until a statement is blocked by a lock of the test. */
async function waitForBlockedStatement(): Promise<void> {
  await expect
    .poll(
      () =>
        hookline.database.query(
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        ),
      { timeout: 30_000 },
    )
    .not.toEqual([])
}

test('a connection lost during a change returns 503, and the next call works', async () => {
  const { key, accountId } = await hookline.account()
  const { query } = hookline.database
  await query('BEGIN')
  await query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
  const pending = call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  await waitForBlockedStatement()
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  const rejected = await pending
  await query('ROLLBACK')
  expect([rejected.status, rejected.json.code]).toEqual([503, 1301])
  expect(rejected.headers.get('retry-after')).toBe('5')
  expect(hookline.service.child.exitCode).toBeNull()
  expect((await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).status).toBe(200)
})

test('silently dropped connections are replaced, and calls work again', async () => {
  const { key } = await hookline.account()
  const proxy = await startTcpProxy(Number(hookline.database.url.port))
  const proxied = new URL(hookline.database.url)
  proxied.port = String(proxy.port)
  proxied.searchParams.set('application_name', 'through-proxy')
  const other = await hookline.startAnother({ DATABASE_URL: proxied.href, DATABASE_POOL: '2' }, 'api')
  const list = () => call(`${other.url}/api/hooks`, { key })
  // Both pool connections must be open, because the proxy drops only open connections.
  await expect
    .poll(
      async () => {
        expect((await Promise.all([list(), list()])).map(({ status }) => status)).toEqual([200, 200])
        return hookline.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'through-proxy'`,
        )
      },
      { timeout: 30_000 },
    )
    .toHaveLength(2)
  proxy.blackhole()
  expect((await Promise.all([list(), list()])).map(({ status }) => status)).toEqual([503, 503])
  expect((await list()).status).toBe(200)
  await other.stop()
  await proxy.close()
})

test('an incomplete request does not prevent the process from stopping', async () => {
  const another = await hookline.startAnother()
  const socket = connect(Number(new URL(another.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /api/hooks HTTP/1.1\r\nHost: x\r\nX-Half')
  await sleep(200)
  // The client never disconnects, so any exit proves the behavior.
  expect(await another.stop()).toBe(0)
  socket.destroy()
})

test('a burst of changes of one account leaves connections for the others', async () => {
  const [busy, idle] = [await hookline.account(), await hookline.account()]
  const { query } = hookline.database
  await query('BEGIN')
  await query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [busy.accountId])
  // More calls than connections, all waiting for the same row.
  const burst = Array.from({ length: 15 }, (_, count) =>
    call(`${hookline.url}/api/hooks`, {
      method: 'POST',
      key: busy.key,
      form: { ...form, target_url: `https://example.com/${count}` },
    }),
  )
  let responded = 0
  for (const changed of burst) void changed.then(() => responded++)
  await waitForBlockedStatement()
  const listed = await call(`${hookline.url}/api/hooks`, { key: idle.key })
  expect(listed.status).toBe(200)
  expect(responded).toBe(0)
  await query('ROLLBACK')
  expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(
    Array.from({ length: 15 }, () => 200),
  )
})
