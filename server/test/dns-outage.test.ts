/** Our DNS resolver is down: seen in metrics and readiness, deliveries wait without a hot loop and go on when it is back. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { call } from './call.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { createGateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let worker: ServiceProcess
let receiver: Receiver
let dns: DnsServer | undefined
let dnsPort: number

beforeAll(async () => {
  // Below the ports that outgoing connections use: nobody takes it until the resolver is back.
  dnsPort = await freePort(randomInt(20_000, 32_000))
  const settings = {
    ALLOW_PRIVATE_TARGETS: 'true',
    DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    HOOKS_PER_ACCOUNT: '500',
  }
  world = await startWorld(settings, 'api')
  worker = await world.startAnother({}, 'worker')
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
  await dns?.close()
})

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${worker.internalUrl}/metrics`)).text()
  const line = text.split('\n').find((own) => own.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? Number.NaN)
}

async function readiness({ internalUrl }: ServiceProcess): Promise<{ status: number; failed: string[] }> {
  const { status, json } = await call(`${internalUrl}/health/ready`)
  const failed = json.checks.flatMap((check: { name: string; ok: boolean }) => (check.ok ? [] : [check.name]))
  return { status, failed }
}

test('a DNS outage is visible, uses up nothing, and ends at once', { timeout: 90_000 }, async () => {
  const { accountId, key } = await world.account()
  const port = new URL(receiver.url()).port
  const hooks = 120
  for (let index = 0; index < hooks; index++) {
    const form = { target_url: `http://receiver-${index}.zone-${index}.net:${port}/`, event_type: 'all' }
    await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  }
  await (await createGateway(world)).event(accountId)

  await expect.poll(() => metric('hookline_resolver_down'), { timeout: 20_000 }).toBe(1)
  expect(await readiness(worker)).toEqual({ status: 503, failed: ['dns'] })
  expect(await readiness(world.service)).toEqual({ status: 200, failed: [] })
  expect(await metric('hookline_dns_lookups_total{result="refused"}')).toBeGreaterThan(0)
  expect(worker.output()).toMatch(/"level":"error".*dns resolver does not answer/)

  // All of them would be tried every 5 s: 24 a second.
  await expect
    .poll(() => metric('hookline_attempts_total{reason="resolver_down"}'), { timeout: 20_000 })
    .toBeGreaterThanOrEqual(hooks)
  const count = (): Promise<number> => metric('hookline_attempts_total{reason="resolver_down"}')
  const [attemptsBefore, startedAt] = [await count(), performance.now()]
  await sleep(8_000)
  const attempts = (await count()) - attemptsBefore
  const seconds = (performance.now() - startedAt) / 1_000
  expect(attempts).toBeGreaterThan(0)
  expect(attempts).toBeLessThanOrEqual(16 * (seconds + 2))
  expect(await world.database.query('SELECT FROM attempts')).toEqual([])
  expect(await world.database.query('SELECT DISTINCT attempts FROM work')).toEqual([{ attempts: 0 }])

  dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }), dnsPort)
  await expect
    .poll(
      () => world.database.query('SELECT state, attempts, count(*)::integer FROM deliveries GROUP BY 1, 2'),
      {
        timeout: 40_000,
      },
    )
    .toEqual([{ state: 'delivered', attempts: 1, count: hooks }])
  expect(await metric('hookline_resolver_down')).toBe(0)
  expect(await readiness(worker)).toEqual({ status: 200, failed: [] })
  expect(await metric('hookline_dns_lookups_total{result="found"}')).toBeGreaterThan(0)
  expect(worker.output()).toContain('dns resolver answers again')
})
