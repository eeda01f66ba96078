/** Tests an outage of the DNS resolver: metrics and readiness show it, deliveries wait without a hot loop and resume afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reservedPort } from '../../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { call } from '../support/http-call.ts'
import { type DnsServer, startDnsServer } from '../support/servers/dns-server.ts'
import { createGateway } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let worker: ServiceProcess
let receiver: Receiver
let dns: DnsServer | undefined
let dnsPort: number

beforeAll(async () => {
  // Below the ephemeral port range, so that the port stays free until the resolver starts.
  dnsPort = await reservedPort()
  const settings = {
    ALLOW_PRIVATE_TARGETS: 'true',
    DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    HOOKS_PER_ACCOUNT: '500',
  }
  hookline = await startTestService(settings, 'api')
  worker = await hookline.startAnother({}, 'worker')
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
  await dns?.close()
})

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${worker.internalUrl}/metrics`)).text()
  const line = text.split('\n').find((entry) => entry.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? Number.NaN)
}

async function readiness({ internalUrl }: ServiceProcess): Promise<{ status: number; failed: string[] }> {
  const { status, json } = await call(`${internalUrl}/health/ready`)
  const failed = json.checks.flatMap((check: { name: string; ok: boolean }) => (check.ok ? [] : [check.name]))
  return { status, failed }
}

test(
  'a DNS outage is visible, uses no attempts, and deliveries resume when it ends',
  { timeout: 90_000 },
  async () => {
    const { accountId, key } = await hookline.account()
    const port = new URL(receiver.url()).port
    const hooks = 120
    for (let index = 0; index < hooks; index++) {
      const form = { target_url: `http://receiver-${index}.zone-${index}.net:${port}/`, event_type: 'all' }
      await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
    }
    await (await createGateway(hookline)).event(accountId)

    await expect.poll(() => metric('hookline_resolver_down'), { timeout: 20_000 }).toBe(1)
    expect(await readiness(worker)).toEqual({ status: 503, failed: ['dns'] })
    expect(await readiness(hookline.service)).toEqual({ status: 200, failed: [] })
    expect(await metric('hookline_dns_lookups_total{result="refused"}')).toBeGreaterThan(0)
    expect(worker.output()).toMatch(/"level":"error".*dns resolver down/)

    // Without a limit all of them would be attempted every 5 s: 24 per second.
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
    expect(await hookline.database.query('SELECT FROM all_attempts')).toEqual([])
    expect(await hookline.database.query('SELECT DISTINCT attempts FROM work')).toEqual([{ attempts: 0 }])

    dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }), dnsPort)
    await expect
      .poll(
        () =>
          hookline.database.query('SELECT state, attempts, count(*)::integer FROM deliveries GROUP BY 1, 2'),
        {
          timeout: 40_000,
        },
      )
      .toEqual([{ state: 'delivered', attempts: 1, count: hooks }])
    expect(await metric('hookline_resolver_down')).toBe(0)
    expect(await readiness(worker)).toEqual({ status: 200, failed: [] })
    expect(await metric('hookline_dns_lookups_total{result="found"}')).toBeGreaterThan(0)
    expect(worker.output()).toContain('dns resolver recovered')
  },
)
