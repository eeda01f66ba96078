/**
 * Whatever a receiver does wrong is the receiver's failure: a reason, a row for each attempt, the usual schedule and the
 * circuit breaker. Taken for a fault of ours, it would use up no attempt and be sent again without end.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { createCertificates, type Certificates } from './broken-certificates.ts'
import { type BrokenReceivers, startBrokenReceivers } from './broken-receivers.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let certificates: Certificates
let receivers: BrokenReceivers
/** The hook of each receiver. */
const hookIds = new Map<string, number>()

beforeAll(async () => {
  certificates = createCertificates()
  receivers = await startBrokenReceivers(certificates)
  world = await startWorld({
    ALLOW_PRIVATE_TARGETS: 'true',
    HOOKS_PER_ACCOUNT: '1000',
    HOOK_CHANGES_PER_MINUTE: '10000',
    NODE_EXTRA_CA_CERTS: certificates.authoritiesFile,
  })
  gateway = await createGateway(world)
})
afterAll(async () => {
  await world.close()
  await receivers.close()
  certificates.remove()
})

async function register(key: string, url: string): Promise<number> {
  const form = { target_url: url, event_type: 'all', request_method: 'JSON' }
  return (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

interface Attempts {
  hook_id: number
  reasons: string[]
  /** The shortest time between two. */
  gap_seconds: number | null
}

async function attemptsByHook(): Promise<Map<number, Attempts>> {
  const rows = await world.database.query<Attempts>(
    `SELECT hook_id, array_agg(reason ORDER BY attempt) AS reasons, min(gap_seconds) AS gap_seconds FROM (
       SELECT hook_id, reason, attempt, extract(epoch FROM started_at - lag(started_at) OVER (
         PARTITION BY hook_id, event_id ORDER BY attempt))::float8 AS gap_seconds FROM attempts
     ) AS made GROUP BY hook_id`,
  )
  return new Map(rows.map((row) => [row.hook_id, row]))
}

test('many failures of a receiver with an invalid status open its circuit breaker', async () => {
  const { accountId, key } = await world.account()
  const broken = await startReceiver((_request, response) => {
    response.socket?.end('HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n')
  })
  const hook = await register(key, broken.url())
  await gateway.handIn(...Array.from({ length: 50 }, () => inboundSms(accountId)))
  await expect
    .poll(
      () => world.database.query('SELECT open_seconds > 0 AS is_open FROM lane WHERE hook_id = $1', [hook]),
      {
        timeout: 20_000,
      },
    )
    .toEqual([{ is_open: true }])
  await broken.close()
})

test(
  'each broken receiver gets its attempts with its own reason, each recorded once',
  { timeout: 90_000 },
  async () => {
    const { accountId, key } = await world.account()
    const before = new Map(receivers.all.map(({ name, connections }) => [name, connections()]))
    for (const { name, url } of receivers.all) hookIds.set(name, await register(key, url))
    await gateway.event(accountId)
    await expect
      .poll(async () => (await attemptsByHook()).size, { timeout: 60_000 })
      // And the hook of the test before.
      .toBe(receivers.all.length + 1)
    // Whatever is under way is finished and written down.
    await world.service.stop()

    const made = await attemptsByHook()
    const seen = receivers.all.map(({ name, connections }) => {
      const attempts = made.get(hookIds.get(name) ?? 0)
      return {
        name,
        reasons: [...new Set(attempts?.reasons)].join(),
        // A connection may carry several requests, but no request goes without a row.
        hasMore: connections() - (before.get(name) ?? 0) > (attempts?.reasons.length ?? 0),
        isTooEarly: (attempts?.gap_seconds ?? 5) < 5,
      }
    })
    expect(seen).toEqual(
      receivers.all.map(({ name, reason }) => ({ name, reasons: reason, hasMore: false, isTooEarly: false })),
    )
    expect(receivers.all.length).toBeGreaterThan(130)
  },
)

test('every failure counts for the circuit breaker, and none is a fault of ours', async () => {
  const counted = await world.database.query<{ hook_id: number; attempts: number }>(
    'SELECT hook_id, attempts FROM hook_failures',
  )
  const failures = new Map(counted.map(({ hook_id, attempts }) => [hook_id, attempts]))
  const made = await attemptsByHook()
  for (const { name, reason } of receivers.all) {
    const hook = hookIds.get(name) ?? 0
    expect([name, failures.get(hook)]).toEqual([
      name,
      reason === 'delivered' ? undefined : made.get(hook)?.reasons.length,
    ])
  }
  expect(await world.database.query('SELECT FROM work WHERE faults > 0')).toEqual([])
  expect(world.service.output()).not.toContain('"level":"error"')
})
