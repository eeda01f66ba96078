/** Tests the delivery options of webhooks with the whole service and real receivers. */
import { createHash, createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { freePort } from '../../../dev/ports.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 90_000 })
const patient = { timeout: 30_000 }

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver(({ url }, response) => respond(url, response))
})
afterAll(async () => {
  // Closes the receiver first, because the process waits for attempts that hang.
  await receiver.close()
  await hookline.close()
})

/** Responds with the status in the path, or not at all. */
function respond(url: string, response: ServerResponse): void {
  if (url.startsWith('/hangs')) return
  const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 204)
  response.writeHead(status, status < 400 ? { location: receiver.url('/target') } : {}).end()
}

const allDefaults = {
  form_fields: 'nested',
  retry_policy: 'standard',
  accept_header: false,
  trace_header: false,
  signature_url: 'registered',
}
const allChanged = {
  form_fields: 'flat',
  retry_policy: 'original',
  accept_header: true,
  trace_header: true,
  signature_url: 'complete',
}

type Options = Partial<typeof allDefaults>

async function register({ key }: TestAccount, path: string, form: Record<string, string> = {}) {
  const target_url = path.startsWith('http') ? path : receiver.url(path)
  const body = { target_url, event_type: 'all', request_method: 'POST', ...form }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form: body })).json.id as number
}

function post({ key }: TestAccount, path: string, json: object = {}) {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

async function edit(account: TestAccount, id: number, options: object): Promise<void> {
  const { status, json } = await post(account, `/hooks/${id}`, options)
  expect(status, json?.error_message).toBe(200)
  expect(json.hook).toMatchObject(options)
}

async function readHook({ key }: TestAccount, id: number) {
  return (await call(`${hookline.url}/api/hooks/${id}`, { key })).json
}

async function readDeliveries({ key }: TestAccount, eventId: string) {
  const { json } = await call(`${hookline.url}/api/events/${eventId}?reveal=true`, { key })
  return json.hooks.flatMap(({ deliveries }: { deliveries: object[] }) => deliveries)
}

function voiceCall(accountId: number): object {
  return {
    account_id: accountId,
    type: 'voice_call',
    data: { id: 1, caller: '491', system: '492', time: 1_731_656_400 },
  }
}

/** Removes the acceptance time and what follows it. */
function withoutTime(text: string): string {
  return text.replace(/webhook_timestamp.*/, '')
}

function requestsOf(eventId: string): ReceivedRequest[] {
  return receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId)
}

/** Submits an event and returns the request that its webhook receives. */
async function deliver(account: TestAccount, data: object = {}): Promise<ReceivedRequest> {
  const id = await gateway.event(account.accountId, data)
  await receiver.until(() => requestsOf(id).length > 0, 30_000)
  const [request] = requestsOf(id)
  if (request === undefined) throw new Error('no request')
  return request
}

async function createHook(path: string, options: Options, form: Record<string, string> = {}) {
  const account = await hookline.account()
  const id = await register(account, path, form)
  if (Object.keys(options).length > 0) await edit(account, id, options)
  return { account, id }
}

/** Returns the values of a header, one for each time it was sent. */
function headerValues({ rawHeaders }: ReceivedRequest, lowerCaseName: string): string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === lowerCaseName ? [rawHeaders[index + 1] ?? ''] : [],
  )
}

async function hasSigned({ key }: TestAccount, id: number, request: ReceivedRequest, url: string) {
  const { json } = await call(`${hookline.url}/api/hooks/${id}/secret`, { key })
  const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
  const bodyHash = createHash('md5').update(request.body).digest('hex')
  const lines = [timestamp, nonce, request.method, url, bodyHash].join('\n')
  return createHmac('sha256', json.signing_key).update(lines).digest('hex') === signature
}

function finished(eventId: string): Promise<object[]> {
  return hookline.database.query(
    'SELECT state, reason, attempts FROM deliveries WHERE event_id = $1 ORDER BY round',
    [eventId],
  )
}

function attempted(eventId: string): Promise<Array<{ reason: string; total_ms: number }>> {
  return hookline.database.query('SELECT reason, status, total_ms FROM all_attempts WHERE event_id = $1', [
    eventId,
  ])
}

test('a new webhook has no option, and its request has neither flat fields nor an Accept header', async () => {
  const { account, id } = await createHook('/default', {})
  expect((await readHook(account, id)).hook).toMatchObject(allDefaults)
  const request = await deliver(account)
  expect(request.body).toMatch(/^data%5Bid%5D=77001&data%5Bsender%5D=491700000001&/)
  expect(headerValues(request, 'accept')).toEqual([])
  expect(await hasSigned(account, id, request, receiver.url('/default'))).toBe(true)
})

test('form_fields flat sends the fields of a form at the top level', async () => {
  const { account, id } = await createHook('/flat', { form_fields: 'flat' })
  const { body, headers } = await deliver(account, { webhook_event: 'spoofed', nested: { a: [1] } })
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(body.replace(/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d/, 'TIME')).toBe(
    'id=77001&sender=491700000001&system=491700000002&text=Hello&time=1731656400&message_type=SMS&nested%5Ba%5D%5B0%5D=1&webhook_event=sms_mo&webhook_timestamp=TIME%2B00%3A00',
  )
  await edit(account, id, { form_fields: 'nested' })
  expect((await deliver(account)).body).toMatch(/^data%5Bid%5D=77001&/)
})

test.each(['POST', 'GET', 'JSON'])('accept_header sends one Accept header as %s', async (request_method) => {
  const { account } = await createHook(
    `/accept-${request_method}`,
    { accept_header: true },
    { request_method },
  )
  expect(headerValues(await deliver(account), 'accept')).toEqual(['*/*'])
})

test('a custom Accept header replaces that of accept_header', async () => {
  const { account, id } = await createHook('/own', { accept_header: true }, { headers: 'ACCEPT: text/plain' })
  expect(headerValues(await deliver(account), 'accept')).toEqual(['text/plain'])
  await edit(account, id, { headers: '' })
  expect(headerValues(await deliver(account), 'accept')).toEqual(['*/*'])
})

test('signature_url complete signs the URL that a GET calls', async () => {
  const path = '/signed?own=1&list[]=ü'
  const { account, id } = await createHook(path, {}, { request_method: 'GET' })
  const registered = await deliver(account)
  expect(await hasSigned(account, id, registered, receiver.url(path))).toBe(true)
  await edit(account, id, { signature_url: 'complete' })
  const complete = await deliver(account, { text: "Grüße 😀 & 'so' (on) ~*" })
  // As a receiver builds the URL: from the host and the request line.
  const called = `http://${complete.headers.host}${complete.url}`
  expect(await hasSigned(account, id, complete, called)).toBe(true)
  expect(await hasSigned(account, id, complete, receiver.url(path))).toBe(false)
  for (const request_method of ['POST', 'JSON']) {
    await edit(account, id, { request_method })
    expect(await hasSigned(account, id, await deliver(account), receiver.url(path))).toBe(true)
  }
})

describe('retry_policy original', () => {
  const original = { retry_policy: 'original' }

  test.each([
    [200, { state: 'delivered', reason: 'delivered' }],
    [301, { state: 'delivered', reason: 'delivered' }],
    [302, { state: 'delivered', reason: 'delivered' }],
    [399, { state: 'delivered', reason: 'delivered' }],
    [400, { state: 'failed', reason: 'status' }],
    [404, { state: 'failed', reason: 'status' }],
    [410, { state: 'failed', reason: 'status' }],
    [501, { state: 'failed', reason: 'status' }],
  ])('finishes a delivery on %d', async (status, expected) => {
    const { account, id } = await createHook(`/status/${status}`, original)
    const event = await gateway.event(account.accountId)
    await expect.poll(() => finished(event), patient).toEqual([{ ...expected, attempts: 1 }])
    const { hook, health } = await readHook(account, id)
    expect(hook).toMatchObject({ enabled: true, ...original })
    expect(health.failing_since === null).toBe(expected.state === 'delivered')
    expect(receiver.at('/target')).toEqual([])
  })

  test.each([429, 500, 502, 503, 504])('retries on %d', async (status) => {
    const { account } = await createHook(`/status/${status}`, original)
    const event = await gateway.event(account.accountId)
    await expect.poll(() => attempted(event), patient).toMatchObject([{ reason: 'status', status }])
    expect(await finished(event)).toEqual([])
    const [delivery] = await readDeliveries(account, event)
    expect(delivery).toMatchObject({ state: 'waiting', max_attempts: 14 })
    expect(delivery.message).toMatch(/\(2 of 14\)|Attempt 2 of 14/)
  })

  test('retries a refused connection, and a response that takes over 5 s', async () => {
    const refusing = await createHook(`http://127.0.0.1:${await freePort()}/`, original)
    const hanging = await createHook('/hangs', original)
    const [refused, slow] = await Promise.all([
      gateway.event(refusing.account.accountId),
      gateway.event(hanging.account.accountId),
    ])
    await expect.poll(() => attempted(refused), patient).toMatchObject([{ reason: 'connection_refused' }])
    await expect.poll(() => attempted(slow), patient).toMatchObject([{ reason: 'timeout' }])
    const [attempt] = await attempted(slow)
    expect(attempt?.total_ms).toBeGreaterThanOrEqual(4_995)
    expect(attempt?.total_ms).toBeLessThan(10_000)
    expect([await finished(refused), await finished(slow)]).toEqual([[], []])
  })

  test('fails after the 14th attempt', async () => {
    const { account } = await createHook('/status/503', original)
    const event = await gateway.event(account.accountId)
    const retry = (attempts: number) =>
      hookline.database.query(
        `WITH due AS (UPDATE work SET attempts = $2, due_at = now() WHERE event_id = $1 RETURNING hook_id)
         UPDATE lane SET due_at = now() FROM due WHERE lane.hook_id = due.hook_id`,
        [event, attempts],
      )
    await expect.poll(() => attempted(event), patient).toHaveLength(1)
    await retry(12)
    await expect.poll(() => attempted(event), patient).toHaveLength(2)
    expect(await finished(event)).toEqual([])
    await retry(13)
    await expect.poll(() => finished(event), patient).toMatchObject([{ state: 'failed', attempts: 14 }])
    const [delivery] = await readDeliveries(account, event)
    expect(delivery).toMatchObject({ max_attempts: 14 })
    expect(delivery.message).toMatch(/ Failed after 14 attempts\.$/)
  })

  test('counts redirects as successes: they neither open the breaker nor make the webhook fail', async () => {
    const { account, id } = await createHook('/status/302?many', original)
    const events = Array.from({ length: 20 }, () => inboundSms(account.accountId))
    await gateway.submitEvents(...events)
    const health = async () => (await readHook(account, id)).health
    await expect.poll(health, patient).toMatchObject({ delivered_24h: 20, waiting: 0 })
    expect(await health()).toMatchObject({ state: 'healthy', breaker: 'closed', failed_attempts_24h: 0 })
    expect(await hookline.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [id])).toEqual([])
  })

  test('applies to time-sensitive events, which keep their own schedule', async () => {
    const final = await createHook('/status/404?voice', original)
    const retried = await createHook('/status/503?voice', original)
    const [first, second] = await Promise.all(
      [final, retried].map(async ({ account }) => {
        const { accepted } = await gateway.submitEvents(voiceCall(account.accountId))
        return accepted[0] ?? ''
      }),
    )
    await expect.poll(() => finished(first ?? ''), patient).toMatchObject([{ state: 'failed', attempts: 1 }])
    expect(await readDeliveries(final.account, first ?? '')).toMatchObject([{ max_attempts: 4 }])
    await expect.poll(() => finished(second ?? ''), { timeout: 60_000 }).toHaveLength(1)
    const [{ state, attempts }] = (await finished(second ?? '')) as [{ state: string; attempts: number }]
    expect(['failed', 'expired']).toContain(state)
    expect(attempts).toBeGreaterThan(1)
    expect(attempts).toBeLessThanOrEqual(4)
  })

  test('applies to test events and replays', async () => {
    const { account, id } = await createHook('/status/302?tested', original)
    const { json } = await post(account, `/hooks/${id}/test`)
    await expect.poll(() => finished(json.event_id), patient).toMatchObject([{ state: 'delivered' }])
    const failing = await createHook('/status/404?replayed', original)
    const event = await gateway.event(failing.account.accountId)
    await expect.poll(() => finished(event), patient).toHaveLength(1)
    const selection = { deliveries: [{ event_id: event, hook_id: failing.id }] }
    expect((await post(failing.account, '/replays', { selection, max_per_second: 10 })).status).toBe(200)
    await expect
      .poll(() => finished(event), patient)
      .toMatchObject([
        { state: 'failed', attempts: 1 },
        { state: 'failed', attempts: 1 },
      ])
  })

  test('does not change the retries of other webhooks', async () => {
    const { account } = await createHook('/status/404?standard', {})
    const event = await gateway.event(account.accountId)
    await expect.poll(() => attempted(event), patient).toHaveLength(1)
    expect(await readDeliveries(account, event)).toMatchObject([{ state: 'waiting', max_attempts: 12 }])
  })
})

test('an isolated process builds the same request and follows the same policy', async () => {
  const { account, id } = await createHook('/status/302?isolated', allChanged, { request_method: 'GET' })
  const event = await gateway.event(account.accountId)
  await expect.poll(() => finished(event), patient).toMatchObject([{ state: 'delivered' }])
  // A second round whose lease has expired: its worker may have crashed because of it.
  await hookline.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, lease, lease_until)
     VALUES ($1, $2, $3, 2, 'sms_mo', now(), now(), gen_random_uuid(), now() - interval '1 second')`,
    [account.accountId, id, event],
  )
  await expect
    .poll(() => finished(event), { timeout: 60_000 })
    .toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  const [usual, isolated] = requestsOf(event)
  if (usual === undefined || isolated === undefined) throw new Error('no request')
  expect(isolated.headers['x-hookline-replay']).toBe('1')
  expect(withoutTime(isolated.url)).toBe(withoutTime(usual.url))
  expect(headerValues(isolated, 'accept')).toEqual(['*/*'])
  expect(isolated.headers.traceparent).toBe(usual.headers.traceparent)
  expect(isolated.headers.traceparent).toMatch(new RegExp(`^00-${event.replaceAll('-', '')}-`))
  const called = `http://${isolated.headers.host}${isolated.url}`
  expect(await hasSigned(account, id, isolated, called)).toBe(true)

  await edit(account, id, { request_method: 'POST' })
  await hookline.database.query(
    `INSERT INTO work (account_id, hook_id, event_id, round, type, accepted_at, due_at, lease, lease_until)
     VALUES ($1, $2, $3, 3, 'sms_mo', now(), now(), gen_random_uuid(), now() - interval '1 second')`,
    [account.accountId, id, event],
  )
  await expect.poll(() => requestsOf(event), { timeout: 60_000 }).toHaveLength(3)
  expect(requestsOf(event)[2]?.body).toMatch(/^id=77001&/)
})

test.each(['POST', 'GET', 'JSON'])(
  'the preview of %s with all options is identical to the sent request',
  async (request_method) => {
    const form = { request_method, headers: 'X-Team: one' }
    const path = `/previewed-${request_method}?own=1`
    const { account, id } = await createHook(path, allChanged, form)
    const { retry_policy: _, ...options } = allChanged
    const values = { target_url: receiver.url(path), event_type: 'sms_mo', ...form, ...options }
    const { json } = await post(account, '/hooks/preview', { ...values, hook_id: id })
    const previewed = json.requests[request_method]
    const { event_id } = (await post(account, `/hooks/${id}/test`, { event_type: 'sms_mo' })).json
    await receiver.until(() => requestsOf(event_id).length === 1, 30_000)
    const [sent] = requestsOf(event_id)

    expect(withoutTime(`http://${sent?.headers.host}${sent?.url}`)).toBe(withoutTime(previewed.url))
    expect(withoutTime(sent?.body ?? '')).toBe(withoutTime(previewed.body))
    const names = (sent?.rawHeaders ?? []).filter((_name, index) => index % 2 === 0)
    const ofTransport = new Set(['host', 'connection', 'content-length', 'x-hookline-test'])
    expect(names.filter((name) => !ofTransport.has(name.toLowerCase()))).toEqual(
      previewed.headers.map(({ name }: { name: string }) => name),
    )
    expect(previewed.headers).toContainEqual({ name: 'accept', value: '*/*' })
    const standard = await post(account, '/hooks/preview', { ...values, ...allDefaults, hook_id: id })
    expect(standard.json.requests[request_method].headers).not.toContainEqual(
      expect.objectContaining({ name: 'accept' }),
    )
  },
)

test('an attempt shows the request with the options of its time', async () => {
  const { account, id } = await createHook('/shown', allChanged, { headers: 'X-Team: one' })
  const { headers } = await deliver(account)
  const event = String(headers['webhook-id'])
  await expect.poll(() => finished(event), patient).toHaveLength(1)
  await edit(account, id, { ...allDefaults, headers: 'Accept: text/plain' })
  const later = String((await deliver(account)).headers['webhook-id'])
  await expect.poll(() => finished(later), patient).toHaveLength(1)
  for (const eventId of [event, later]) {
    const [{ attempts }] = await readDeliveries(account, eventId)
    const [sent] = requestsOf(eventId)
    if (sent === undefined) throw new Error('no request')
    const { request } = attempts[0]
    expect(request.body).toBe(sent.body)
    const ofTransport = new Set(['host', 'connection', 'content-length'])
    const names = sent.rawHeaders.filter(
      (name, index) => index % 2 === 0 && !ofTransport.has(name.toLowerCase()),
    )
    expect(request.headers.map(({ name }: { name: string }) => name)).toEqual(names)
  }
  const [{ max_attempts }] = await readDeliveries(account, event)
  expect(max_attempts).toBe(14)
})

test('the curl command sends the options of the webhook', async () => {
  const { account, id } = await createHook('/curl', allChanged)
  const { headers, body } = await deliver(account)
  const path = `/events/${String(headers['webhook-id'])}/curl`
  const { json } = await post(account, path, { hook_id: id })
  expect(json.curl).toContain(`--data-raw '${body}'`)
  expect(json.curl).toContain(`-H 'accept: */*'`)
})

test('options survive disabling, enabling and registering again, and are not part of the contract', async () => {
  const { account, id } = await createHook('/kept', allChanged)
  await post(account, `/hooks/${id}/disable`)
  await post(account, `/hooks/${id}/enable`)
  await post(account, `/hooks/${id}`, { headers: '' })
  expect(await register(account, '/kept')).toBe(id)
  expect((await readHook(account, id)).hook).toMatchObject({ enabled: true, ...allChanged })
  const versions = await hookline.database.query<object>(
    `SELECT change, form_fields, retry_policy, accept_header, trace_header, signature_url
     FROM hook_versions WHERE hook_id = $1 ORDER BY version`,
    [id],
  )
  expect(versions).toEqual([
    { change: 'created', ...allDefaults },
    { change: 'changed', ...allChanged },
    { change: 'disabled', ...allChanged },
    { change: 'enabled', ...allChanged },
    { change: 'changed', ...allChanged },
  ])
  const { json } = await call(`${hookline.url}/api/hooks`, { key: account.key })
  for (const name of Object.keys(allDefaults)) expect(json.hooks[0]).not.toHaveProperty(name)
})

test('a change of options is one audit entry that names the changed options', async () => {
  const { account, id } = await createHook('/audited', {})
  await edit(account, id, { ...allDefaults, form_fields: 'flat', accept_header: true })
  await edit(account, id, { form_fields: 'flat' })
  await edit(account, id, { accept_header: false })
  const entries = await hookline.database.query(
    `SELECT actor, subject, detail FROM audit WHERE account_id = $1 AND action = 'hook.change' ORDER BY id`,
    [account.accountId],
  )
  const common = { actor: `key:${account.keyId}`, subject: `hook:${id}` }
  expect(entries).toEqual([
    {
      ...common,
      detail: { fields: ['form_fields', 'accept_header'], form_fields: 'flat', accept_header: true },
    },
    { ...common, detail: { fields: ['accept_header'], accept_header: false } },
  ])
})

test.each([
  { form_fields: 'flattened' },
  { form_fields: null },
  { retry_policy: 'none' },
  { accept_header: 'yes' },
  { signature_url: '' },
])('a change to %o is rejected without effect', async (options) => {
  const { account, id } = await createHook('/rejected', allChanged)
  const before = (await readHook(account, id)).hook
  const { status, json } = await post(account, `/hooks/${id}`, options)
  expect([status, json.code]).toEqual([400, 1012])
  expect((await readHook(account, id)).hook).toEqual(before)
})

test('a webhook with an option that this version does not know is not sent to', async () => {
  const { account, id } = await createHook('/unknown-option', {})
  await hookline.database.query(`UPDATE hooks SET retry_policy = 'newer' WHERE id = $1`, [id])
  await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    account.accountId,
  ])
  const event = await gateway.event(account.accountId)
  const problems = () => hookline.database.query('SELECT problem FROM hook_problems WHERE hook_id = $1', [id])
  await expect.poll(problems, patient).toEqual([{ problem: 'settings' }])
  expect(requestsOf(event)).toEqual([])
})

test('the admin tool sets options and keeps the others', async () => {
  const { account, id } = await createHook('/admin', { form_fields: 'flat' })
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const run = (...args: string[]) =>
    runAdmin(env, ['hook', 'options', String(id), '--account', String(account.accountId), ...args])
  const changes = ['--accept-header', 'on', '--trace-header', 'on', '--retry-policy', 'original']
  expect(await run(...changes, '--json')).toMatchObject({ code: 0 })
  expect((await readHook(account, id)).hook).toMatchObject({
    ...allChanged,
    signature_url: 'registered',
  })
  expect(await run('--accept-header', 'off')).toMatchObject({
    code: 0,
    stdout: `Changed the delivery options of webhook ${id}.\n`,
  })
  expect((await readHook(account, id)).hook).toMatchObject({ accept_header: false })
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('No option given.') })
})
