/** Tests the event page that an account sees, with the whole service, a real receiver and a real curl. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { waitForCounts } from '../support/counts.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { exhaustRetries } from '../support/exhaust-retries.ts'
import { signIn } from '../support/browser-session.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const token = 'Bearer very-secret-token'
const text = `It's "quoted" & 100 % [odd] {one} $HOME \\ 😀 482913`

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  const port = String(await freePort())
  hookline = await startTestService({
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: 'true',
    CALLS_PER_MINUTE: '100000',
  })
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response) => {
    response.statusCode = request.url.startsWith('/fails') ? 500 : 200
    if (request.url === '/later') response.writeHead(503, { 'retry-after': '3600' })
    response.end(request.url === '/binary' ? Buffer.from([0, 255, 1]) : 'the answer')
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function register({ key }: TestAccount, path: string, fields: object = {}): Promise<number> {
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...fields }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, json })
  expect(created.status).toBe(200)
  return created.json.id
}

function read(key: string, path: string): Promise<CallResponse> {
  return call(`${hookline.url}${path}`, { key })
}

/** Reads the event once all its deliveries are finished or wait for the next attempt. */
async function readDetail(key: string, eventId: string, query = ''): Promise<CallResponse['json']> {
  await expect
    .poll(
      () =>
        hookline.database.query(
          `SELECT FROM inbox WHERE event_id = $1
           UNION ALL SELECT FROM work WHERE event_id = $1 AND NOT held AND (lease IS NOT NULL OR attempts = 0)`,
          [eventId],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
  const response = await read(key, `/api/events/${eventId}${query}`)
  expect(response.status).toBe(200)
  return response.json
}

async function readReveals(accountId: number): Promise<object[]> {
  return hookline.database.query(
    "SELECT actor, subject, detail FROM audit WHERE account_id = $1 AND action = 'event.reveal' ORDER BY id",
    [accountId],
  )
}

test('an export has all results, masked unless revealed, and every export is audited without values', async () => {
  const account = await hookline.account()
  const stranger = await hookline.account()
  await gateway.event(stranger.accountId, { id: 'm-9', sender: '491701234567' })
  const first = await gateway.event(account.accountId, { id: '=cmd()', sender: '491701234567' })
  const second = await gateway.event(account.accountId, { id: 'm-2', sender: '491701234567' })
  await gateway.event(account.accountId, { id: 'm-3', sender: '491701234568' })
  const exported = (query: string, key = account.key) =>
    fetch(`${hookline.url}/api/events/export?${query}`, { headers: { 'x-api-key': key } })
  const masked = await exported('number=1234567')
  expect(masked.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
  const lines = (await masked.text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: second, from: '4917••••••67' },
    { id: first, from: '4917••••••67' },
  ])
  const csv = await exported('number=1234567&format=csv&reveal=true')
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="events.csv"')
  const [head, , last, ...more] = (await csv.text()).split('\r\n')
  expect(head).toBe('id,type,accepted_at,occurred_at,message_id,from,to,foreign_id,is_test,deliveries')
  expect(last).toContain(`,'=cmd(),491701234567,`)
  expect(more).toEqual([''])
  // Spreadsheets need the mark to read the file as UTF-8. `text()` removes it.
  const bytes = await (await exported('number=1234567&format=csv')).bytes()
  expect([...bytes.subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, ...Buffer.from('id')])
  expect((await exported(`q=${first}`, stranger.key)).status).toBe(200)
  expect(await (await exported(`q=${first}`, stranger.key)).text()).toBe('')
  const audited = await hookline.database.query(
    "SELECT detail FROM audit WHERE account_id = $1 AND action = 'event.export' ORDER BY id",
    [account.accountId],
  )
  expect(audited).toEqual([
    { detail: { format: 'jsonl', revealed: false, search: 'number' } },
    { detail: { format: 'csv', revealed: true, search: 'number' } },
    { detail: { format: 'csv', revealed: false, search: 'number' } },
  ])
  const { key } = await hookline.key(account.accountId, { scopes: ['hooks'] })
  expect((await exported('', key)).status).toBe(403)
  expect((await exported('format=xml')).status).toBe(400)
})

test('users set the default country, which applies to searches and live tails', async () => {
  const account = await hookline.account()
  const id = await gateway.event(account.accountId, { sender: '491709876543' })
  const find = async () =>
    (await read(account.key, '/api/events?number=0170%20987%206543')).json.events.map(
      (event: { id: string }) => event.id,
    )
  const user = await signIn(hookline.url, account)
  const set = (country: unknown) => user.call('/api/account/country', { method: 'POST', json: { country } })
  expect((await set('AT')).status).toBe(200)
  expect(await find()).toEqual([])
  expect((await set('DE')).status).toBe(200)
  expect(await find()).toEqual([id])
  expect((await set('XX')).status).toBe(400)
  const { json } = await read(account.key, '/api/account/country')
  expect(json).toMatchObject({ country: 'DE', countries: expect.arrayContaining(['DE', 'US']) })
  expect((await set(null)).status).toBe(200)
  expect(await find()).toEqual([id])
})

const headersOf = ({ headers }: { headers: Array<{ name: string; value: string }> }) =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))

test.for(['JSON', 'POST', 'GET'])(
  'a request sent as %s is shown exactly as received, once revealed',
  async (request_method) => {
    const account = await hookline.account()
    const path = `/exact-${request_method}?a=1`
    await register(account, path, { request_method, headers: `Authorization: ${token}` })
    const id = await gateway.event(account.accountId, { text })
    const { hooks } = await readDetail(account.key, id, '?reveal=true')
    const { request } = hooks[0].deliveries[0].attempts[0]
    const receivedRequest = receiver.requests.find(({ headers }) => headers['webhook-id'] === id)
    expect(request.method).toBe(receivedRequest?.method)
    expect(request.body).toBe(receivedRequest?.body)
    expect(new URL(request.url).pathname + new URL(request.url).search).toBe(receivedRequest?.url)
    // Different each time and not stored.
    const fresh = {
      'webhook-signature': '(not stored)',
      'x-signature': '(not stored)',
      'x-nonce': '(not stored)',
    }
    const names = Object.keys(headersOf(request))
    const received = names.map((name) => [name, receivedRequest?.headers[name]])
    expect(headersOf(request)).toEqual({ ...Object.fromEntries(received), ...fresh })
    expect(receivedRequest?.rawHeaders.filter((_, index) => index % 2 === 0)).toEqual(
      expect.arrayContaining(request.headers.map(({ name }: { name: string }) => name)),
    )
    expect(names).toContain('authorization')
  },
)

test('an attempt shows the response, the duration of each phase and a hint', async () => {
  const account = await hookline.account()
  const fails = await register(account, '/fails')
  const binary = await register(account, '/binary')
  const { event, hooks, routed, timeline } = await readDetail(
    account.key,
    await gateway.event(account.accountId),
  )
  const [failed] = hooks.find((hook: { hook_id: number }) => hook.hook_id === fails).deliveries
  expect(failed).toMatchObject({
    round: 1,
    state: 'waiting',
    reason: null,
    max_attempts: 12,
    next_reason: 'backoff',
    stop_reason: null,
    problem: null,
    finished_at: null,
  })
  expect(failed.message).toMatch(/^Responded 500 in \d+ ms\. Next attempt at \S+ (\S+ )?UTC \(2 of 12\)\./)
  expect(Date.parse(failed.next_attempt_at)).toBeGreaterThan(Date.parse(failed.attempts[0].started_at))
  expect(failed.attempts).toMatchObject([
    {
      event_id: event.id,
      hook_id: fails,
      attempt: 1,
      reason: 'status',
      status: 500,
      hint: expect.stringContaining('logs of your server'),
      response: { body: 'the answer', is_text: true, truncated: false },
      phases: { total_ms: expect.any(Number), first_byte_ms: expect.any(Number) },
    },
  ])
  const [delivered] = hooks.find((hook: { hook_id: number }) => hook.hook_id === binary).deliveries
  expect(delivered.attempts[0].response).toMatchObject({ body: null, is_text: false })
  expect(delivered).toMatchObject({ state: 'delivered', next_attempt_at: null, next_reason: null })
  expect(routed.hooks_version).toBe(2)
  const ofEvent = { hook_id: null, round: null, attempt: null }
  const ofFailed = { hook_id: fails, round: 1 }
  expect(timeline[0]).toMatchObject({ type: 'accepted', ...ofEvent, message: 'Accepted from test.' })
  expect(timeline).toContainEqual({
    type: 'matched',
    ...ofEvent,
    at: routed.at,
    message: 'Matched 2 webhooks.',
  })
  expect(timeline).toContainEqual(expect.objectContaining({ type: 'attempt', ...ofFailed, attempt: 1 }))
  expect(timeline).toContainEqual(
    expect.objectContaining({ type: 'next_attempt', ...ofFailed, at: failed.next_attempt_at }),
  )
  expect(event).toMatchObject({ producer: 'test', is_test: false, message_id: '77001' })
})

test('Retry-After of the receiver is shown as the reason for the next attempt', async () => {
  const account = await hookline.account()
  await register(account, '/later')
  const { hooks } = await readDetail(account.key, await gateway.event(account.accountId))
  const [delivery] = hooks[0].deliveries
  expect(delivery).toMatchObject({
    next_reason: 'retry_after',
    next_message: 'Requested by your server (Retry-After).',
  })
  expect(Date.parse(delivery.next_attempt_at) - Date.now()).toBeGreaterThan(3_000_000)
})

test('an event without matches shows the reason per webhook and the version of the webhooks', async () => {
  const account = await hookline.account()
  await register(account, '/dlr', { event_type: 'dlr' })
  await register(account, '/number', { event_filter: '4999' })
  await register(account, '/clause', { event_filter: 'cel:event.type == "sms_mo" && data.text == "Bye"' })
  const { hooks, routed } = await readDetail(account.key, await gateway.event(account.accountId))
  expect(routed.hooks_version).toBe(3)
  expect(hooks).toMatchObject([
    { verdict: 'not_matched', why: { kind: 'type', actual: 'sms_mo' } },
    { verdict: 'not_matched', why: { kind: 'filter', field: 'system', actual: '4917••••••02' } },
    { verdict: 'not_matched', why: { kind: 'clause', clause: 'data.text == "Bye"' } },
  ])
})

test('numbers, texts and header values are masked until revealed, and every reveal is audited', async () => {
  const account = await hookline.account()
  const number = '491709876543'
  await register(account, '/masked', {
    request_method: 'GET',
    headers: `Authorization: ${token}`,
    event_filter: '4999, 491700000002',
  })
  await register(account, '/masked-form', { request_method: 'POST', event_filter: 'cel:data.sender == "1"' })
  const id = await gateway.event(account.accountId, { sender: number, text })
  const secrets = [number, '482913', 'very-secret', '491700000002'.slice(4)]
  // The filter belongs to the account itself.
  const masked = JSON.stringify(await readDetail(account.key, id)).replaceAll('4999, 491700000002', '')
  for (const secret of secrets) expect(masked).not.toContain(secret)
  const listed = await read(account.key, `/api/events?number=${number}`)
  expect(listed.json.events).toMatchObject([{ id, from: '4917••••••43', to: '4917••••••02' }])
  for (const secret of secrets) expect(listed.text.replace(number, '')).not.toContain(secret)
  expect(await readReveals(account.accountId)).toEqual([])

  const revealed = JSON.stringify(await readDetail(account.key, id, '?reveal=true'))
  for (const secret of secrets) expect(revealed).toContain(secret)
  const entry = { actor: `key:${account.keyId}`, subject: `event:${id}` }
  expect(await readReveals(account.accountId)).toEqual([{ ...entry, detail: {} }])
})

test('a long GET that was sent is shown, also masked; one too long to be sent is not shown', async () => {
  const account = await hookline.account()
  await register(account, '/long', { request_method: 'GET' })
  const requestOf = async (length: number) => {
    const id = await gateway.event(account.accountId, { text: 'x'.repeat(length) })
    const { hooks } = await readDetail(account.key, id)
    return hooks[0].deliveries[0].attempts[0].request
  }
  const { url } = await requestOf(4_000)
  expect(new URL(url).searchParams.get('text')).toBe(`xxxx${'•'.repeat(3_994)}xx`)
  expect(await requestOf(9_000)).toBeNull()
})

test('a key with access to events but not to webhooks never sees the headers of a webhook', async () => {
  const account = await hookline.account()
  const hookId = await register(account, '/headers', { headers: `Authorization: ${token}` })
  const { key } = await hookline.key(account.accountId, { scopes: ['events:read'] })
  const id = await gateway.event(account.accountId, { text })
  const revealed = JSON.stringify(await readDetail(key, id, '?reveal=true'))
  expect(revealed).toContain('482913')
  expect(revealed).not.toContain('very-secret')
  const response = await call(`${hookline.url}/api/events/${id}/curl`, {
    method: 'POST',
    key,
    json: { hook_id: hookId },
  })
  expect(response.json.curl).toContain('Authorization: <Authorization>')
  expect(response.text).not.toMatch(/very-secret|webhook-signature|x-signature/)
})

test.for(['JSON', 'POST', 'GET'])(
  'the curl command sends the same signed delivery as %s',
  async (request_method) => {
    const account = await hookline.account()
    const path = `/curl-${request_method}?list[]={1}`
    const hookId = await register(account, path, {
      request_method,
      headers: `Authorization: ${token}\nX-Empty:`,
    })
    const id = await gateway.event(account.accountId, { text })
    await receiver.until((all) => all.some(({ headers }) => headers['webhook-id'] === id))
    const { json } = await call(`${hookline.url}/api/events/${id}/curl`, {
      method: 'POST',
      key: account.key,
      json: { hook_id: hookId },
    })
    await run('sh', ['-c', `${json.curl} --silent --fail`])
    const [first, second] = receiver.requests.filter(({ headers }) => headers['webhook-id'] === id)
    const {
      'x-nonce': _1,
      'x-signature': _2,
      'x-timestamp': _3,
      'webhook-timestamp': _4,
      ...stable
    } = first?.headers ?? {}
    const { connection: _5, 'webhook-signature': _6, ...same } = stable
    expect(second).toMatchObject({ method: first?.method, url: first?.url, body: first?.body, headers: same })
    expect(second?.headers['webhook-signature']).toMatch(/^v1,/)
    const entry = { actor: `key:${account.keyId}`, subject: `event:${id}` }
    expect(await readReveals(account.accountId)).toEqual([
      { ...entry, detail: { as: 'curl', hook_id: hookId } },
    ])
  },
)

test('a number is found in any notation, both in the event and in the search', async () => {
  const account = await hookline.account()
  const { accepted } = await gateway.submitEvents(
    inboundSms(account.accountId, { sender: '+49 170 555', system: '0049 30' }),
    inboundSms(account.accountId, { sender: '49170555', id: 9 }),
  )
  for (const number of ['49170555', '+49170555', '0049 170 555']) {
    const found = await read(account.key, `/api/events?number=${encodeURIComponent(number)}`)
    expect(found.json.events.map(({ id }: { id: string }) => id).toSorted()).toEqual(accepted.toSorted())
  }
  const found = await read(account.key, '/api/events?q=4930')
  expect(found.json.events).toMatchObject([{ id: accepted[0] }])
})

test('the search box finds an event by its id, a message, a foreign id and a webhook', async () => {
  const account = await hookline.account()
  const hookId = await register(account, '/box', { event_type: 'dlr' })
  const dlr = {
    account_id: account.accountId,
    type: 'dlr',
    data: { msg_id: 5544, status: 'DELIVERED', timestamp: '1', foreign_id: 'order 12' },
  }
  const [id] = (await gateway.submitEvents(dlr, inboundSms(account.accountId))).accepted
  await readDetail(account.key, id ?? '')
  for (const q of [id, id?.toUpperCase(), '5544', 'order 12', String(hookId), ` ${id} `]) {
    const found = await read(account.key, `/api/events?q=${encodeURIComponent(q ?? '')}`)
    expect(found.json.events, q).toMatchObject([{ id }])
    expect(found.json.next).toBeNull()
  }
})

test('pages follow each other by cursor, and an invalid cursor is rejected', async () => {
  const account = await hookline.account()
  const { accepted } = await gateway.submitEvents(
    ...Array.from({ length: 7 }, () => inboundSms(account.accountId)),
  )
  const ids: string[] = []
  let cursor = ''
  do {
    const listed = await read(account.key, `/api/events?limit=3&cursor=${cursor}`)
    ids.push(...listed.json.events.map(({ id }: { id: string }) => id))
    cursor = listed.json.next
  } while (cursor !== null)
  expect(ids).toEqual(accepted.toSorted().toReversed())
  for (const wrong of [
    'cursor=abc',
    'limit=0',
    'limit=201',
    'state=lost',
    'from=yesterday',
    'status=99',
    'type=all',
  ])
    expect((await read(account.key, `/api/events?${wrong}`)).json, wrong).toMatchObject({ code: 1012 })
})

test('an event of another account looks like a missing one, and searches never leave the account', async () => {
  const account = await hookline.account()
  const other = await hookline.account()
  const hookId = await register(account, '/mine')
  const otherHook = await register(other, '/theirs')
  const id = await gateway.event(account.accountId, { id: '99887766' })
  await readDetail(account.key, id)
  const unknownId = id.replace(/.{12}$/, '000000000000')
  for (const path of ['', '?reveal=true']) {
    const response = await read(other.key, `/api/events/${id}${path}`)
    expect(response.status).toBe(404)
    expect(response.json.code).toBe(1102)
    expect(response.text).toBe((await read(other.key, `/api/events/${unknownId}${path}`)).text)
  }
  expect((await read(other.key, '/api/events/not-an-id')).status).toBe(404)
  const curl = (eventId: string, hook_id: number) =>
    call(`${hookline.url}/api/events/${eventId}/curl`, { method: 'POST', key: other.key, json: { hook_id } })
  expect((await curl(id, otherHook)).text).toBe((await curl(unknownId, otherHook)).text)
  const otherEvent = await gateway.event(other.accountId)
  expect((await curl(otherEvent, hookId)).status).toBe(404)
  expect(await readReveals(other.accountId)).toEqual([])
  for (const query of [`q=${id}`, 'q=99887766', `hook_id=${hookId}`, `q=${hookId}`, 'message_id=99887766'])
    expect((await read(other.key, `/api/events?${query}`)).json.events, query).toEqual([])
})

test('events require a credential with the scope or a user of the account', async () => {
  const account = await hookline.account()
  const id = await gateway.event(account.accountId)
  const { key } = await hookline.key(account.accountId, { scopes: ['hooks'] })
  for (const path of ['/api/events', `/api/events/${id}`, '/api/overview'])
    expect((await read(key, path)).json, path).toMatchObject({ code: 902 })
  const denied = await call(`${hookline.url}/api/events/${id}/curl`, {
    method: 'POST',
    key,
    json: { hook_id: 1 },
  })
  expect(denied.json).toMatchObject({ code: 902 })
  expect((await call(`${hookline.url}/api/events`)).status).toBe(401)
})

test('a user who reveals an event is named in the audit log', async () => {
  const account = await hookline.account()
  const id = await gateway.event(account.accountId)
  const user = await signIn(hookline.url, account)
  expect((await user.call(`/api/events/${id}?reveal=true`)).status).toBe(200)
  const actor = `login:${account.loginId}`
  expect(await readReveals(account.accountId)).toEqual([{ actor, subject: `event:${id}`, detail: {} }])
})

test('the overview counts events and deliveries, and lists alerts', async () => {
  const account = await hookline.account()
  const good = await register(account, '/good')
  const bad = await register(account, '/fails-overview')
  for (let count = 0; count < 3; count++)
    await readDetail(account.key, await gateway.event(account.accountId))
  await call(`${hookline.url}/api/hooks/${good}/disable`, { method: 'POST', key: account.key, json: {} })
  await readDetail(account.key, await gateway.event(account.accountId))
  await waitForCounts(hookline)
  const { json } = await read(account.key, '/api/overview?range=24h')
  expect(json.totals).toMatchObject({
    events: 4,
    delivered: 3,
    failed: 0,
    waiting: 4,
    held: 1,
    overdue: 0,
    success_rate: 1,
  })
  expect(json.totals.receiver_p95_ms).toBeGreaterThan(0)
  expect(Date.parse(json.totals.oldest_waiting_at)).toBeGreaterThan(Date.now() - 600_000)
  expect(json.buckets).toHaveLength(24)
  const sum = (field: string) =>
    json.buckets.reduce((all: number, bucket: CallResponse['json']) => all + bucket[field], 0)
  expect([sum('events'), sum('delivered'), sum('failed')]).toEqual([4, 3, 0])
  // The circuit breaker may have postponed attempts.
  expect([sum('status_2xx'), sum('status_4xx'), sum('timeouts'), sum('connection_errors')]).toEqual([
    3, 0, 0, 0,
  ])
  expect(sum('status_5xx')).toBeGreaterThanOrEqual(3)
  const { p50_ms: p50, p99_ms: p99 } = json.buckets.findLast(
    ({ p50_ms }: CallResponse['json']) => p50_ms !== null,
  )
  expect(p50).toBeGreaterThan(0)
  expect(p99).toBeGreaterThanOrEqual(p50)
  expect(json.alerts.map(({ hook_id, kind, why }: CallResponse['json']) => [hook_id, kind, why])).toEqual([
    [bad, expect.stringMatching(/^(failing|backing_off)$/), 'Responded 500.'],
    [good, 'disabled', null],
  ])
  expect(json.alerts_total).toBe(2)
  expect(json.alerts[0].next_attempt_at).not.toBeNull()
  expect(json.alerts[1].next_attempt_at).toBeNull()

  const hour = (await read(account.key, '/api/overview?range=1h')).json
  expect(hour.buckets).toHaveLength(60)
  const inHour = (field: string) =>
    hour.buckets.reduce((all: number, bucket: CallResponse['json']) => all + bucket[field], 0)
  expect([inHour('events'), inHour('delivered'), inHour('status_2xx')]).toEqual([4, 3, 3])
  expect(inHour('status_5xx')).toBe(sum('status_5xx'))
  expect(hour.complete_from).toBeNull()
  expect((await read(account.key, '/api/overview?range=7d')).json.buckets).toHaveLength(168)
  expect((await read(account.key, '/api/overview?range=2h')).status).toBe(400)

  // Deliveries that are late count as not delivered, those on hold do not.
  await hookline.database.query(
    `UPDATE work SET accepted_at = now() - interval '11 minutes' WHERE account_id = $1`,
    [account.accountId],
  )
  const late = (await read(account.key, '/api/overview')).json.totals
  expect(late).toMatchObject({ waiting: 4, held: 1, overdue: 4, success_rate: 3 / 7 })
  expect((await read(account.key, `/api/hooks/${bad}`)).json.health).toMatchObject({
    overdue: 4,
    success_rate: 0,
  })
  const month = await read(account.key, '/api/overview?range=30d')
  expect(month.json.buckets).toHaveLength(30)
  expect(month.json.totals.events).toBe(4)
  const newAccount = await hookline.account()
  expect((await read(newAccount.key, '/api/overview')).json).toMatchObject({
    alerts: [],
    totals: { events: 0, delivered: 0, waiting: 0, success_rate: null, receiver_p95_ms: null },
  })
})

test('a recovered webhook stays in the overview while it is degraded, with its latest failure', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/fails-some')
  const change = (path: string) =>
    call(`${hookline.url}/api/hooks/${hook}`, {
      method: 'POST',
      key: account.key,
      json: { target_url: receiver.url(path) },
    })
  await exhaustRetries(hookline, await gateway.event(account.accountId), hook)
  await change(`/later`)
  await exhaustRetries(hookline, await gateway.event(account.accountId), hook)
  await change('/good')
  const arrived = await readDetail(account.key, await gateway.event(account.accountId))
  expect(arrived.hooks[0].deliveries[0].state).toBe('delivered')
  const degraded = {
    kind: 'degraded',
    message: '2 of 3 deliveries in the last 24 hours failed or expired.',
    why: 'Responded 503.',
    failure: { reason: 'status', status: 503 },
    hook_id: hook,
    since: null,
    disabled_reason: null,
  }
  await waitForCounts(hookline)
  const { alerts } = (await read(account.key, '/api/overview')).json
  expect(alerts).toMatchObject([{ ...degraded, counters: { delivered_24h: 1, failed_24h: 2, waiting: 0 } }])
  expect((await read(account.key, `/api/hooks/${hook}`)).json.health).toMatchObject({
    state: 'degraded',
    message: degraded.message,
    failing_since: null,
  })
})

test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
  'an event id of a day outside the ledger, %s, does not exist',
  async (id) => {
    const { key } = await hookline.account()
    expect((await read(key, `/api/events/${id}`)).status).toBe(404)
    expect((await read(key, `/api/events?q=${id}`)).json).toMatchObject({ events: [], next: null })
    const counted = await call(`${hookline.url}/api/replays/count`, {
      method: 'POST',
      key,
      json: { selection: { events: [id] } },
    })
    expect(counted.json).toMatchObject({ count: 0, is_exact: true })
  },
)
