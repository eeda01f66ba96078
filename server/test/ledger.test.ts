/** What became of an event, as its owner sees it: against the whole service, a real receiver and a real curl. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call, type CallAnswer } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { failForGood } from './last-attempt.ts'
import { signIn } from './person.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const token = 'Bearer very-secret-token'
const text = `It's "quoted" & 100 % [odd] {one} $HOME \\ 😀 482913`

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  const port = String(await freePort())
  world = await startWorld({
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: 'true',
    CALLS_PER_MINUTE: '100000',
  })
  gateway = await createGateway(world)
  receiver = await startReceiver((request, response) => {
    response.statusCode = request.url.startsWith('/fails') ? 500 : 200
    if (request.url === '/later') response.writeHead(503, { 'retry-after': '3600' })
    response.end(request.url === '/binary' ? Buffer.from([0, 255, 1]) : 'the answer')
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function register({ key }: TestAccount, path: string, more: object = {}): Promise<number> {
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key, json })
  expect(created.status).toBe(200)
  return created.json.id
}

function read(key: string, path: string): Promise<CallAnswer> {
  return call(`${world.url}${path}`, { key })
}

/** Once every delivery of the event has ended or waits for its next attempt. */
async function story(key: string, eventId: string, query = ''): Promise<CallAnswer['json']> {
  await expect
    .poll(
      () =>
        world.database.query(
          `SELECT FROM inbox WHERE event_id = $1
           UNION ALL SELECT FROM work WHERE event_id = $1 AND NOT held AND (lease IS NOT NULL OR attempts = 0)`,
          [eventId],
        ),
      { timeout: 30_000 },
    )
    .toEqual([])
  const answer = await read(key, `/api/events/${eventId}${query}`)
  expect(answer.status).toBe(200)
  return answer.json
}

async function reveals(accountId: number): Promise<object[]> {
  return world.database.query(
    "SELECT actor, subject, detail FROM audit WHERE account_id = $1 AND action = 'event.reveal' ORDER BY id",
    [accountId],
  )
}

const sent = ({ headers }: { headers: Array<{ name: string; value: string }> }) =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))

test.for(['JSON', 'POST', 'GET'])(
  'what was sent as %s is shown as the receiver got it, once it is revealed',
  async (request_method) => {
    const account = await world.account()
    const path = `/exact-${request_method}?a=1`
    await register(account, path, { request_method, headers: `Authorization: ${token}` })
    const id = await gateway.event(account.accountId, { text })
    const { hooks } = await story(account.key, id, '?reveal=true')
    const { request } = hooks[0].deliveries[0].attempts[0]
    const got = receiver.requests.find(({ headers }) => headers['webhook-id'] === id)
    expect(request.method).toBe(got?.method)
    expect(request.body).toBe(got?.body)
    expect(new URL(request.url).pathname + new URL(request.url).search).toBe(got?.url)
    // Fresh each time and not kept.
    const fresh = { 'webhook-signature': '(not kept)', 'x-signature': '(not kept)', 'x-nonce': '(not kept)' }
    const names = Object.keys(sent(request))
    const received = names.map((name) => [name, got?.headers[name]])
    expect(sent(request)).toEqual({ ...Object.fromEntries(received), ...fresh })
    expect(got?.rawHeaders.filter((_, place) => place % 2 === 0)).toEqual(
      expect.arrayContaining(request.headers.map(({ name }: { name: string }) => name)),
    )
    expect(names).toContain('authorization')
  },
)

test('an attempt shows what was answered, how long each part took and what to do', async () => {
  const account = await world.account()
  const fails = await register(account, '/fails')
  const binary = await register(account, '/binary')
  const { event, hooks, routed, timeline } = await story(account.key, await gateway.event(account.accountId))
  const [failed] = hooks.find((hook: { hook_id: number }) => hook.hook_id === fails).deliveries
  expect(failed).toMatchObject({ round: 1, state: 'waiting', reason: null, finished_at: null })
  expect(failed.sentence).toMatch(
    /^Your server answered 500 after \d+ ms\. We try again at \S+ (\S+ )?UTC \(attempt 2 of 12\)\./,
  )
  expect(Date.parse(failed.next_attempt_at)).toBeGreaterThan(Date.parse(failed.attempts[0].started_at))
  expect(failed.attempts).toMatchObject([
    {
      event_id: event.id,
      hook_id: fails,
      attempt: 1,
      reason: 'status',
      status: 500,
      advice: expect.stringContaining('log of your server'),
      answer: { body: 'the answer', is_text: true, truncated: false },
      phases: { total_ms: expect.any(Number), first_byte_ms: expect.any(Number) },
    },
  ])
  const [done] = hooks.find((hook: { hook_id: number }) => hook.hook_id === binary).deliveries
  expect(done.attempts[0].answer).toMatchObject({ body: null, is_text: false })
  expect(done).toMatchObject({ state: 'delivered', next_attempt_at: null, next_why: null })
  expect(routed.hooks_version).toBe(2)
  expect(timeline[0].sentence).toBe('Accepted from test.')
  expect(timeline.map((step: { sentence: string }) => step.sentence)).toContain('It matched 2 webhooks.')
  expect(event).toMatchObject({ producer: 'test', is_test: false, message_id: '77001' })
})

test('a receiver that asks to wait is quoted as the reason for the next time', async () => {
  const account = await world.account()
  await register(account, '/later')
  const { hooks } = await story(account.key, await gateway.event(account.accountId))
  const [delivery] = hooks[0].deliveries
  expect(delivery.next_why).toBe('Your server asked us to wait until then.')
  expect(Date.parse(delivery.next_attempt_at) - Date.now()).toBeGreaterThan(3_000_000)
})

test('an event that no webhook wanted says why for each, and by which version of them it was judged', async () => {
  const account = await world.account()
  await register(account, '/dlr', { event_type: 'dlr' })
  await register(account, '/number', { event_filter: '4999' })
  await register(account, '/clause', { event_filter: 'cel:event.type == "sms_mo" && data.text == "Bye"' })
  const { hooks, routed } = await story(account.key, await gateway.event(account.accountId))
  expect(routed.hooks_version).toBe(3)
  expect(hooks.map((hook: CallAnswer['json']) => [hook.verdict, hook.why.kind, hook.why.clause])).toEqual([
    ['not_matched', 'type', undefined],
    ['not_matched', 'filter', undefined],
    ['not_matched', 'clause', 'data.text == "Bye"'],
  ])
})

test('numbers, texts and header values are masked until they are revealed, and every reveal is written down', async () => {
  const account = await world.account()
  const number = '491709876543'
  await register(account, '/masked', {
    request_method: 'GET',
    headers: `Authorization: ${token}`,
    event_filter: '4999, 491700000002',
  })
  await register(account, '/masked-form', { request_method: 'POST', event_filter: 'cel:data.sender == "1"' })
  const id = await gateway.event(account.accountId, { sender: number, text })
  const secrets = [number, '482913', 'very-secret', '491700000002'.slice(4)]
  // The filter of the webhook is its owner's own.
  const masked = JSON.stringify(await story(account.key, id)).replaceAll('4999, 491700000002', '')
  for (const secret of secrets) expect(masked).not.toContain(secret)
  const listed = await read(account.key, `/api/events?number=${number}`)
  expect(listed.json.events).toMatchObject([{ id, from: '4917••••••43', to: '4917••••••02' }])
  for (const secret of secrets) expect(listed.text.replace(number, '')).not.toContain(secret)
  expect(await reveals(account.accountId)).toEqual([])

  const revealed = JSON.stringify(await story(account.key, id, '?reveal=true'))
  for (const secret of secrets) expect(revealed).toContain(secret)
  const entry = { actor: `key:${account.keyId}`, subject: `event:${id}` }
  expect(await reveals(account.accountId)).toEqual([{ ...entry, detail: {} }])
})

test('a long GET that was sent is shown, masked too; one that was too long to be sent is not', async () => {
  const account = await world.account()
  await register(account, '/long', { request_method: 'GET' })
  const requestOf = async (length: number) => {
    const id = await gateway.event(account.accountId, { text: 'x'.repeat(length) })
    const { hooks } = await story(account.key, id)
    return hooks[0].deliveries[0].attempts[0].request
  }
  const { url } = await requestOf(4_000)
  expect(new URL(url).searchParams.get('text')).toBe(`xxxx${'•'.repeat(3_994)}xx`)
  expect(await requestOf(9_000)).toBeNull()
})

test('a key that may see events but not webhooks never sees the headers of a webhook', async () => {
  const account = await world.account()
  const hookId = await register(account, '/headers', { headers: `Authorization: ${token}` })
  const { key } = await world.key(account.accountId, { scopes: ['events:read'] })
  const id = await gateway.event(account.accountId, { text })
  const revealed = JSON.stringify(await story(key, id, '?reveal=true'))
  expect(revealed).toContain('482913')
  expect(revealed).not.toContain('very-secret')
  const line = await call(`${world.url}/api/events/${id}/curl`, {
    method: 'POST',
    key,
    json: { hook_id: hookId },
  })
  expect(line.json.curl).toContain('Authorization: <Authorization>')
  expect(line.text).not.toMatch(/very-secret|webhook-signature|x-signature/)
})

test.for(['JSON', 'POST', 'GET'])(
  'the curl line sends the same delivery as %s, signed',
  async (request_method) => {
    const account = await world.account()
    const path = `/curl-${request_method}?list[]={1}`
    const hookId = await register(account, path, {
      request_method,
      headers: `Authorization: ${token}\nX-Empty:`,
    })
    const id = await gateway.event(account.accountId, { text })
    await receiver.until((all) => all.some(({ headers }) => headers['webhook-id'] === id))
    const { json } = await call(`${world.url}/api/events/${id}/curl`, {
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
      ...steady
    } = first?.headers ?? {}
    const { connection: _5, 'webhook-signature': _6, ...same } = steady
    expect(second).toMatchObject({ method: first?.method, url: first?.url, body: first?.body, headers: same })
    expect(second?.headers['webhook-signature']).toMatch(/^v1,/)
    const entry = { actor: `key:${account.keyId}`, subject: `event:${id}` }
    expect(await reveals(account.accountId)).toEqual([{ ...entry, detail: { as: 'curl', hook_id: hookId } }])
  },
)

test('a number is found however it is written, when it comes in and when it is looked for', async () => {
  const account = await world.account()
  const { accepted } = await gateway.handIn(
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

test('one box finds an event by its id, a message, a foreign id and a webhook', async () => {
  const account = await world.account()
  const hookId = await register(account, '/box', { event_type: 'dlr' })
  const dlr = {
    account_id: account.accountId,
    type: 'dlr',
    data: { msg_id: 5544, status: 'DELIVERED', timestamp: '1', foreign_id: 'order 12' },
  }
  const [id] = (await gateway.handIn(dlr, inboundSms(account.accountId))).accepted
  await story(account.key, id ?? '')
  for (const q of [id, id?.toUpperCase(), '5544', 'order 12', String(hookId), ` ${id} `]) {
    const found = await read(account.key, `/api/events?q=${encodeURIComponent(q ?? '')}`)
    expect(found.json.events, q).toMatchObject([{ id }])
    expect(found.json.next).toBeNull()
  }
})

test('pages follow one another by the cursor, and a cursor that was not answered is refused', async () => {
  const account = await world.account()
  const { accepted } = await gateway.handIn(...Array.from({ length: 7 }, () => inboundSms(account.accountId)))
  const ids: string[] = []
  let cursor = ''
  do {
    const page = await read(account.key, `/api/events?limit=3&cursor=${cursor}`)
    ids.push(...page.json.events.map(({ id }: { id: string }) => id))
    cursor = page.json.next
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

test("another account's event looks like none, and searching never leaves the account", async () => {
  const account = await world.account()
  const other = await world.account()
  const hookId = await register(account, '/mine')
  const othersHook = await register(other, '/theirs')
  const id = await gateway.event(account.accountId, { id: '99887766' })
  await story(account.key, id)
  const nobodys = id.replace(/.{12}$/, '000000000000')
  for (const path of ['', '?reveal=true']) {
    const theirs = await read(other.key, `/api/events/${id}${path}`)
    expect(theirs.status).toBe(404)
    expect(theirs.json.code).toBe(1102)
    expect(theirs.text).toBe((await read(other.key, `/api/events/${nobodys}${path}`)).text)
  }
  expect((await read(other.key, '/api/events/not-an-id')).status).toBe(404)
  const curl = (eventId: string, hook_id: number) =>
    call(`${world.url}/api/events/${eventId}/curl`, { method: 'POST', key: other.key, json: { hook_id } })
  expect((await curl(id, othersHook)).text).toBe((await curl(nobodys, othersHook)).text)
  const own = await gateway.event(other.accountId)
  expect((await curl(own, hookId)).status).toBe(404)
  expect(await reveals(other.accountId)).toEqual([])
  for (const query of [`q=${id}`, 'q=99887766', `hook_id=${hookId}`, `q=${hookId}`, 'message_id=99887766'])
    expect((await read(other.key, `/api/events?${query}`)).json.events, query).toEqual([])
})

test('events are for credentials with the scope, and for the account’s people', async () => {
  const account = await world.account()
  const id = await gateway.event(account.accountId)
  const { key } = await world.key(account.accountId, { scopes: ['hooks'] })
  for (const path of ['/api/events', `/api/events/${id}`, '/api/overview'])
    expect((await read(key, path)).json, path).toMatchObject({ code: 902 })
  const denied = await call(`${world.url}/api/events/${id}/curl`, {
    method: 'POST',
    key,
    json: { hook_id: 1 },
  })
  expect(denied.json).toMatchObject({ code: 902 })
  expect((await call(`${world.url}/api/events`)).status).toBe(401)
})

test('a person who reveals an event is named in the audit log', async () => {
  const account = await world.account()
  const id = await gateway.event(account.accountId)
  const person = await signIn(world.url, account)
  expect((await person.call(`/api/events/${id}?reveal=true`)).status).toBe(200)
  const actor = `login:${account.loginId}`
  expect(await reveals(account.accountId)).toEqual([{ actor, subject: `event:${id}`, detail: {} }])
})

test('the overview counts what came in and went out, and names what needs attention', async () => {
  const account = await world.account()
  const good = await register(account, '/good')
  const bad = await register(account, '/fails-overview')
  for (let count = 0; count < 3; count++) await story(account.key, await gateway.event(account.accountId))
  await call(`${world.url}/api/hooks/${good}/disable`, { method: 'POST', key: account.key, json: {} })
  await story(account.key, await gateway.event(account.accountId))
  const { json } = await read(account.key, '/api/overview?range=24h')
  expect(json.totals).toMatchObject({
    events: 4,
    delivered: 3,
    failed: 0,
    waiting: 4,
    held: 1,
    success_after_retries: 1,
  })
  expect(json.totals.receiver_p95_ms).toBeGreaterThan(0)
  expect(Date.parse(json.totals.oldest_waiting_at)).toBeGreaterThan(Date.now() - 600_000)
  expect(json.buckets).toHaveLength(24)
  const sum = (of: string) =>
    json.buckets.reduce((all: number, bucket: CallAnswer['json']) => all + bucket[of], 0)
  expect([sum('events'), sum('delivered'), sum('failed')]).toEqual([4, 3, 0])
  expect(json.attention.map(({ hook_id, kind, why }: CallAnswer['json']) => [hook_id, kind, why])).toEqual([
    [good, 'disabled', null],
    [bad, expect.stringMatching(/^(failing|paused)$/), 'The receiver answered 500.'],
  ])
  const month = await read(account.key, '/api/overview?range=30d')
  expect(month.json.buckets).toHaveLength(30)
  expect(month.json.totals.events).toBe(4)
  const stranger = await world.account()
  expect((await read(stranger.key, '/api/overview')).json).toMatchObject({
    attention: [],
    totals: { events: 0, delivered: 0, waiting: 0, success_after_retries: null, receiver_p95_ms: null },
  })
})

test('a webhook that works again is named in the overview as long as it has lost much, with its newest failure', async () => {
  const account = await world.account()
  const hook = await register(account, '/fails-some')
  const change = (path: string) =>
    call(`${world.url}/api/hooks/${hook}`, {
      method: 'POST',
      key: account.key,
      json: { target_url: receiver.url(path) },
    })
  await failForGood(world, await gateway.event(account.accountId), hook)
  await change(`/later`)
  await failForGood(world, await gateway.event(account.accountId), hook)
  await change('/good')
  const arrived = await story(account.key, await gateway.event(account.accountId))
  expect(arrived.hooks[0].deliveries[0].state).toBe('delivered')
  const losing = {
    kind: 'losing',
    sentence: '2 of 3 deliveries in the last 24 hours failed for good.',
    why: 'The receiver answered 503.',
    hook_id: hook,
    since: null,
  }
  expect((await read(account.key, '/api/overview')).json.attention).toEqual([losing])
  expect((await read(account.key, `/api/hooks/${hook}`)).json.health).toMatchObject({
    state: 'losing',
    sentence: losing.sentence,
    failing_since: null,
  })
})

test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
  'an id of a day that no ledger has, %s, is one that nobody has',
  async (id) => {
    const { key } = await world.account()
    expect((await read(key, `/api/events/${id}`)).status).toBe(404)
    expect((await read(key, `/api/events?q=${id}`)).json).toMatchObject({ events: [], next: null })
    const counted = await call(`${world.url}/api/replays/count`, {
      method: 'POST',
      key,
      json: { selection: { events: [id] } },
    })
    expect(counted.json).toMatchObject({ count: 0, is_exact: true })
  },
)
