/** Tests consumers: polls, leases, commits and seeks over HTTP, with the requests that receivers would get. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver((_, response) => {
    response.writeHead(204).end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

type Account = Pick<TestAccount, 'key' | 'accountId'>

function post({ key }: Pick<Account, 'key'>, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

async function createConsumer(account: Account, settings: object = {}): Promise<number> {
  const { status, json, text } = await post(account, '/consumers', { name: 'laptop', ...settings })
  expect(status, text).toBe(200)
  return json.consumer.id
}

interface Poll {
  events: Array<{
    id: string
    cursor: string
    type: string
    is_test: boolean
    request: Request
    reason: string
  }>
  cursor: string
  has_more: boolean
  lease: string
  pruned: { from: string; to: string; events: number | null } | null
}

interface Request {
  method: string
  url: string
  headers: Array<{ name: string; value: string }>
  body: string
}

async function poll(account: Account, id: number, options: object = {}): Promise<Poll> {
  const { status, json, text } = await post(account, `/consumers/${id}/poll`, options)
  expect(status, text).toBe(200)
  return json
}

async function commit(account: Account, id: number, { lease, cursor }: Pick<Poll, 'lease' | 'cursor'>) {
  const { status, text } = await post(account, `/consumers/${id}/commit`, { lease, cursor })
  expect(status, text).toBe(200)
}

/** Polls until this many events were returned, and commits each poll. */
async function consume(account: Account, id: number, count: number, lease?: string): Promise<string[]> {
  const ids: string[] = []
  let current = lease
  while (ids.length < count) {
    const polled = await poll(account, id, { lease: current, wait: 10 })
    ids.push(...polled.events.map((event) => event.id))
    await commit(account, id, polled)
    current = polled.lease
  }
  return ids
}

async function submit({ accountId }: Account, count: number, data: object = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => inboundSms(accountId, data))
  return (await gateway.submitEvents(...events)).accepted
}

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]))
}

test('a consumer gets each event in commit order, and again until it commits', async () => {
  const account = await hookline.account()
  const before = await submit(account, 1)
  const id = await createConsumer(account)
  const accepted = [...(await submit(account, 3)), ...(await submit(account, 2))]
  const first = await poll(account, id, { limit: 3 })
  expect(first.events.map((event) => event.id)).toEqual(accepted.slice(0, 3))
  expect(first).toMatchObject({ has_more: true, pruned: null })
  expect(accepted).not.toContain(before[0])

  const again = await poll(account, id, { lease: first.lease, limit: 2 })
  expect(again.events.map((event) => event.id)).toEqual(accepted.slice(0, 2))
  const ahead = await poll(account, id, { lease: first.lease, after: again.cursor })
  expect(ahead.events.map((event) => event.id)).toEqual(accepted.slice(2))
  expect(ahead.has_more).toBe(false)

  await commit(account, id, { lease: first.lease, cursor: again.cursor })
  const rest = await poll(account, id, { lease: first.lease })
  expect(rest.events.map((event) => event.id)).toEqual(accepted.slice(2))
  await commit(account, id, rest)
  // A late commit of an earlier cursor changes nothing.
  await commit(account, id, { lease: first.lease, cursor: again.cursor })
  expect((await poll(account, id, { lease: first.lease })).events).toEqual([])
})

test('the request of an event is the one that the webhook gets', async () => {
  const account = await hookline.account()
  const { json } = await post(account, '/hooks/create', {
    target_url: receiver.url('/orders'),
    event_type: 'sms_mo',
    request_method: 'JSON',
    headers: 'X-Shop: 7',
  })
  const hookId = json.hook.id
  const id = await createConsumer(account, { hook_id: hookId })
  const [eventId = ''] = await submit(account, 1, { text: 'ÄÖ € 𝄞' })
  await expect.poll(() => receiver.requests.some(({ url }) => url === '/orders')).toBe(true)
  const sent = receiver.requests.find(({ url }) => url === '/orders')
  const { events } = await poll(account, id)
  expect(events.map((event) => event.id)).toEqual([eventId])
  const request = events[0]!.request
  expect(request.body).toBe(sent?.body.toString())
  expect(request.url).toBe(receiver.url('/orders'))
  const changing = /^(webhook-(timestamp|signature)|x-(timestamp|nonce|signature))$/
  const stable = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.test(name)))
  const { host: _, connection: __, 'content-length': ___, ...sentHeaders } = sent!.headers
  const lowerCase = Object.fromEntries(request.headers.map(({ name, value }) => [name.toLowerCase(), value]))
  expect(stable(lowerCase)).toEqual(stable(sentHeaders))

  const secret = (await call(`${hookline.url}/api/hooks/${hookId}/secret`, { key: account.key })).json.secret
  const verified = new Webhook(secret).verify(request.body, headersOf(request))
  expect(verified).toMatchObject({ webhook_event: 'sms_mo', data: { text: 'ÄÖ € 𝄞' } })
})

test('a consumer without a webhook signs with its own secret, for the URL and in the format of the poll', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  await submit(account, 1)
  const secret = (await call(`${hookline.url}/api/consumers/${id}/secret`, { key: account.key })).json.secret
  const target = 'http://localhost:3000/hooks?shop=1'
  for (const method of ['JSON', 'POST', 'GET']) {
    const lease = { ...(method !== 'JSON' && { lease: latest }) }
    const polled = await poll(account, id, { ...lease, target_url: target, request_method: method })
    latest = polled.lease
    const { request } = polled.events[0]!
    const content = method === 'GET' ? new URL(request.url).search.slice(1) : request.body
    expect(request.url.startsWith(target)).toBe(true)
    if (method === 'JSON') new Webhook(secret).verify(content, headersOf(request))
    else expect(() => new Webhook(secret).verify(content, headersOf(request))).toThrow(SyntaxError)
    expect(() => new Webhook(secret).verify(`${content} `, headersOf(request))).toThrow(
      'No matching signature',
    )
  }
})
let latest: string

test('type, list of types and expressions select events; a webhook selects by its own settings', async () => {
  const account = await hookline.account()
  const dlr = {
    account_id: account.accountId,
    type: 'dlr',
    data: { msg_id: '1', status: 'DELIVERED', timestamp: '2026-11-15 10:00:00' },
  }
  const byType = await createConsumer(account, { name: 'a', event_type: 'dlr' })
  const byTypes = await createConsumer(account, { name: 'b', event_types: ['dlr', 'voice_status'] })
  const byFilter = await createConsumer(account, { name: 'c', event_filter: 'cel:data.text == "yes"' })
  const [no] = await submit(account, 1, { text: 'no' })
  const [yes] = await submit(account, 1, { text: 'yes' })
  const { accepted, rejected } = await gateway.submitEvents(dlr)
  expect(rejected).toEqual([])
  const idsOf = async (id: number) => (await poll(account, id)).events.map((event) => event.id)
  expect(await idsOf(byType)).toEqual(accepted)
  expect(await idsOf(byTypes)).toEqual(accepted)
  expect(await idsOf(byFilter)).toEqual([yes])
  expect(no).not.toBe(yes)
})

test('one reader at a time: others wait for its lease, and a lost lease commits nothing', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const [eventId] = await submit(account, 1)
  const first = await poll(account, id)
  const other = await post(account, `/consumers/${id}/poll`)
  expect(other.status).toBe(409)
  expect(other.json).toMatchObject({ code: 1109 })
  expect(Number(other.headers.get('retry-after'))).toBeGreaterThan(50)

  // The reader is silent until its lease ends.
  await hookline.database.query(
    "UPDATE consumers SET lease_until = now() - interval '1 second' WHERE id = $1",
    [id],
  )
  const second = await poll(account, id)
  expect(second.events.map((event) => event.id)).toEqual([eventId])
  expect(second.lease).not.toBe(first.lease)
  for (const path of ['commit', 'poll']) {
    const late = await post(account, `/consumers/${id}/${path}`, {
      lease: first.lease,
      ...(path === 'commit' && { cursor: first.cursor }),
    })
    expect(late.json, path).toMatchObject({ code: 1112 })
  }
  expect((await poll(account, id, { lease: second.lease })).events).toHaveLength(1)
  expect((await post(account, `/consumers/${id}/release`, { lease: second.lease })).status).toBe(200)
  expect((await poll(account, id)).events).toHaveLength(1)
})

test('a seek moves the position in both directions and ends the lease', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const accepted = await submit(account, 3)
  const first = await poll(account, id)
  await commit(account, id, first)
  const seek = (to: string) => post(account, `/consumers/${id}/seek`, { to })
  expect((await seek('oldest')).status).toBe(200)
  expect((await post(account, `/consumers/${id}/poll`, { lease: first.lease })).json.code).toBe(1112)
  expect(await consume(account, id, 3)).toEqual(accepted)

  expect((await seek(first.events[1]!.cursor)).status).toBe(200)
  expect(await consume(account, id, 1)).toEqual(accepted.slice(2))
  expect((await seek(new Date(Date.now() - 60_000).toISOString())).status).toBe(200)
  expect(await consume(account, id, 3)).toEqual(accepted)
  expect((await seek('oldest')).status).toBe(200)
  expect((await seek('newest')).status).toBe(200)
  expect((await poll(account, id)).events).toEqual([])
  for (const to of ['yesterday', '2026-13-01', Buffer.from('9 x').toString('base64url')])
    expect((await seek(to)).json.code, to).toBe(1012)
})

test('a waiting poll returns as soon as an event is committed', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const { lease } = await poll(account, id)
  for (const delayMs of [100, 700]) {
    const startedAt = performance.now()
    const waiting = poll(account, id, { lease, wait: 20 })
    await sleep(delayMs)
    const accepted = await submit(account, 1)
    const polled = await waiting
    expect(polled.events.map((event) => event.id)).toEqual(accepted)
    expect(performance.now() - startedAt).toBeLessThan(delayMs + 3_000)
    await commit(account, id, polled)
  }
  const startedAt = performance.now()
  expect((await poll(account, id, { lease, wait: 1 })).events).toEqual([])
  expect(performance.now() - startedAt).toBeGreaterThan(900)
})

test('waiting polls use up none of the concurrent calls of the account', async () => {
  const account = await hookline.account()
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, n) => createConsumer(account, { name: `c${n}` })),
  )
  const waiting = ids.map((id) => poll(account, id, { wait: 6 }))
  await sleep(1_000)
  const startedAt = performance.now()
  expect((await call(`${hookline.url}/api/consumers`, { key: account.key })).json.consumers).toHaveLength(12)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  await submit(account, 1)
  for (const polled of await Promise.all(waiting)) expect(polled.events).toHaveLength(1)
})

test('a poll whose key was revoked while it waited returns no events', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const { key, keyId } = await hookline.key(account.accountId)
  const waiting = poll({ ...account, key }, id, { wait: 15 })
  await sleep(500)
  await hookline.database.query('UPDATE keys SET revoked_at = now() WHERE id = $1', [keyId])
  await submit(account, 1)
  expect((await waiting).events).toEqual([])
})

test('a test event reaches only its consumer', async () => {
  const account = await hookline.account()
  await post(account, '/hooks/create', { target_url: receiver.url('/all'), event_type: 'all' })
  const id = await createConsumer(account, { event_type: 'dlr' })
  const other = await createConsumer(account, { name: 'other' })
  const sent = await post(account, `/consumers/${id}/test`, {
    event_type: 'sms_mo',
    data: { text: 'from a test' },
  })
  expect(sent.status, sent.text).toBe(200)
  const [event] = (await poll(account, id, { wait: 5 })).events
  expect(event).toMatchObject({ id: sent.json.event_id, is_test: true, type: 'sms_mo' })
  expect(headersOf(event!.request)['x-hookline-test']).toBe('1')
  expect(JSON.parse(event!.request.body).data.text).toBe('from a test')
  expect((await poll(account, other)).events).toEqual([])

  const details = await call(`${hookline.url}/api/events/${sent.json.event_id}`, { key: account.key })
  expect(details.json.event).toMatchObject({ is_test: true, is_routed: true })
  await submit(account, 1)
  await expect.poll(() => receiver.requests.filter(({ url }) => url === '/all').length).toBe(1)
  expect(receiver.requests.find(({ url }) => url === '/all')?.body.toString()).not.toContain('from+a+test')
  const invalid = await post(account, `/consumers/${id}/test`, {
    event_type: 'sms_mo',
    data: { id: { a: 1 } },
  })
  expect(invalid.json).toMatchObject({ code: 1012, field: 'data' })
})

test('test events of webhooks do not reach consumers', async () => {
  const account = await hookline.account()
  const { json } = await post(account, '/hooks/create', {
    target_url: receiver.url('/tests'),
    event_type: 'all',
  })
  const id = await createConsumer(account, { hook_id: json.hook.id })
  const sent = await post(account, `/hooks/${json.hook.id}/test`, {
    event_type: 'sms_mo',
    data: { text: 'mine' },
  })
  expect(sent.status, sent.text).toBe(200)
  await expect.poll(() => receiver.requests.filter(({ url }) => url === '/tests').length).toBe(1)
  expect(receiver.requests.find(({ url }) => url === '/tests')?.body.toString()).toContain('mine')
  expect((await poll(account, id)).events).toEqual([])
})

test('events that retention deleted are reported, and only if there were some', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const quiet = await createConsumer(account, { name: 'quiet' })
  const oldest = await hookline.database.query<{ name: string }>(
    `SELECT min(child.relname) AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'events'::regclass`,
  )
  const day = oldest[0]!.name.replace(/^events_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const to = new Date(`${day}T00:00:00Z`)
  const hours = (count: number) => new Date(to.getTime() - count * 3_600_000)
  await hookline.database.query('UPDATE consumers SET position_at = $1 WHERE id = $2', [hours(30), id])
  await hookline.database.query('UPDATE consumers SET position_at = $1 WHERE id = $2', [hours(3), quiet])
  await hookline.database.query('INSERT INTO event_rollups (account_id, hour, events) VALUES ($1, $2, 41)', [
    account.accountId,
    hours(5),
  ])
  const [eventId] = await submit(account, 1)
  const polled = await poll(account, id)
  expect(polled.pruned).toEqual({ from: hours(30).toISOString(), to: to.toISOString(), events: 41 })
  expect(polled.events.map((event) => event.id)).toEqual([eventId])
  // Reported again until the reader commits.
  expect((await poll(account, id, { lease: polled.lease })).pruned).not.toBeNull()
  await commit(account, id, polled)
  expect((await poll(account, id, { lease: polled.lease })).pruned).toBeNull()
  expect(await poll(account, quiet)).toMatchObject({ pruned: null, events: [{ id: eventId }] })
})

test('the position of a consumer that gets nothing moves on, past events of others and with the time', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account, { event_type: 'dlr' })
  await submit(account, 250)
  const { lease } = await poll(account, id)
  const read = async () =>
    (await call(`${hookline.url}/api/consumers/${id}`, { key: account.key })).json.consumer
  const { rows } = {
    rows: await hookline.database.query<{ id: string }>(
      'SELECT max(id::text) AS id FROM events WHERE account_id = $1',
      [account.accountId],
    ),
  }
  const [, eventHex] = Buffer.from((await read()).cursor, 'base64url')
    .toString()
    .split(' ')
  expect(eventHex).toBe(rows[0]?.id.replaceAll('-', ''))

  await hookline.database.query(
    "UPDATE consumers SET position_at = now() - interval '3 days' WHERE id = $1",
    [id],
  )
  await poll(account, id, { lease })
  expect(Date.now() - Date.parse((await read()).position_at)).toBeLessThan(60_000)
})

test('another account gets the response of an unknown id', async () => {
  const account = await hookline.account()
  const stranger = await hookline.account()
  const id = await createConsumer(account)
  const { lease, cursor } = await poll(account, id)
  const calls: Array<[string, string, object?]> = [
    ['GET', ''],
    ['POST', '', { name: 'mine' }],
    ['DELETE', ''],
    ['POST', '/poll', {}],
    ['POST', '/poll', { lease }],
    ['POST', '/commit', { lease, cursor }],
    ['POST', '/release', { lease }],
    ['POST', '/seek', { to: 'oldest' }],
    ['POST', '/test', {}],
    ['GET', '/secret'],
  ]
  for (const [method, path, json] of calls) {
    const at = (consumerId: number) =>
      call(`${hookline.url}/api/consumers/${consumerId}${path}`, {
        method,
        key: stranger.key,
        ...(json && { json }),
      })
    const foreign = await at(id)
    const unknown = await at(999_999)
    expect(foreign.status, `${method} ${path}`).toBe(404)
    expect(foreign.json.error_message.replace(String(id), '…')).toBe(
      unknown.json.error_message.replace('999999', '…'),
    )
  }
  const hook = await post(account, '/hooks/create', { target_url: receiver.url('/x'), event_type: 'all' })
  expect((await post(stranger, '/consumers', { name: 'x', hook_id: hook.json.hook.id })).status).toBe(404)
  expect((await poll(account, id, { lease })).lease).toBe(lease)
})

test('names are unique, and their number is limited', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  expect((await post(account, '/consumers', { name: ' laptop ' })).json).toMatchObject({ code: 1113 })
  for (let n = 1; n < 20; n++) await createConsumer(account, { name: `other ${n}` })
  expect((await post(account, '/consumers', { name: 'one more' })).json).toMatchObject({ code: 1210 })
  expect((await post(account, `/consumers/${id}`, { name: 'other 1' })).json).toMatchObject({ code: 1113 })
  const edited = await post(account, `/consumers/${id}`, { name: 'desk', event_type: 'dlr' })
  expect(edited.json.consumer).toMatchObject({ name: 'desk', event_type: 'dlr' })
  expect(
    (await call(`${hookline.url}/api/consumers/${id}`, { method: 'DELETE', key: account.key })).status,
  ).toBe(200)
  await createConsumer(account, { name: 'one more' })
})

test('keys need the scope of webhooks, and to poll also that of events', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const { key } = await hookline.key(account.accountId, { scopes: ['hooks:read', 'events:read'] })
  expect((await call(`${hookline.url}/api/consumers/${id}`, { key })).status).toBe(200)
  const { key: withoutEvents } = await hookline.key(account.accountId, { scopes: ['hooks'] })
  expect((await post({ key: withoutEvents }, `/consumers/${id}/seek`, { to: 'oldest' })).status).toBe(200)
  expect((await post({ key: withoutEvents }, `/consumers/${id}/poll`)).json).toMatchObject({ code: 902 })
  for (const path of ['/poll', '/seek', '/commit', '/release', '/test', ''])
    expect((await post({ key }, `/consumers/${id}${path}`)).json, path).toMatchObject({ code: 902 })
})

test('an expensive filter on many events ends the poll early, and the next one continues', async () => {
  const account = await hookline.account()
  const text = 'x '.repeat(2_000)
  // Uses all of its budget on each long text, and then does not match.
  const filter = 'cel:data.text == "yes" || data.text.split("").map(x, data.text + x).join("").size() < 0'
  const id = await createConsumer(account, { event_filter: filter })
  for (let n = 0; n < 3; n++) await submit(account, 100, { text })
  const [wanted] = await submit(account, 1, { text: 'yes' })
  const startedAt = performance.now()
  const first = await poll(account, id)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  expect(first).toMatchObject({ events: [], has_more: true })
  const ids: string[] = []
  let { lease, cursor } = first
  for (let polls = 0; ids.length === 0 && polls < 100; polls++) {
    await commit(account, id, { lease, cursor })
    ;({ lease, cursor } = await poll(account, id, { lease }).then((polled) => {
      ids.push(...polled.events.map((event) => event.id))
      return polled
    }))
  }
  expect(ids).toEqual([wanted])
})

test('a waiting poll ends at its deadline, however many events of others there are', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account, { event_type: 'dlr' })
  const waiting = { isDone: false }
  const startedAt = performance.now()
  const polled = poll(account, id, { wait: 2 }).finally(() => (waiting.isDone = true))
  while (!waiting.isDone && performance.now() - startedAt < 10_000) await submit(account, 1)
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  const { events, lease, cursor } = await polled
  expect(events).toEqual([])
  await commit(account, id, { lease, cursor })
})

test('a gap without newer events is reported once', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  await hookline.database.query(
    "UPDATE consumers SET position_at = now() - interval '60 days' WHERE id = $1",
    [id],
  )
  const first = await poll(account, id, { wait: 5 })
  expect(first).toMatchObject({ events: [], has_more: false, pruned: { events: null } })
  await commit(account, id, first)
  const second = await poll(account, id, { lease: first.lease })
  expect(second.pruned).toBeNull()
  const accepted = await submit(account, 1)
  expect((await poll(account, id, { lease: first.lease, wait: 5 })).events.map((event) => event.id)).toEqual(
    accepted,
  )
})

test('a poll that fails takes no lease', async () => {
  const account = await hookline.account()
  const { json } = await post(account, '/hooks/create', {
    target_url: receiver.url('/gone'),
    event_type: 'all',
  })
  const id = await createConsumer(account, { hook_id: json.hook.id })
  await call(`${hookline.url}/api/hooks?id=${json.hook.id}`, { method: 'DELETE', key: account.key })
  expect((await post(account, `/consumers/${id}/poll`)).json).toMatchObject({ code: 1102 })
  expect((await post(account, `/consumers/${id}`, { hook_id: null })).status).toBe(200)
  expect((await poll(account, id)).events).toEqual([])
})

test('the data of test events is limited in size and number', async () => {
  const account = await hookline.account()
  const id = await createConsumer(account)
  const send = (text: string) => post(account, `/consumers/${id}/test`, { data: { text } })
  expect((await send('x'.repeat(9_000))).json).toMatchObject({ code: 1012, field: 'data' })
  const statuses: number[] = []
  for (let sent = 0; sent < 130; sent++) statuses.push((await send('x')).status)
  expect(statuses).toContain(429)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100)
})
