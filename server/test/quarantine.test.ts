/**
 * Deliveries and events that end the process that works on them, with real workers: what is harmless is delivered, what
 * kills is set aside after it has killed alone, and a worker that is killed from outside says nothing about what it had.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { runAdmin } from './admin-tool.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 240_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** What answers wait for. */
let hold: Promise<void> | undefined
const workers: ServiceProcess[] = []

const killing = new URL('./fixtures/killing-values.mjs', import.meta.url).href

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(world)
  receiver = await startReceiver(async (_request, response) => {
    await hold
    response.writeHead(204).end()
  })
})
afterEach(async () => {
  hold = undefined
  for (const worker of workers.splice(0)) {
    worker.child.kill('SIGKILL')
    await worker.stop()
  }
  await query('TRUNCATE inbox, work, lane, suspects, parked')
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(sql, values)
}

async function startWorker(): Promise<ServiceProcess> {
  const worker = await world.startAnother({ NODE_OPTIONS: `--import=${killing}` }, 'worker')
  workers.push(worker)
  return worker
}

function hasEnded({ child }: ServiceProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function register({ key }: TestAccount, path: string): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'POST' }
  return (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

/** Nobody has to wait until what a dead worker had is free again. */
async function expireLeases(): Promise<void> {
  await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE lease IS NOT NULL`)
  await query('UPDATE inbox SET taken_until = NULL')
}

/** What was accepted becomes work as a worker leaves it that died before it came to it. */
async function leaveToNobody(): Promise<void> {
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

const quarantined = () =>
  query<{ event_id: string; reason: string }>(
    'SELECT event_id, reason FROM suspects WHERE quarantined_at IS NOT NULL ORDER BY event_id',
  )

test('a delivery that kills its worker is quarantined when it has killed alone, and its neighbors are delivered', async () => {
  const account = await world.account()
  const hookId = await register(account, '/neighbors')
  const answering = Promise.withResolvers<void>()
  hold = answering.promise
  const first = await startWorker()
  const neighbors = (await gateway.handIn(...Array.from({ length: 10 }, () => inboundSms(account.accountId))))
    .accepted
  await receiver.until(() => receiver.at('/neighbors').length === 10, 60_000)
  const killer = await gateway.event(account.accountId, { text: 'kill: abort' })
  await expect.poll(() => hasEnded(first), { timeout: 60_000 }).toBe(true)
  expect(first.child.signalCode).toBe('SIGABRT')
  expect(await query('SELECT FROM work WHERE lease IS NOT NULL')).toHaveLength(11)

  answering.resolve()
  await expireLeases()
  const second = await startWorker()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual(neighbors.toSorted())
  await expect
    .poll(quarantined, { timeout: 90_000 })
    .toEqual([{ event_id: killer, reason: 'ran out of memory or aborted' }])
  expect(hasEnded(second)).toBe(false)
  expect(await query('SELECT FROM suspects')).toHaveLength(1)
  expect(second.output()).toContain('"msg":"delivery quarantined"')

  // Where people see it.
  const metrics = (await call(`${second.internalUrl}/metrics`)).text
  expect(metrics).toContain('hookline_quarantined_deliveries 1')
  expect(metrics).toContain('hookline_suspect_attempts_total{result="quarantined"} 1')
  const page = (await call(`${world.url}/api/events/${killer}`, { key: account.key })).json
  expect(page.hooks[0].deliveries).toMatchObject([
    { state: 'waiting', reason: 'quarantined', sentence: expect.stringContaining('set aside') },
  ])
  const env = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
  const admin = (command: string) => runAdmin(env, ['quarantine', ...command.split(' ')])
  expect(JSON.parse((await admin('list --json')).stdout)).toMatchObject([
    { event_id: killer, hook_id: hookId, account_id: account.accountId },
  ])

  // Retried, it kills nothing but its own process; cancelled, it has ended.
  await admin(`retry ${killer} --hook ${hookId}`)
  await expect.poll(quarantined, { timeout: 90_000 }).toHaveLength(1)
  expect(hasEnded(second)).toBe(false)
  await admin(`cancel ${killer} --hook ${hookId}`)
  expect(await query('SELECT state, reason FROM deliveries WHERE event_id = $1', killer)).toEqual([
    { state: 'cancelled', reason: 'quarantined' },
  ])
  expect(await query('SELECT FROM suspects')).toEqual([])
  expect(receiver.requests.filter(({ headers }) => headers['webhook-id'] === killer)).toEqual([])
})

test('every way in which a process ends by itself is a proof', async () => {
  const account = await world.account()
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
  await leaveToNobody()
  const worker = await startWorker()
  await expect
    .poll(async () => new Map((await quarantined()).map((row) => [row.event_id, row.reason])), {
      timeout: 200_000,
    })
    .toEqual(causes)
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 60_000 }).toEqual([neighbor])
  expect(hasEnded(worker)).toBe(false)
  // What throws is a fault of ours as everywhere, and not quarantined.
  await expect
    .poll(() => query('SELECT faults FROM work WHERE event_id = $1 AND faults > 0', throwing), {
      timeout: 60_000,
    })
    .toHaveLength(1)
})

test('workers that are killed from outside ten times set nothing aside and lose nothing', async () => {
  const account = await world.account()
  await register(account, '/killed')
  const accepted: string[] = []
  for (let round = 0; round < 10; round++) {
    const answering = Promise.withResolvers<void>()
    hold = answering.promise
    const before = receiver.at('/killed').length
    const worker = await startWorker()
    accepted.push(
      ...(await gateway.handIn(...Array.from({ length: 20 }, () => inboundSms(account.accountId)))).accepted,
    )
    // Attempts are under way, in the worker and, of what earlier ones left, in its isolated process.
    await receiver.until(() => receiver.at('/killed').length > before, 60_000)
    await query('UPDATE inbox SET taken_until = NULL')
    worker.child.kill('SIGKILL')
    await worker.stop()
    await expireLeases()
    answering.resolve()
  }
  hold = undefined
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
  expect(await quarantined()).toEqual([])
  expect(await query('SELECT FROM parked')).toEqual([])
  expect(await query('SELECT FROM work')).toEqual([])
})

test('an isolated process that is killed from outside proves nothing', async () => {
  const account = await world.account()
  await register(account, '/child')
  const answering = Promise.withResolvers<void>()
  hold = answering.promise
  const id = await gateway.event(account.accountId)
  await leaveToNobody()
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
    await query('UPDATE suspects SET due_at = now()')
  }
  expect(await query('SELECT is_alone, quarantined_at FROM suspects')).toEqual([
    { is_alone: false, quarantined_at: null },
  ])
  answering.resolve()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 60_000 }).toEqual([id])
  expect(hasEnded(worker)).toBe(false)
})

async function childrenOf({ child }: ServiceProcess): Promise<number[]> {
  const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

test('an event that kills its worker while it is matched is parked when it has killed alone', async () => {
  const account = await world.account()
  await register(account, '/matched')
  const killer = await gateway.event(account.accountId, { text: 'kill while matching' })
  const others = (await gateway.handIn(...Array.from({ length: 5 }, () => inboundSms(account.accountId))))
    .accepted
  const first = await startWorker()
  await expect.poll(() => hasEnded(first), { timeout: 60_000 }).toBe(true)
  await expireLeases()
  const second = await startWorker()
  await expect
    .poll(() => query('SELECT event_id, reason FROM parked'), { timeout: 90_000 })
    .toEqual([{ event_id: killer, reason: 'matching it ran out of memory or aborted, twice' }])
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual(others.toSorted())
  expect(hasEnded(second)).toBe(false)
})

test('an event that many workers began to route before they were killed is routed', async () => {
  const account = await world.account()
  await register(account, '/often')
  const id = await gateway.event(account.accountId)
  await query('UPDATE inbox SET tries = 50')
  await startWorker()
  await expect.poll(() => deliveredIds(account.accountId), { timeout: 90_000 }).toEqual([id])
  expect(await query('SELECT FROM parked')).toEqual([])
})
