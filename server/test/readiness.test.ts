/** Readiness says whether this process can do the work of its own role; lag is a metric. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { createGateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'
import { startTcpProxy } from './tcp-proxy.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let world: TestWorld

beforeAll(async () => {
  world = await startWorld({}, 'api')
})
afterAll(() => world.close())

function ready(internalUrl = world.service.internalUrl) {
  return call(`${internalUrl}/health/ready`)
}

async function metric(internalUrl: string, name: string): Promise<number> {
  const { text } = await call(`${internalUrl}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('an api without a worker stays ready, takes events, and shows the lag as a metric', async () => {
  const { accountId } = await world.account()
  const gateway = await createGateway(world)
  // An event that has waited for ten minutes: its id holds the time.
  await world.database.query(
    `INSERT INTO inbox (event_id, account_id) VALUES (uuid_v7_floor(now() - interval '10 minutes'), $1)`,
    [accountId],
  )
  expect(await metric(world.service.internalUrl, 'hookline_inbox_oldest_seconds')).toBeGreaterThan(590)
  const { status, json } = await ready()
  expect(status).toBe(200)
  expect(json).toEqual({
    status: 'ready',
    role: 'api',
    checks: ['database', 'migrations', 'clock', 'intake'].map((name) => ({ name, ok: true })),
  })
  await gateway.event(accountId)
  await world.database.query('TRUNCATE inbox')
})

test('an api that could not commit an event is not ready, and says why', async () => {
  const { query } = world.database
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

test('a process whose database lacks a migration is not ready, and names it', async () => {
  const { query } = world.database
  const name = '0001_registry.sql'
  await query(`UPDATE migrations SET name = 'hidden' WHERE name = $1`, [name])
  const { status, json } = await ready()
  await query(`UPDATE migrations SET name = $1 WHERE name = 'hidden'`, [name])
  expect(status).toBe(503)
  expect(json.checks).toContainEqual({
    name: 'migrations',
    ok: false,
    reason: `The database lacks ${name}. Run \`npm run migrate\`.`,
  })
  expect((await ready()).status).toBe(200)
})

test('a worker that cannot reach PostgreSQL is not ready, still shows metrics, and recovers', async () => {
  const proxy = await startTcpProxy(Number(world.database.url.port))
  const through = new URL(world.database.url)
  through.port = String(proxy.port)
  const worker = await world.startAnother({ DATABASE_URL: through.href }, 'worker')
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
  // A value from before the outage would hide it.
  expect(await metric(worker.internalUrl, 'hookline_inbox_oldest_seconds')).toBeNaN()
  // The api has its own way to PostgreSQL.
  expect((await ready()).status).toBe(200)
  proxy.mend()
  await expect.poll(failed, { timeout: 60_000 }).toEqual([])
  expect(await metric(worker.internalUrl, 'hookline_ready')).toBe(1)
  await worker.stop()
  await proxy.close()
})

const isFailed = ({ ok }: { ok: boolean }): boolean => !ok
const nameOf = ({ name }: { name: string }): string => name

test('a process of both roles has the checks of both, and every metric that the alert rules name', async () => {
  const both = await world.startAnother(
    { CANARY_SECONDS: '60', BASE_URL: 'https://hooks.example.com' },
    'all',
  )
  const { json } = await ready(both.internalUrl)
  expect(json.checks.map(nameOf)).toEqual(['database', 'migrations', 'clock', 'intake', 'claim'])
  const { text } = await call(`${both.internalUrl}/metrics`)
  const operating = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const rules = /## Alerts.*?```yaml\n(.*?)```/s.exec(operating)?.[1] ?? ''
  const named = [...new Set(rules.match(/\bhookline_\w+/g))]
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !text.includes(`# HELP ${name} `))).toEqual([])
  await both.stop()
})
