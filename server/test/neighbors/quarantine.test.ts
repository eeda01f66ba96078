/**
 * Tests deliveries and events that end their process, with real workers. Harmless deliveries are delivered. One that ends a
 * process alone is quarantined. A worker killed from outside does not incriminate its deliveries.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 240_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
/** Responses wait for this promise. */
let responseGate: Promise<void> | undefined
const workers: ServiceProcess[] = []

const killingModule = new URL('../support/fixtures/killing-values.mjs', import.meta.url).href

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(hookline)
  receiver = await startReceiver(async (_request, response) => {
    await responseGate
    response.writeHead(204).end()
  })
})
afterEach(async () => {
  responseGate = undefined
  for (const worker of workers.splice(0)) {
    worker.child.kill('SIGKILL')
    await worker.stop()
  }
  await query('TRUNCATE inbox, work, lane, suspects, parked')
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

async function startWorker(): Promise<ServiceProcess> {
  const worker = await hookline.startAnother({ NODE_OPTIONS: `--import=${killingModule}` }, 'worker')
  workers.push(worker)
  return worker
}

function hasExited({ child }: ServiceProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function register(
  { key }: TestAccount,
  path: string,
  options: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'POST', ...options }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

/** Expires the leases of dead workers, so that tests do not wait for them. */
async function expireLeases(): Promise<void> {
  await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE lease IS NOT NULL`)
  await query('UPDATE inbox SET taken_until = NULL')
}

/** Turns accepted events into work rows with an expired lease, as left by a worker that died early. */
async function insertAbandonedWork(): Promise<void> {
  await query(
    `WITH routed AS (DELETE FROM inbox RETURNING event_id, account_id)
     INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, lease, lease_until)
     SELECT account_id, hooks.id, event_id, 'sms_mo', now(), now(), gen_random_uuid(), now() - interval '1 second'
     FROM routed JOIN hooks USING (account_id)`,
  )
}

function deliveredIds(accountId: number): Promise<string[]> {
  return query<{ event_id: string }>(
    `SELECT event_id FROM deliveries WHERE account_id = $1 AND state = 'delivered' ORDER BY event_id`,
    accountId,
  ).then((rows) => rows.map(({ event_id }) => event_id))
}

const readQuarantined = () =>
  query<{ event_id: string; reason: string }>(
    'SELECT event_id, reason FROM suspects WHERE quarantined_at IS NOT NULL ORDER BY event_id',
  )

test('a delivery that kills its worker alone is quarantined, and its neighbors are delivered', async () => {
  const account = await hookline.account()
  const hookId = await register(account, '/neighbors')
  const responding = Promise.withResolvers<void>()
  responseGate = responding.promise
  const first = await startWorker()
  const neighbors = (
    await gateway.submitEvents(...Array.from({ length: 10 }, () => inboundSms(account.accountId)))
  ).accepted
  await receiver.until(() => receiver.at('/neighbors').length === 10, 60_000)
  const killer = await gateway.event(account.accountId, { text: 'kill: abort' })
  await expect.poll(() => hasExited(first), { timeout: 60_000 }).toBe(true)
  expect(first.child.signalCode).toBe('SIGABRT')
  expect(await query('SELECT FROM work WHERE lease IS NOT NULL')).toHaveLength(11)

  responding.resolve()
  await expireLeases()
  const second = await startWorker()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual(neighbors.toSorted())
  await expect
    .poll(readQuarantined, { timeout: 90_000 })
    .toEqual([{ event_id: killer, reason: 'ran out of memory or aborted' }])
  expect(hasExited(second)).toBe(false)
  expect(await query('SELECT FROM suspects')).toHaveLength(1)
  expect(second.output()).toContain('"msg":"delivery quarantined"')

  // The quarantine is visible in metrics, API and CLI.
  const metrics = (await call(`${second.internalUrl}/metrics`)).text
  expect(metrics).toContain('hookline_quarantined_deliveries 1')
  expect(metrics).toContain('hookline_suspect_attempts_total{result="quarantined"} 1')
  const page = (await call(`${hookline.url}/api/events/${killer}`, { key: account.key })).json
  expect(page.hooks[0].deliveries).toMatchObject([
    {
      state: 'waiting',
      reason: 'quarantined',
      message: expect.stringContaining('Quarantined: this delivery crashed'),
    },
  ])
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const admin = (command: string) => runAdmin(env, ['quarantine', ...command.split(' ')])
  expect(JSON.parse((await admin('list --json')).stdout)).toMatchObject([
    { event_id: killer, hook_id: hookId, account_id: account.accountId },
  ])

  // A retry ends only the isolated process. Canceling finishes the delivery.
  await admin(`retry ${killer} --hook ${hookId}`)
  await expect.poll(readQuarantined, { timeout: 90_000 }).toHaveLength(1)
  expect(hasExited(second)).toBe(false)
  await admin(`cancel ${killer} --hook ${hookId}`)
  expect(await query('SELECT state, reason FROM deliveries WHERE event_id = $1', killer)).toEqual([
    { state: 'cancelled', reason: 'quarantined' },
  ])
  expect(await query('SELECT FROM suspects')).toEqual([])
  expect(
    await query(
      `SELECT action, detail FROM audit WHERE actor = 'operator' AND subject = $1 ORDER BY id`,
      `event:${killer}`,
    ),
  ).toEqual([
    { action: 'delivery.retry', detail: { hook: hookId } },
    { action: 'delivery.cancel', detail: { hook: hookId } },
  ])
  expect(receiver.requests.filter(({ headers }) => headers['webhook-id'] === killer)).toEqual([])
})

test('every way in which a process ends itself counts as evidence', async () => {
  const account = await hookline.account()
  await register(account, '/ways')
  const causes = new Map<string, string>()
  for (const [text, cause] of [
    ['kill: memory', 'ran out of memory or aborted'],
    ['kill: cpu', 'used too much CPU time'],
    ['kill: exception', 'ended with exit code 1'],
  ] as const)
    causes.set(await gateway.event(account.accountId, { text }), cause)
  const neighbor = await gateway.event(account.accountId)
  const throwing = await gateway.event(account.accountId, { text: 'kill: throw' })
  await insertAbandonedWork()
  const worker = await startWorker()
  await expect
    .poll(async () => new Map((await readQuarantined()).map((row) => [row.event_id, row.reason])), {
      timeout: 200_000,
    })
    .toEqual(causes)
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 60_000 }).toEqual([neighbor])
  expect(hasExited(worker)).toBe(false)
  // An exception is a fault of the service as usual, and does not quarantine the delivery.
  await expect
    .poll(() => query('SELECT faults FROM work WHERE event_id = $1 AND faults > 0', throwing), {
      timeout: 60_000,
    })
    .toHaveLength(1)
})

test('workers killed from outside ten times quarantine nothing and lose nothing', async () => {
  const account = await hookline.account()
  await register(account, '/killed')
  const accepted: string[] = []
  for (let round = 0; round < 10; round++) {
    const responding = Promise.withResolvers<void>()
    responseGate = responding.promise
    const before = receiver.at('/killed').length
    const worker = await startWorker()
    accepted.push(
      ...(await gateway.submitEvents(...Array.from({ length: 20 }, () => inboundSms(account.accountId))))
        .accepted,
    )
    // Attempts are in flight in the worker, and earlier ones in its isolated process.
    await receiver.until(() => receiver.at('/killed').length > before, 60_000)
    await query('UPDATE inbox SET taken_until = NULL')
    worker.child.kill('SIGKILL')
    await worker.stop()
    await expireLeases()
    responding.resolve()
  }
  responseGate = undefined
  await startWorker()
  await expect
    .poll(
      async () => {
        await expireLeases()
        return deliveredIds(account.accountId)
      },
      { timeout: 120_000, interval: 1_000 },
    )
    .toEqual(accepted.toSorted())
  expect(await readQuarantined()).toEqual([])
  expect(await query('SELECT FROM parked')).toEqual([])
  expect(await query('SELECT FROM work')).toEqual([])
})

test('an isolated process killed from outside is no evidence; its delivery is retried later each time, and alone', async () => {
  const account = await hookline.account()
  await register(account, '/child')
  const responding = Promise.withResolvers<void>()
  responseGate = responding.promise
  const id = await gateway.event(account.accountId)
  await insertAbandonedWork()
  const worker = await startWorker()
  for (let round = 1; round <= 3; round++) {
    await receiver.until(() => receiver.at('/child').length === round, 60_000)
    for (const pid of await childrenOf(worker)) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
      expect(environment).toContain('NODE_OPTIONS=')
      expect(environment).not.toMatch(/MASTER_KEY|DATABASE_URL/)
      process.kill(pid, 'SIGKILL')
    }
    await expect
      .poll(() => query('SELECT FROM work WHERE lease IS NULL'), { timeout: 30_000 })
      .toHaveLength(1)
    const [suspect] = await query<{ is_alone: boolean; quarantined_at: Date | null; delay: number }>(
      'SELECT is_alone, quarantined_at, extract(epoch FROM due_at - now())::float8 AS delay FROM suspects',
    )
    expect(suspect).toMatchObject({ is_alone: round === 3, quarantined_at: null })
    // 5, 10 and 20 s, minus the time until this query.
    expect(suspect?.delay).toBeGreaterThan(5 * 2 ** (round - 1) - 4)
    expect(suspect?.delay).toBeLessThanOrEqual(5 * 2 ** (round - 1))
    await query('UPDATE suspects SET due_at = now()')
  }
  responding.resolve()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 60_000 }).toEqual([id])
  expect(hasExited(worker)).toBe(false)
})

async function childrenOf({ child }: ServiceProcess): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

test('an event that kills its worker alone while being matched is parked', async () => {
  const account = await hookline.account()
  // The filter reads the data.
  await register(account, '/matched', { event_filter: '491700000002' })
  const killer = await gateway.event(account.accountId, { text: 'kill while matching' })
  const others = (
    await gateway.submitEvents(...Array.from({ length: 5 }, () => inboundSms(account.accountId)))
  ).accepted
  const first = await startWorker()
  await expect.poll(() => hasExited(first), { timeout: 60_000 }).toBe(true)
  await expireLeases()
  const second = await startWorker()
  await expect
    .poll(() => query('SELECT event_id, reason FROM parked'), { timeout: 90_000 })
    .toEqual([{ event_id: killer, reason: 'matching ran out of memory or aborted, twice' }])
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual(others.toSorted())
  expect(hasExited(second)).toBe(false)
})

test('an event is routed even if many workers were killed while routing it', async () => {
  const account = await hookline.account()
  await register(account, '/often')
  const id = await gateway.event(account.accountId)
  await query('UPDATE inbox SET tries = 50')
  await startWorker()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual([id])
  expect(await query('SELECT FROM parked')).toEqual([])
})
