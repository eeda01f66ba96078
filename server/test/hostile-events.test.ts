/** Events that a gateway can hand in and that would harm the service or other producers' events. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, type HandedIn, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
let account: TestAccount

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
  account = await world.account()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function post(body: string | Buffer<ArrayBuffer>): Promise<{ status: number; message: string }> {
  const answer = await call(`${world.service.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  })
  const { error_message, rejected } = answer.json
  return { status: answer.status, message: rejected?.[0]?.error_message ?? error_message }
}

function smsText(more: string, envelope = ''): string {
  const data = `{"id":"1","sender":"1","system":"2","text":"","time":"1",${more}}`
  return `{"events":[{"account_id":${account.accountId},"type":"sms_mo"${envelope},"data":${data}}]}`
}

const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')

describe('data that is refused', () => {
  test.each([
    ['lists nested 65 deep', () => `"deep":${lists(64)}`, /nested 64 deep/],
    ['lists nested 60,000 deep', () => `"deep":${lists(60_000)}`, /nested 1000 deep/],
    ['1,001 keys', () => members(996), /1000 keys/],
    ['1,001 keys in nested objects', () => `"a":[${Array(995).fill('{"b":0}').join(',')}]`, /1000 keys/],
    ['10,001 values', () => `"list":[${'0,'.repeat(9_994)}0]`, /10000 values/],
    ['10,001 empty lists', () => `"list":[${'[],'.repeat(5_000)}0]`, /10000 values/],
    ['a key of 257 characters', () => `"${'k'.repeat(257)}":0`, /keys of 256 characters/],
    [
      'a nested key of 120,000 characters',
      () => `"a":{"${'k'.repeat(120_000)}":[0]}`,
      /keys of 256 characters/,
    ],
  ])('%s', async (_what, more, message) => {
    const refused = await post(smsText(more()))
    expect(refused.status).toBe(400)
    expect(refused.message).toMatch(message)
  })

  test.each([
    ['lists nested 64 deep', () => `"deep":${lists(63)}`],
    ['1,000 keys', () => members(995)],
    ['10,000 values', () => `"list":[${'0,'.repeat(9_993)}0]`],
    ['a key of 256 characters', () => `"${'k'.repeat(256)}":0`],
  ])('and what is not: %s', async (_what, more) => {
    expect(await post(smsText(more()))).toEqual({ status: 202, message: undefined })
  })
})

test.each([
  ['of opening brackets', '['.repeat(15_000_000)],
  ['of empty objects', `{"events":[${'{},'.repeat(5_000_000)}{}]}`],
  ['of a string that does not end', `"${'x'.repeat(15_000_000)}`],
])('a call of 15 MB %s is refused and the process lives on', async (_what, body) => {
  expect((await post(body)).status).toBe(400)
  expect(world.service.child.exitCode).toBeNull()
})

test('a body that is not UTF-8 is refused, so that nothing is changed silently', async () => {
  const [before, after] = smsText('"x":"?"').split('?')
  const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xff]), Buffer.from(after ?? '')])
  expect(await post(body)).toMatchObject({ status: 400, message: 'The body is not valid UTF-8.' })
})

describe('values that PostgreSQL cannot store', () => {
  const hostile: Array<[what: string, envelope: object]> = [
    ['a key with NUL', { key: 'a\0b' }],
    ['a key with half a surrogate pair', { key: 'a\ud800' }],
    ['a time in year 0', { occurred_at: '0000-06-01T00:00:00Z' }],
    ['a time that its offset moves into year 0', { occurred_at: '0001-01-01T00:00:00+01:00' }],
    ['a time that its offset moves beyond 9999', { occurred_at: '9999-12-31T23:59:59-01:00' }],
  ]

  test.each(hostile)('%s is refused', async (_what, envelope) => {
    const { status, rejected } = await gateway.handIn({ ...inboundSms(account.accountId), ...envelope })
    expect([status, rejected.length]).toEqual([400, 1])
  })

  test.each([
    ['year 1', '0001-01-01T00:00:00Z'],
    ['year 9999', '9999-12-31T23:59:59.999Z'],
  ])('a time in %s is accepted', async (_what, occurred_at) => {
    const event = { ...inboundSms(account.accountId), occurred_at }
    expect((await gateway.handIn(event)).status).toBe(202)
  })

  test('do not fail the events of other producers that are committed at the same time', async () => {
    const calls: Array<Promise<HandedIn>> = []
    for (let round = 0; round < 20; round++) {
      for (const [, envelope] of hostile)
        calls.push(gateway.handIn({ ...inboundSms(account.accountId), ...envelope }))
      for (let count = 0; count < 10; count++) calls.push(gateway.handIn(inboundSms(account.accountId)))
    }
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(Map.groupBy(statuses, (status) => status).get(202)).toHaveLength(200)
    expect(Map.groupBy(statuses, (status) => status).get(400)).toHaveLength(20 * hostile.length)
  })

  test('in search fields are cleaned', async () => {
    const id = await gateway.event(account.accountId, { id: `a\0b\ud800`, sender: `49\0${'😀'.repeat(200)}` })
    const rows = await world.database.query('SELECT message_id FROM events WHERE id = $1', [id])
    expect(rows).toEqual([{ message_id: 'ab\ufffd' }])
  })
})

/** Straight into the tables: intake refuses its key. As a form it would have 1.2 GB. */
async function insertWide(): Promise<string> {
  const data = `{"${'k'.repeat(50_000)}":[${'0,'.repeat(25_000)}0]}`
  const [row] = await world.database.query<{ id: string }>(
    `WITH made AS (
         INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
         VALUES ($1, uuid_v7(now()), 'sms_mo', $2, 1, now()) RETURNING id
       ), fresh AS (INSERT INTO inbox (event_id, account_id) SELECT id, $1 FROM made)
       SELECT id FROM made`,
    [account.accountId, data],
  )
  return row?.id ?? ''
}

describe('an event whose paths are repeated for every value', () => {
  test.each([
    ['POST', 'body_too_large', 'With its data the form would pass 1 MiB'],
    ['GET', 'address_too_long', 'With its data the address of the GET would pass 8 KiB'],
  ])('fails a %s webhook with a reason and ends no process', async (request_method, reason, sentence) => {
    const { key } = account
    const form = { target_url: receiver.url(`/wide/${reason}`), event_type: 'sms_mo', request_method }
    const { id: hook_id } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
    const eventId = await insertWide()
    await expect
      .poll(
        () =>
          world.database.query('SELECT state, reason FROM deliveries WHERE event_id = $1 AND hook_id = $2', [
            eventId,
            hook_id,
          ]),
        { timeout: 30_000 },
      )
      .toEqual([{ state: 'failed', reason }])

    const page = await call(`${world.url}/api/events/${eventId}`, { key })
    const [delivery] = page.json.hooks.find((own: { hook_id: number }) => own.hook_id === hook_id).deliveries
    expect(delivery.sentence).toContain(sentence)
    expect(delivery.attempts).toMatchObject([{ reason, request: null, advice: expect.any(String) }])

    const curl = await call(`${world.url}/api/events/${eventId}/curl`, {
      method: 'POST',
      key,
      json: { hook_id },
    })
    expect(curl.status).toBe(400)
    expect(curl.json.error_message).toContain(sentence)
    expect(receiver.at(`/wide/${reason}`)).toEqual([])
    expect(world.service.child.exitCode).toBeNull()
  })
})

test('the page of an event with many large attempts has room for some of them and says so of the others', async () => {
  const { key } = account
  const form = { target_url: receiver.url('/many'), event_type: 'sms_mo', request_method: 'POST' }
  const { id: hookId } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
  const eventId = await gateway.event(account.accountId, { text: '%'.repeat(250_000) })
  const deliveries = () =>
    world.database.query('SELECT FROM deliveries WHERE event_id = $1 AND hook_id = $2', [eventId, hookId])
  await expect.poll(deliveries, { timeout: 30_000 }).toHaveLength(1)
  await world.database.query(
    `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, total_ms, worker)
     SELECT account_id, event_id, hook_id, round, 1 + number, started_at, 'status', 1, worker
     FROM attempts CROSS JOIN generate_series(1, 40) AS number WHERE event_id = $1 AND hook_id = $2`,
    [eventId, hookId],
  )
  for (const path of [`events/${eventId}?reveal=true`, `events/${eventId}`, `hooks/${hookId}/attempts`]) {
    const page = await call(`${world.url}/api/${path}`, { key })
    const attempts: Array<{ request: { body: string; truncated: boolean } }> =
      page.json.attempts ??
      page.json.hooks.find((own: { hook_id: number }) => own.hook_id === hookId).deliveries[0].attempts
    expect(attempts).toHaveLength(41)
    expect(attempts[0]?.request.truncated).toBe(false)
    expect(attempts[0]?.request.body.length).toBeGreaterThan(250_000)
    expect(attempts.at(-1)?.request).toMatchObject({ body: '', truncated: true })
    expect(page.text.length).toBeLessThan(8_000_000)
  }
})
