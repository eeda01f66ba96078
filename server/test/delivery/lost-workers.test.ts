/** Tests that deliveries of a worker that is gone are attempted within seconds, with an api process and workers apart. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { createNatsServer, type NatsServer } from '../support/servers/nats-server.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Five seconds of silence, a second each to notice it, to claim the suspects and to start a process for them. */
const maxTakeoverMs = 15_000

let server: NatsServer
let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let account: TestAccount
/** Responses wait for this promise. */
let responseGate: Promise<void> | undefined

beforeAll(async () => {
  server = await createNatsServer()
  await server.start()
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url }, 'api')
  receiver = await startReceiver(async (_request, response) => {
    await responseGate
    response.writeHead(204).end()
  })
  gateway = await createGateway(hookline)
  account = await hookline.account()
  const form = { target_url: receiver.url(), event_type: 'sms_mo', request_method: 'JSON' }
  await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
  await server.close()
})

/** Starts a worker, and waits until the api hands off events to it. */
async function startHandedOffWorker(): Promise<ServiceProcess> {
  const worker = await hookline.startAnother({}, 'worker')
  await expect
    .poll(
      async () => {
        await gateway.event(account.accountId)
        const { text } = await call(`${worker.internalUrl}/metrics`)
        return Number(/^hookline_fresh_events_total\{source="handoff"\} (\d+)$/m.exec(text)?.[1])
      },
      { timeout: 20_000, interval: 100 },
    )
    .toBeGreaterThan(0)
  await expect.poll(() => hookline.database.query('SELECT FROM work')).toEqual([])
  return worker
}

async function requestsFor(id: string): Promise<number> {
  return receiver.requests.filter(({ headers }) => headers['webhook-id'] === id).length
}

test('what a killed worker had in flight is attempted again long before its lease ends', async () => {
  const killed = await startHandedOffWorker()
  const responding = Promise.withResolvers<void>()
  responseGate = responding.promise
  const id = await gateway.event(account.accountId)
  await expect.poll(() => requestsFor(id)).toBe(1)
  const other = await hookline.startAnother({}, 'worker')
  killed.child.kill('SIGKILL')
  const killedAt = Date.now()
  responding.resolve()
  await expect.poll(() => requestsFor(id), { timeout: maxTakeoverMs }).toBe(2)
  expect(Date.now() - killedAt).toBeGreaterThan(4_000)
  await expect.poll(() => hookline.database.query('SELECT FROM work')).toEqual([])
  await other.stop()
})

test('an event whose commit ends after its worker has left is delivered by the next worker', async () => {
  const leaving = await startHandedOffWorker()
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE event_keys IN EXCLUSIVE MODE')
  const submitted = gateway.submitEvents({ ...inboundSms(account.accountId), key: 'committed late' })
  await sleep(300)
  await leaving.stop()
  await client.query('ROLLBACK')
  await client.end()
  const [id = ''] = (await submitted).accepted
  const [leased] = await hookline.database.query<{ left: number }>(
    'SELECT extract(epoch FROM lease_until - now())::float8 AS left FROM work',
  )
  // Otherwise the event was not leased to the worker that has left, and this tests nothing.
  expect(leased?.left).toBeGreaterThan(20)
  const other = await hookline.startAnother({}, 'worker')
  await expect.poll(() => requestsFor(id), { timeout: maxTakeoverMs }).toBe(1)
  await expect.poll(() => hookline.database.query('SELECT FROM work')).toEqual([])
  expect(await requestsFor(id)).toBe(1)
  await other.stop()
})

test('a worker without its database starts nothing, and its deliveries are neither lost nor repeated', async () => {
  const worker = await startHandedOffWorker()
  // Longer than others wait for a heartbeat. Statements that wait longer are canceled.
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE workers IN ACCESS EXCLUSIVE MODE')
  await sleep(4_500)
  const before = receiver.requests.length
  const { accepted } = await gateway.submitEvents(
    ...Array.from({ length: 5 }, () => inboundSms(account.accountId)),
  )
  await sleep(1_500)
  expect(receiver.requests.length).toBe(before)
  await client.query('ROLLBACK')
  await client.end()
  await expect
    .poll(() => Promise.all(accepted.map(requestsFor)), { timeout: maxTakeoverMs })
    .toEqual(accepted.map(() => 1))
  await expect.poll(() => hookline.database.query('SELECT FROM work')).toEqual([])
  await worker.stop()
})
