/**
 * Tests that faults of a receiver count as its failures: with a reason, a row per attempt, the usual schedule and the
 * circuit breaker. As a fault of the service, such a delivery would use no attempt and be retried endlessly.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { createCertificates, type Certificates } from '../support/servers/broken-certificates.ts'
import { type BrokenReceivers, startBrokenReceivers } from '../support/servers/broken-receivers.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let certificates: Certificates
let receivers: BrokenReceivers
/** Hook id by receiver name. */
const hookIds = new Map<string, number>()

beforeAll(async () => {
  certificates = createCertificates()
  receivers = await startBrokenReceivers(certificates)
  hookline = await startTestService({
    ALLOW_PRIVATE_TARGETS: 'true',
    HOOKS_PER_ACCOUNT: '1000',
    HOOK_CHANGES_PER_MINUTE: '10000',
    NODE_EXTRA_CA_CERTS: certificates.authoritiesFile,
  })
  gateway = await createGateway(hookline)
})
afterAll(async () => {
  await hookline.close()
  await receivers.close()
  certificates.remove()
})

async function register(key: string, url: string): Promise<number> {
  const form = { target_url: url, event_type: 'all', request_method: 'JSON' }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

interface Attempts {
  hook_id: number
  reasons: string[]
  /** The shortest time between two attempts. */
  gap_seconds: number | null
}

async function attemptsByHook(): Promise<Map<number, Attempts>> {
  const rows = await hookline.database.query<Attempts>(
    `SELECT hook_id, array_agg(reason ORDER BY attempt) AS reasons, min(gap_seconds) AS gap_seconds FROM (
       SELECT hook_id, reason, attempt, extract(epoch FROM started_at - lag(started_at) OVER (
         PARTITION BY hook_id, event_id ORDER BY attempt))::float8 AS gap_seconds FROM all_attempts
     ) AS gaps GROUP BY hook_id`,
  )
  return new Map(rows.map((row) => [row.hook_id, row]))
}

test('many failures of a receiver with an invalid status open its circuit breaker', async () => {
  const { accountId, key } = await hookline.account()
  const broken = await startReceiver((_request, response) => {
    response.socket?.end('HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n')
  })
  const hook = await register(key, broken.url())
  await gateway.submitEvents(...Array.from({ length: 50 }, () => inboundSms(accountId)))
  await expect
    .poll(
      () =>
        hookline.database.query('SELECT open_seconds > 0 AS is_open FROM lane WHERE hook_id = $1', [hook]),
      {
        timeout: 20_000,
      },
    )
    .toEqual([{ is_open: true }])
  await broken.close()
})

test(
  'each broken receiver gets attempts with the correct reason, each recorded once',
  { timeout: 90_000 },
  async () => {
    const { accountId, key } = await hookline.account()
    const before = new Map(receivers.all.map(({ name, connections }) => [name, connections()]))
    for (const { name, url } of receivers.all) hookIds.set(name, await register(key, url))
    await gateway.event(accountId)
    await expect
      .poll(async () => (await attemptsByHook()).size, { timeout: 60_000 })
      // Includes the hook of the previous test.
      .toBe(receivers.all.length + 1)
    // Waits until all requests in flight are finished and recorded.
    await hookline.service.stop()

    const byHook = await attemptsByHook()
    const results = receivers.all.map(({ name, connections }) => {
      const attempts = byHook.get(hookIds.get(name) ?? 0)
      return {
        name,
        reasons: [...new Set(attempts?.reasons)].join(),
        // A connection can carry several requests, but every request has a row.
        hasMore: connections() - (before.get(name) ?? 0) > (attempts?.reasons.length ?? 0),
        isTooEarly: (attempts?.gap_seconds ?? 5) < 5,
      }
    })
    expect(results).toEqual(
      receivers.all.map(({ name, reason }) => ({ name, reasons: reason, hasMore: false, isTooEarly: false })),
    )
    expect(receivers.all.length).toBeGreaterThan(130)
  },
)

test('every failure counts for the circuit breaker, and none is a fault of the service', async () => {
  const rows = await hookline.database.query<{ hook_id: number; attempts: number }>(
    'SELECT hook_id, attempts FROM hook_failures',
  )
  const failures = new Map(rows.map(({ hook_id, attempts }) => [hook_id, attempts]))
  const byHook = await attemptsByHook()
  for (const { name, reason } of receivers.all) {
    const hook = hookIds.get(name) ?? 0
    expect([name, failures.get(hook)]).toEqual([
      name,
      reason === 'delivered' ? undefined : byHook.get(hook)?.reasons.length,
    ])
  }
  expect(await hookline.database.query('SELECT FROM work WHERE faults > 0')).toEqual([])
  expect(hookline.service.output()).not.toContain('"level":"error"')
})
