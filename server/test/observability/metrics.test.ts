/** Metrics follow the rules of Prometheus: names, units and few series, whatever callers do. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { finalStates } from '../../src/model/delivery/delivery.ts'
import { errorCatalog } from '../../src/model/errors.ts'
import { attemptReasonNames } from '../../src/model/delivery/outcome.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { scrape, type Scrape, valueOf } from '../support/scrape.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: inject('natsUrl') })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function read(): Promise<Scrape> {
  return scrape(hookline.service.internalUrl)
}

async function ahead(): Promise<number | undefined> {
  return valueOf(await read(), 'hookline_partitions_ahead')
}

/** Returns names and labels. The garbage collector and the resources of Node.js vary on their own. */
function ownKeys({ series }: Scrape): string[] {
  return series
    .filter(({ name }) => !name.startsWith('nodejs_'))
    .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
    .toSorted()
}

/** Creates an account with a webhook, and waits until an event of it is delivered. */
async function deliverOne(): Promise<{ account: TestAccount; hookId: number; eventId: string }> {
  const account = await hookline.account()
  const path = `/account-${account.accountId}`
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
  const hook = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, json })
  const eventId = await gateway.event(account.accountId)
  await receiver.until((requests) => requests.some(({ url }) => url === path))
  return { account, hookId: hook.json.id, eventId }
}

/** The allowed values of each label. None of them depends on what accounts or receivers do. */
const oneOf = (values: readonly string[]): RegExp => new RegExp(`^(${values.join('|')})$`)
const allowedLabels: Record<string, RegExp> = {
  code: oneOf(Object.values(errorCatalog).map(({ code }) => String(code))),
  le: /^(\+Inf|[\d.]+)$/,
  path: /^(fresh|due)$/,
  pool: /^(main|intake|anonymous)$/,
  reason: oneOf(attemptReasonNames),
  result:
    /^(cleared|unknown|crashed_together|quarantined|found|not_found|server_failure|timeout|refused|recorded|exported|failed)$/,
  role: /^(api|worker|all)$/,
  source: /^(handoff|inbox)$/,
  state: oneOf([...finalStates, 'active', 'idle']),
  version: /^v?\d+\.\d+\.\d+$/,
  // Of Node.js.
  kind: /^(major|minor|incremental|weakcb)$/,
  major: /^\d+$/,
  minor: /^\d+$/,
  patch: /^\d+$/,
  space: /^\w+$/,
  type: /^\w+$/,
}

test('promtool accepts the metrics', async () => {
  await deliverOne()
  const { text } = await read()
  const { status, stderr, error } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  expect(error).toBeUndefined()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('labels have few values, and no account or webhook adds a series', async () => {
  await deliverOne()
  await gateway.submitEvents({ account_id: 999_999, type: 'sms_mo', data: {} })
  const before = await read()
  for (const { name, labels } of before.series)
    for (const [label, value] of Object.entries(labels))
      expect(value, `${name}{${label}}`).toMatch(allowedLabels[label] ?? /^(?!)/)
  expect(before.series.length).toBeLessThan(300)

  for (let count = 0; count < 3; count++) await deliverOne()
  await gateway.submitEvents({ account_id: 999_998, type: 'sms_mo', data: {} })
  expect(ownKeys(await read())).toEqual(ownKeys(before))
})

test('the time to the first attempt has a bucket of 5 s and does not count replays', async () => {
  const { account, hookId, eventId } = await deliverOne()
  const name = 'hookline_accepted_to_first_attempt_seconds'
  const counts = async () => {
    const now = await read()
    const path = { path: 'fresh' }
    return [valueOf(now, `${name}_bucket`, { ...path, le: '5' }), valueOf(now, `${name}_count`, path)]
  }
  const before = await counts()
  const [within, total] = before
  expect(within).toBeGreaterThan(0)
  expect(within).toBe(total)

  const due = valueOf(await read(), `${name}_count`, { path: 'due' })
  const delivered = receiver.requests.length
  const json = { selection: { deliveries: [{ event_id: eventId, hook_id: hookId }] }, max_per_second: 100 }
  const { status } = await call(`${hookline.url}/api/replays`, { method: 'POST', key: account.key, json })
  expect(status).toBeLessThan(300)
  await receiver.until((requests) => requests.length > delivered, 30_000)
  expect(await counts()).toEqual(before)
  expect(valueOf(await read(), `${name}_count`, { path: 'due' })).toBe(due)
})

test('events that wait for routing for longer than 5 s are counted, newer ones are not', async () => {
  const other = await startTestService({}, 'api')
  try {
    const { accountId } = await other.account()
    const waiting = await createGateway(other)
    const overdue = async () => valueOf(await scrape(other.service.internalUrl), 'hookline_overdue_events')
    await other.database.query(
      `INSERT INTO inbox (event_id, account_id)
       SELECT uuid_v7_floor(now() - make_interval(secs => seconds)), $1 FROM unnest(ARRAY[6, 60]) AS seconds`,
      [accountId],
    )
    await waiting.submitEvents(inboundSms(accountId))
    expect(await overdue()).toBe(2)
    await expect.poll(overdue, { timeout: 15_000 }).toBe(3)
    await other.database.query('TRUNCATE inbox')
  } finally {
    await other.close()
  }
})

test('partitions ahead are counted up to the first missing one', async () => {
  expect(await ahead()).toBe(14)
  const [name] = await hookline.database.query<{ name: string }>(
    `SELECT 'attempts_' || to_char(now() AT TIME ZONE 'UTC' + interval '3 days', 'YYYYMMDD') AS name`,
  )
  // A renamed partition stays attached, so the service cannot create it again.
  await hookline.database.query(`ALTER TABLE ${name?.name} RENAME TO hidden`)
  expect(await ahead()).toBe(2)
  await hookline.database.query(`ALTER TABLE hidden RENAME TO ${name?.name}`)
  expect(await ahead()).toBe(14)
})
