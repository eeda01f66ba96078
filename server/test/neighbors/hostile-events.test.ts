/** Tests events that could harm the service or events of other producers. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, type SubmitResult, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 90_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let account: TestAccount

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
  account = await hookline.account()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function post(body: string | Buffer<ArrayBuffer>): Promise<{ status: number; message: string }> {
  const response = await call(`${hookline.service.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  })
  const { error_message, rejected } = response.json
  return { status: response.status, message: rejected?.[0]?.error_message ?? error_message }
}

function smsText(extra: string, envelope = ''): string {
  const data = `{"id":"1","sender":"1","system":"2","text":"","time":"1",${extra}}`
  return `{"events":[{"account_id":${account.accountId},"type":"sms_mo"${envelope},"data":${data}}]}`
}

const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')

describe('limits of event data', () => {
  test.each([
    ['lists nested 65 levels deep', () => `"deep":${lists(64)}`, /nested at most 64 levels deep/],
    ['lists nested 60,000 levels deep', () => `"deep":${lists(60_000)}`, /nested at most 1000 levels deep/],
    ['1,001 keys', () => members(996), /1000 keys/],
    ['1,001 keys in nested objects', () => `"a":[${Array(995).fill('{"b":0}').join(',')}]`, /1000 keys/],
    ['10,001 values', () => `"list":[${'0,'.repeat(9_994)}0]`, /10000 values/],
    ['10,001 empty lists', () => `"list":[${'[],'.repeat(5_000)}0]`, /10000 values/],
    ['a key of 257 characters', () => `"${'k'.repeat(257)}":0`, /keys of at most 256 characters/],
    [
      'a nested key of 120,000 characters',
      () => `"a":{"${'k'.repeat(120_000)}":[0]}`,
      /keys of at most 256 characters/,
    ],
  ])('reject %s', async (_label, extra, message) => {
    const rejected = await post(smsText(extra()))
    expect(rejected.status).toBe(400)
    expect(rejected.message).toMatch(message)
  })

  test.each([
    ['lists nested 64 levels deep', () => `"deep":${lists(63)}`],
    ['1,000 keys', () => members(995)],
    ['10,000 values', () => `"list":[${'0,'.repeat(9_993)}0]`],
    ['a key of 256 characters', () => `"${'k'.repeat(256)}":0`],
  ])('accept %s', async (_label, extra) => {
    expect(await post(smsText(extra()))).toEqual({ status: 202, message: undefined })
  })
})

test.each([
  ['of opening brackets', '['.repeat(15_000_000)],
  ['of empty objects', `{"events":[${'{},'.repeat(5_000_000)}{}]}`],
  ['of an unterminated string', `"${'x'.repeat(15_000_000)}`],
])('a call of 15 MB %s is rejected, and the process keeps running', async (_label, body) => {
  expect((await post(body)).status).toBe(400)
  expect(hookline.service.child.exitCode).toBeNull()
})

test('a body that is not UTF-8 is rejected instead of being changed silently', async () => {
  const [before, after] = smsText('"x":"?"').split('?')
  const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xff]), Buffer.from(after ?? '')])
  expect(await post(body)).toMatchObject({ status: 400, message: 'The body is not valid UTF-8.' })
})

describe('values that PostgreSQL cannot store', () => {
  const hostile: Array<[label: string, envelope: object]> = [
    ['a key with NUL', { key: 'a\0b' }],
    ['a key with a lone surrogate', { key: 'a\ud800' }],
    ['a time in year 0', { occurred_at: '0000-06-01T00:00:00Z' }],
    ['a time whose offset moves it into year 0', { occurred_at: '0001-01-01T00:00:00+01:00' }],
    ['a time whose offset moves it beyond 9999', { occurred_at: '9999-12-31T23:59:59-01:00' }],
  ]

  test.each(hostile)('%s is rejected', async (_label, envelope) => {
    const { status, rejected } = await gateway.submitEvents({ ...inboundSms(account.accountId), ...envelope })
    expect([status, rejected.length]).toEqual([400, 1])
  })

  test.each([
    ['year 1', '0001-01-01T00:00:00Z'],
    ['year 9999', '9999-12-31T23:59:59.999Z'],
  ])('a time in %s is accepted', async (_label, occurred_at) => {
    const event = { ...inboundSms(account.accountId), occurred_at }
    expect((await gateway.submitEvents(event)).status).toBe(202)
  })

  test('do not fail events of other producers in the same commit', async () => {
    const calls: Array<Promise<SubmitResult>> = []
    for (let round = 0; round < 20; round++) {
      for (const [, envelope] of hostile)
        calls.push(gateway.submitEvents({ ...inboundSms(account.accountId), ...envelope }))
      for (let count = 0; count < 10; count++) calls.push(gateway.submitEvents(inboundSms(account.accountId)))
    }
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(Map.groupBy(statuses, (status) => status).get(202)).toHaveLength(200)
    expect(Map.groupBy(statuses, (status) => status).get(400)).toHaveLength(20 * hostile.length)
  })

  test('are cleaned in search fields', async () => {
    const id = await gateway.event(account.accountId, { id: `a\0b\ud800`, sender: `49\0${'😀'.repeat(200)}` })
    const rows = await hookline.database.query('SELECT message_id FROM events WHERE id = $1', [id])
    expect(rows).toEqual([{ message_id: 'ab\ufffd' }])
  })
})

/** Inserts an event directly, because intake rejects its key. As a form it would have 1.2 GB. */
async function insertWide(): Promise<string> {
  const data = `{"${'k'.repeat(50_000)}":[${'0,'.repeat(25_000)}0]}`
  const [row] = await hookline.database.query<{ id: string }>(
    `WITH created AS (
         INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
         VALUES ($1, uuid_v7(now()), 'sms_mo', $2, 1, now()) RETURNING id
       ), fresh AS (INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM created)
       SELECT id FROM created`,
    [account.accountId, data],
  )
  return row?.id ?? ''
}

describe('an event whose long paths repeat for every value', () => {
  test.each([
    ['POST', 'body_too_large', 'With the event data, the form exceeds 1 MiB'],
    ['GET', 'address_too_long', 'With the event data, the GET URL exceeds 8 KiB'],
  ])(
    'fails a %s webhook with a reason and does not end a process',
    async (request_method, reason, message) => {
      const { key } = account
      const form = { target_url: receiver.url(`/wide/${reason}`), event_type: 'sms_mo', request_method }
      const { id: hook_id } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
      const eventId = await insertWide()
      await expect
        .poll(
          () =>
            hookline.database.query(
              'SELECT state, reason FROM deliveries WHERE event_id = $1 AND hook_id = $2',
              [eventId, hook_id],
            ),
          { timeout: 30_000 },
        )
        .toEqual([{ state: 'failed', reason }])

      const page = await call(`${hookline.url}/api/events/${eventId}`, { key })
      const [delivery] = page.json.hooks.find(
        (hook: { hook_id: number }) => hook.hook_id === hook_id,
      ).deliveries
      expect(delivery.message).toContain(message)
      expect(delivery.attempts).toMatchObject([{ reason, request: null, hint: expect.any(String) }])

      const curl = await call(`${hookline.url}/api/events/${eventId}/curl`, {
        method: 'POST',
        key,
        json: { hook_id },
      })
      expect(curl.status).toBe(400)
      expect(curl.json.error_message).toContain(message)
      expect(receiver.at(`/wide/${reason}`)).toEqual([])
      expect(hookline.service.child.exitCode).toBeNull()
    },
  )
})

test('the page of an event with many large attempts truncates some of them and says so', async () => {
  const { key } = account
  const form = { target_url: receiver.url('/many'), event_type: 'sms_mo', request_method: 'POST' }
  const { id: hookId } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
  const eventId = await gateway.event(account.accountId, { text: '%'.repeat(250_000) })
  const deliveries = () =>
    hookline.database.query('SELECT FROM deliveries WHERE event_id = $1 AND hook_id = $2', [eventId, hookId])
  await expect.poll(deliveries, { timeout: 30_000 }).toHaveLength(1)
  await hookline.database.query(
    `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, total_ms, worker)
     SELECT account_id, event_id, hook_id, round, 1 + number, started_at, 'status', 1, worker
     FROM deliveries CROSS JOIN generate_series(1, 40) AS number WHERE event_id = $1 AND hook_id = $2`,
    [eventId, hookId],
  )
  for (const path of [`events/${eventId}?reveal=true`, `events/${eventId}`, `hooks/${hookId}/attempts`]) {
    const page = await call(`${hookline.url}/api/${path}`, { key })
    const attempts: Array<{ request: { body: string; truncated: boolean } }> =
      page.json.attempts ??
      page.json.hooks.find((hook: { hook_id: number }) => hook.hook_id === hookId).deliveries[0].attempts
    expect(attempts).toHaveLength(41)
    expect(attempts[0]?.request.truncated).toBe(false)
    expect(attempts[0]?.request.body.length).toBeGreaterThan(250_000)
    expect(attempts.at(-1)?.request).toMatchObject({ body: '', truncated: true })
    expect(page.text.length).toBeLessThan(8_000_000)
  }
})
