/** Readiness reports whether a process can do the work of its role. Lag is a metric and does not affect readiness. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../support/http-call.ts'
import { createGateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 90_000 })

let hookline: TestService

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
})
afterAll(() => hookline.close())

function ready(internalUrl = hookline.service.internalUrl) {
  return call(`${internalUrl}/health/ready`)
}

async function metric(internalUrl: string, name: string): Promise<number> {
  const { text } = await call(`${internalUrl}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('an api process without a worker stays ready, accepts events and reports the lag as a metric', async () => {
  const { accountId } = await hookline.account()
  const gateway = await createGateway(hookline)
  // An event accepted ten minutes ago, because the ID contains the time.
  await hookline.database.query(
    `INSERT INTO inbox (event_id, account_id) VALUES (uuid_v7_floor(now() - interval '10 minutes'), $1)`,
    [accountId],
  )
  expect(await metric(hookline.service.internalUrl, 'hookline_inbox_oldest_seconds')).toBeGreaterThan(590)
  const { status, json } = await ready()
  expect(status).toBe(200)
  expect(json).toEqual({
    status: 'ready',
    role: 'api',
    checks: ['database', 'migrations', 'clock', 'intake'].map((name) => ({ name, ok: true })),
  })
  await gateway.event(accountId)
  await hookline.database.query('TRUNCATE inbox')
})

test('an api process that cannot store events is not ready and gives the reason', async () => {
  const { query } = hookline.database
  const [today] = await query<{ name: string }>(
    `SELECT 'events_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') AS name`,
  )
  const name = String(today?.name)
  await query(`ALTER TABLE ${name} RENAME TO hidden`)
  const { status, json } = await ready()
  await query(`ALTER TABLE hidden RENAME TO ${name}`)
  expect(status).toBe(503)
  expect(json).toMatchObject({ status: 'not ready', role: 'api' })
  expect(json.checks).toContainEqual({ name: 'intake', ok: false, reason: expect.stringContaining(name) })
  expect((await ready()).status).toBe(200)
})

test('a process is not ready while a migration is missing, and the reason names the migration', async () => {
  const { query } = hookline.database
  const name = '0001_registry.sql'
  await query(`UPDATE migrations SET name = 'hidden' WHERE name = $1`, [name])
  const { status, json } = await ready()
  await query(`UPDATE migrations SET name = $1 WHERE name = 'hidden'`, [name])
  expect(status).toBe(503)
  expect(json.checks).toContainEqual({
    name: 'migrations',
    ok: false,
    reason: `Missing migrations: ${name}. Run \`hookline-server migrate\`.`,
  })
  expect((await ready()).status).toBe(200)
})

test('a worker that cannot reach PostgreSQL is not ready, still serves metrics and recovers', async () => {
  const proxy = await startTcpProxy(Number(hookline.database.url.port))
  const proxied = new URL(hookline.database.url)
  proxied.port = String(proxy.port)
  const worker = await hookline.startAnother({ DATABASE_URL: proxied.href }, 'worker')
  await expect.poll(async () => (await ready(worker.internalUrl)).status, { timeout: 30_000 }).toBe(200)
  expect((await ready(worker.internalUrl)).json).toEqual({
    status: 'ready',
    role: 'worker',
    checks: ['database', 'migrations', 'clock', 'claim', 'dns'].map((name) => ({ name, ok: true })),
  })
  proxy.cut()
  const failed = () => ready(worker.internalUrl).then(({ json }) => json.checks.filter(isFailed).map(nameOf))
  await expect.poll(failed, { timeout: 60_000 }).toEqual(['database', 'migrations', 'claim'])
  expect(await metric(worker.internalUrl, 'hookline_ready')).toBe(0)
  expect(await metric(worker.internalUrl, 'hookline_database_retries_total')).toBeGreaterThan(0)
  // A value from before the outage would hide the lag.
  expect(await metric(worker.internalUrl, 'hookline_inbox_oldest_seconds')).toBeNaN()
  // The api process does not use the proxy.
  expect((await ready()).status).toBe(200)
  proxy.restore()
  await expect.poll(failed, { timeout: 60_000 }).toEqual([])
  expect(await metric(worker.internalUrl, 'hookline_ready')).toBe(1)
  await worker.stop()
  await proxy.close()
})

const isFailed = ({ ok }: { ok: boolean }): boolean => !ok
const nameOf = ({ name }: { name: string }): string => name

test('a process with both roles has the checks of both roles', async () => {
  const both = await hookline.startAnother({}, 'all')
  const { json } = await ready(both.internalUrl)
  expect(json.checks.map(nameOf)).toEqual(['database', 'migrations', 'clock', 'intake', 'claim'])
  await both.stop()
})
