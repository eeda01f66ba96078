/** Webhook management: read, change, disable, enable, test, preview, backtest filters, rotate secrets. */
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { samples } from '../../src/model/sample-events.ts'
import { waitForCounts } from '../support/counts.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 90_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response) => {
    if (request.url.startsWith('/broken/asks')) response.setHeader('retry-after', '3600')
    response.statusCode = request.url.startsWith('/broken') ? 500 : 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function get({ key }: { key: string }, path: string): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks${path}`, { key })
}

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string, options: object = {}): Promise<number> {
  const created = await post(account, '', {
    target_url: receiver.url(path),
    event_type: 'sms_mo',
    request_method: 'JSON',
    ...options,
  })
  expect(created.json).toMatchObject({ success: true })
  return created.json.id
}

async function readVersion({ accountId }: TestAccount): Promise<number> {
  const [row] = await hookline.database.query<{ version: string }>(
    'SELECT hooks_version AS version FROM accounts WHERE id = $1',
    [accountId],
  )
  return Number(row?.version)
}

function eventIdOf(request: ReceivedRequest): string {
  return String(request.headers['webhook-id'])
}

function readFinished(hookId: number): Promise<Array<{ event_id: string; state: string; reason: string }>> {
  return hookline.database.query(
    'SELECT event_id, state, reason FROM deliveries WHERE hook_id = $1 ORDER BY event_id',
    [hookId],
  )
}

test('a webhook is returned in full with its health', async () => {
  const account = await hookline.account()
  const id = await register(account, '/shown', { event_filter: '491700000002', headers: 'X-Team: one' })
  await gateway.event(account.accountId)
  await expect.poll(() => readFinished(id), { timeout: 30_000 }).toHaveLength(1)
  await waitForCounts(hookline)
  const { status, json } = await get(account, `/${id}`)
  expect(status).toBe(200)
  expect(json.hook).toEqual({
    id,
    name: null,
    description: null,
    target_url: receiver.url('/shown'),
    endpoint: receiver.url('/shown').replace('http://', ''),
    event_type: 'sms_mo',
    event_filter: '491700000002',
    chosen: null,
    request_method: 'JSON',
    headers: 'X-Team: one',
    enabled: true,
    disabled_reason: null,
    max_per_second: null,
    form_fields: 'nested',
    accept_header: false,
    trace_header: false,
    signature_url: 'registered',
    retry_policy: 'standard',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    changed_at: json.hook.created_at,
  })
  expect(json).toMatchObject({ warnings: [], secret_rotated_at: null })
  expect(json.health).toMatchObject({
    hook_id: id,
    state: 'healthy',
    message: '1 delivery in the last 24 hours.',
    delivered_24h: 1,
    failed_24h: 0,
    attempts_24h: 1,
    failed_attempts_24h: 0,
    success_rate: 1,
    waiting: 0,
    held: 0,
    oldest_waiting_at: null,
    failing_since: null,
    breaker: 'closed',
    next_probe_at: null,
  })
  expect(Date.parse(json.health.last_delivered_at)).toBeGreaterThan(Date.now() - 60_000)
  expect(json.health.receiver_p95_ms).toBeGreaterThan(0)
  const listed = await get(account, '/health')
  expect(listed.json.hooks).toEqual([{ hook: json.hook, health: json.health }])
})

test('health distinguishes idle, failing and backing_off', async () => {
  const account = await hookline.account()
  const idle = await register(account, '/idle', { event_type: 'dlr' })
  const broken = await register(account, '/broken/1')
  expect((await get(account, `/${idle}`)).json.health).toMatchObject({ state: 'idle', success_rate: null })
  await gateway.event(account.accountId)
  const health = async () => (await get(account, `/${broken}`)).json.health
  await expect.poll(health, { timeout: 30_000 }).toMatchObject({
    state: 'failing',
    waiting: 1,
    breaker: 'closed',
    failed_attempts_24h: 1,
    failing_since: expect.any(String),
    last_attempt_at: expect.any(String),
    last_delivered_at: null,
    receiver_p95_ms: expect.any(Number),
  })
  for (let count = 0; count < 5; count++) await gateway.event(account.accountId)
  await expect.poll(health, { timeout: 30_000 }).toMatchObject({ state: 'backing_off', breaker: 'open' })
  expect((await health()).message).toMatch(/^Most recent attempts failed\. Failing since .+ UTC\./)
})

test('a change updates values, version and history in one transaction', async () => {
  const account = await hookline.account()
  const id = await register(account, '/before', { event_filter: '491', headers: 'X-A: 1' })
  const before = await readVersion(account)
  const changed = await post(account, `/${id}`, {
    target_url: receiver.url('/after'),
    event_filter: null,
    headers: 'X-B: 2',
    max_per_second: 7,
  })
  expect(changed.json.hook).toMatchObject({
    id,
    target_url: receiver.url('/after'),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: null,
    headers: 'X-B: 2',
    max_per_second: 7,
  })
  expect(await readVersion(account)).toBe(before + 1)
  const versions = await hookline.database.query(
    `SELECT change, target_url, event_filter, version::integer FROM hook_versions WHERE hook_id = $1 ORDER BY version`,
    [id],
  )
  expect(versions.at(-1)).toEqual({
    change: 'changed',
    target_url: receiver.url('/after'),
    event_filter: null,
    version: before + 1,
  })
  await gateway.event(account.accountId)
  await receiver.until(() => receiver.at('/after').length === 1)
  expect(receiver.at('/after')[0]?.headers).toMatchObject({ 'x-b': '2' })
  expect(receiver.at('/after')[0]?.headers).not.toHaveProperty('x-a')
  expect(receiver.at('/before')).toEqual([])
})

test('pending deliveries go to the new URL immediately', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/2')
  const events = []
  for (let count = 0; count < 6; count++) events.push(await gateway.event(account.accountId))
  await expect
    .poll(async () => (await get(account, `/${id}`)).json.health.breaker, { timeout: 30_000 })
    .toBe('open')
  await post(account, `/${id}`, { target_url: receiver.url('/mended') })
  await receiver.until(() => receiver.at('/mended').length === 6, 30_000)
  expect(receiver.at('/mended').map(eventIdOf).toSorted()).toEqual(events.toSorted())
})

test.each(['/broken/once', '/broken/asks'])(
  'a delivery that failed at %s goes to the new URL immediately, despite its later due time',
  async (path) => {
    const account = await hookline.account()
    const id = await register(account, path)
    const event = await gateway.event(account.accountId)
    const failed = () =>
      hookline.database.query(
        'UPDATE work SET due_at = $2 WHERE hook_id = $1 AND attempts = 1 AND lease IS NULL RETURNING event_id',
        [id, new Date(Date.now() + 3_600_000)],
      )
    await expect.poll(failed, { timeout: 30_000 }).toEqual([{ event_id: event }])
    expect((await get(account, `/${id}`)).json.health.breaker).toBe('closed')
    await post(account, `/${id}`, { target_url: receiver.url(`/mended${path}`) })
    await receiver.until(() => receiver.at(`/mended${path}`).length === 1, 30_000)
    expect(receiver.at(`/mended${path}`).map(eventIdOf)).toEqual([event])
  },
)

test('deliveries of a paused replay stay paused when the URL changes', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/paused')
  await gateway.event(account.accountId)
  const pause = () =>
    hookline.database.query(
      `UPDATE work SET due_at = 'infinity', waits_since = NULL
       WHERE hook_id = $1 AND attempts = 1 AND lease IS NULL RETURNING attempts`,
      [id],
    )
  await expect.poll(pause, { timeout: 30_000 }).toHaveLength(1)
  await post(account, `/${id}`, { target_url: receiver.url('/mended/paused') })
  await gateway.event(account.accountId)
  await receiver.until(() => receiver.at('/mended/paused').length === 1, 30_000)
  await sleep(1_000)
  expect(receiver.at('/mended/paused')).toHaveLength(1)
})

test.each([
  [{ target_url: 'https://169.254.169.254/' }, 1020],
  [{ target_url: 'ftp://example.com/' }, 1020],
  [{ headers: 'Host: example.com' }, 1021],
  [{ headers: 'X-Hookline-Test: 1' }, 1021],
  [{ event_filter: 'cel:1 + 1' }, 1022],
  [{ event_type: 'mail' }, 1012],
  [{ request_method: 'PUT' }, 1012],
  [{ max_per_second: 0 }, 1012],
  [{ max_per_second: 1.5 }, 1012],
])('a change to %o is rejected without effect', async (edit, code) => {
  const account = await hookline.account()
  const id = await register(account, '/kept', { headers: 'X-A: 1' })
  const before = [await readVersion(account), (await get(account, `/${id}`)).json.hook]
  const rejected = await post(account, `/${id}`, edit)
  expect([rejected.status, rejected.json.code]).toEqual([400, code])
  expect([await readVersion(account), (await get(account, `/${id}`)).json.hook]).toEqual(before)
})

test('a change that duplicates another webhook is rejected', async () => {
  const account = await hookline.account()
  const first = await register(account, '/one')
  const second = await register(account, '/two')
  const rejected = await post(account, `/${second}`, { target_url: receiver.url('/one') })
  expect([rejected.status, rejected.json.code]).toEqual([409, 1103])
  expect(rejected.json.error_message).toContain(`Webhook ${first} `)
  expect((await get(account, `/${second}`)).json.hook.target_url).toBe(receiver.url('/two'))
  expect((await post(account, `/${second}`, { target_url: receiver.url('/two') })).status).toBe(200)
})

test('every call for a webhook of another account gets the response for an unknown webhook', async () => {
  const ownerAccount = await hookline.account()
  const stranger = await hookline.account()
  const id = await register(ownerAccount, '/private')
  const unknownId = 2_000_000_000
  const before = await hookline.database.query('SELECT * FROM hooks WHERE id = $1', [id])
  const calls: Array<(hook: number) => Promise<CallResponse>> = [
    (hook) => get(stranger, `/${hook}`),
    (hook) => post(stranger, `/${hook}`, { target_url: receiver.url('/stolen') }),
    (hook) => post(stranger, `/${hook}/disable`),
    (hook) => post(stranger, `/${hook}/enable`, { held: 'drop' }),
    (hook) => post(stranger, `/${hook}/test`),
    (hook) => get(stranger, `/${hook}/secret`),
    (hook) => post(stranger, `/${hook}/secret`),
    (hook) => get(stranger, `/${hook}/stats`),
    (hook) => get(stranger, `/${hook}/attempts`),
    (hook) => post(stranger, '/backtest-filter', { event_type: 'sms_mo', hook_id: hook }),
  ]
  for (const sendCall of calls) {
    const otherResponse = await sendCall(id)
    const unknown = await sendCall(unknownId)
    expect([otherResponse.status, otherResponse.json.code]).toEqual([404, 1102])
    expect(otherResponse.text.replace(`Webhook ${id} `, 'X')).toBe(
      unknown.text.replace(`Webhook ${unknownId} `, 'X'),
    )
  }
  expect(await hookline.database.query('SELECT * FROM hooks WHERE id = $1', [id])).toEqual(before)
  expect((await get(stranger, '/health')).json.hooks).toEqual([])
  for (const invalidPath of ['/0', '/abc', '/99999999999', '/1.5'])
    expect((await get(ownerAccount, invalidPath)).json.code).toBe(1102)
})

test('a hooks:read key cannot change webhooks, read secrets or query events', async () => {
  const account = await hookline.account()
  const id = await register(account, '/seen')
  const reader = await hookline.key(account.accountId, { scopes: ['hooks:read'] })
  expect((await get(reader, `/${id}`)).status).toBe(200)
  expect((await get(reader, '/health')).status).toBe(200)
  const rejected = [
    await post(reader, `/${id}`, { event_filter: '1' }),
    await post(reader, `/${id}/disable`),
    await post(reader, `/${id}/enable`),
    await post(reader, `/${id}/test`),
    await get(reader, `/${id}/secret`),
    await post(reader, `/${id}/secret`),
    // An arbitrary filter reveals the texts of messages.
    await post(reader, '/backtest-filter', {
      event_type: 'sms_mo',
      event_filter: 'cel:data.text.contains("x")',
    }),
  ]
  expect(rejected.map(({ status, json }) => [status, json.code])).toEqual(rejected.map(() => [403, 902]))
})

test('a disabled webhook receives nothing after one second, and enabling it delivers or drops held events', async () => {
  for (const choice of ['deliver', 'drop'] as const) {
    const account = await hookline.account()
    const path = `/switched-${choice}`
    const id = await register(account, path)
    const disabled = await post(account, `/${id}/disable`)
    const at = Date.now()
    expect(disabled.json).toMatchObject({ waiting: 0, hook: { enabled: false, disabled_reason: 'owner' } })
    const { accepted } = await gateway.submitEvents(
      ...Array.from({ length: 40 }, () => inboundSms(account.accountId)),
    )
    await expect
      .poll(async () => (await get(account, `/${id}`)).json.health, { timeout: 30_000 })
      .toMatchObject({
        state: 'disabled',
        held: 40,
        message: 'You disabled this webhook. 40 events on hold.',
      })
    await sleep(1_500)
    expect(receiver.at(path).filter((request) => request.at > at + 1_000)).toEqual([])
    expect(receiver.at(path)).toEqual([])

    const enabled = await post(account, `/${id}/enable`, { held: choice })
    expect(enabled.json).toMatchObject({ held: 40, hook: { enabled: true, disabled_reason: null } })
    await expect.poll(() => readFinished(id), { timeout: 30_000 }).toHaveLength(40)
    const finished = await readFinished(id)
    expect(finished.map(({ event_id }) => event_id)).toEqual(accepted.toSorted())
    const expected = choice === 'deliver' ? 'delivered' : 'cancelled'
    expect(new Set(finished.map(({ state }) => state))).toEqual(new Set([expected]))
    expect(receiver.at(path)).toHaveLength(choice === 'deliver' ? 40 : 0)
    expect(enabled.json.replay_id === null).toBe(choice === 'drop')
  }
})

test('disabling a webhook counts and holds its pending deliveries', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/3')
  await gateway.event(account.accountId)
  await expect
    .poll(async () => (await get(account, `/${id}`)).json.health, { timeout: 30_000 })
    .toMatchObject({ waiting: 1, failed_attempts_24h: 1 })
  expect((await post(account, `/${id}/disable`)).json.waiting).toBe(1)
  await expect
    .poll(async () => (await get(account, `/${id}`)).json.health, { timeout: 30_000 })
    .toMatchObject({ waiting: 0, held: 1 })
})

test('a test event goes only to its webhook, ignores the filter and is marked as a test', async () => {
  const account = await hookline.account()
  const id = await register(account, '/tested', { event_filter: '4999' })
  await register(account, '/neighbor')
  await register(account, '/neighbor-of-all', { event_type: 'all' })
  const { status, json } = await post(account, `/${id}/test`)
  expect(status).toBe(200)
  await expect
    .poll(() => readFinished(id), { timeout: 30_000 })
    .toEqual([{ event_id: json.event_id, state: 'delivered', reason: 'delivered' }])
  const [request, ...others] = receiver.at('/tested')
  expect(others).toEqual([])
  expect(request?.headers).toMatchObject({ 'x-hookline-test': '1', 'webhook-id': json.event_id })
  // The event is routed, so other webhooks would have received it by now.
  const work = await hookline.database.query('SELECT FROM work WHERE event_id = $1', [json.event_id])
  expect(work).toEqual([])
  expect(receiver.requests.filter((ofHook) => eventIdOf(ofHook) === json.event_id)).toHaveLength(1)
  expect(await hookline.database.query('SELECT FROM inbox WHERE event_id = $1', [json.event_id])).toEqual([])
})

test('a failed test event is attempted once and does not affect health', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/tested', { event_type: 'all' })
  for (let count = 0; count < 6; count++) {
    const { json } = await post(account, `/${id}/test`, { event_type: 'dlr' })
    await expect
      .poll(() => readFinished(id), { timeout: 30_000 })
      .toContainEqual({ event_id: json.event_id, state: 'failed', reason: 'status' })
  }
  expect(receiver.at('/broken/tested')).toHaveLength(6)
  expect(await hookline.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [id])).toEqual([])
  expect((await get(account, `/${id}`)).json.health).toMatchObject({
    state: 'idle',
    failed_24h: 0,
    breaker: 'closed',
    failing_since: null,
  })
  expect((await get(account, `/${id}/stats`)).json.totals).toMatchObject({
    failed: 0,
    attempts: 0,
    failures: 0,
  })
  await post(account, `/${id}`, { target_url: receiver.url('/tested-well') })
  await post(account, `/${id}/test`, { event_type: 'dlr' })
  await expect
    .poll(async () => (await get(account, `/${id}`)).json.health, { timeout: 30_000 })
    .toMatchObject({ state: 'healthy', delivered_24h: 1, failed_24h: 0 })
})

test('a test event requires a matching event type and an enabled webhook', async () => {
  const account = await hookline.account()
  const id = await register(account, '/typed')
  const other = await post(account, `/${id}/test`, { event_type: 'dlr' })
  expect([other.status, other.json.code]).toEqual([400, 1012])
  await post(account, `/${id}/disable`)
  const disabled = await post(account, `/${id}/test`)
  expect([disabled.status, disabled.json.code]).toEqual([409, 1104])
})

test('a new secret signs immediately, the old one for 24 hours, and every view is audited', async () => {
  const account = await hookline.account()
  const id = await register(account, '/rotated')
  const first = await get(account, `/${id}/secret`)
  expect(first.json).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    rotated_at: null,
    previous_until: null,
  })
  expect(first.json.signing_key).toMatch(/^[0-9a-f]{64}$/)
  const rotated = await post(account, `/${id}/secret`)
  expect(rotated.json.secret).not.toBe(first.json.secret)
  const overlapMs = Date.parse(rotated.json.previous_until) - Date.now()
  expect(Math.abs(overlapMs - 24 * 3_600_000)).toBeLessThan(60_000)

  await gateway.event(account.accountId)
  await receiver.until(() => receiver.at('/rotated').length === 1)
  const [request] = receiver.at('/rotated')
  expect(request?.headers['webhook-signature']).toBe(
    [rotated.json.secret, first.json.secret].map((secret) => `v1,${signature(secret, request)}`).join(' '),
  )
  const after = await get(account, `/${id}/secret`)
  expect(after.json).toMatchObject({
    secret: rotated.json.secret,
    previous_until: rotated.json.previous_until,
  })

  const auditEntries = await hookline.database.query<{ action: string; actor: string; detail: object }>(
    'SELECT action, actor, detail FROM audit WHERE account_id = $1 AND subject = $2 ORDER BY id',
    [account.accountId, `hook:${id}`],
  )
  const actor = `key:${account.keyId}`
  expect(auditEntries).toEqual([
    { action: 'hook.create', actor, detail: { host: new URL(receiver.url()).host } },
    { action: 'hook.secret.view', actor, detail: {} },
    { action: 'hook.secret.rotate', actor, detail: {} },
    { action: 'hook.secret.view', actor, detail: {} },
  ])
})

function signature(secret: string, request: ReceivedRequest | undefined): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = request?.headers ?? {}
  return createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${request?.body}`)
    .digest('base64')
}

test.each(['JSON', 'POST', 'GET'] as const)(
  'the preview of %s is identical to the sent request',
  async (request_method) => {
    const account = await hookline.account()
    const hook = {
      target_url: receiver.url(`/previewed-${request_method}?own=1`),
      event_type: 'sms_mo',
      request_method,
      headers: 'X-Team: one\nX-Empty: ',
    }
    const preview = await post(account, '/preview', hook)
    expect(preview.json).toMatchObject({ problems: [] })
    const previewed = preview.json.requests[request_method]
    const id = await register(account, '', hook)
    await post(account, `/${id}/test`)
    const isToHook = (request: ReceivedRequest): boolean => request.headers['x-hookline-hook'] === String(id)
    await receiver.until((requests) => requests.some(isToHook), 30_000)
    const sent = receiver.requests.find(isToHook)

    expect(sent?.method).toBe(previewed.method)
    expect(withoutTime(`http://${sent?.headers.host}${sent?.url}`)).toBe(withoutTime(previewed.url))
    expect(withoutTime(sent?.body ?? '')).toBe(withoutTime(previewed.body))
    const transportHeaders = new Set(['host', 'connection', 'content-length', 'x-hookline-test'])
    const volatileHeaders = new Set([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-signature',
      'x-timestamp',
      'x-nonce',
      'x-hookline-hook',
    ])
    const normalize = (name: string, value: string): string =>
      `${name}: ${volatileHeaders.has(name) ? '…' : value}`
    const raw = sent?.rawHeaders ?? []
    const sentLines = raw.flatMap((name, index) =>
      index % 2 === 0 && !transportHeaders.has(name.toLowerCase())
        ? [normalize(name, raw[index + 1] ?? '')]
        : [],
    )
    const previewedLines = previewed.headers.map(({ name, value }: { name: string; value: string }) =>
      normalize(name, value),
    )
    expect(sentLines).toEqual(previewedLines)
    expect(previewedLines).toContain('X-Team: one')
  },
)

/** Removes the acceptance time, which is the only difference. */
function withoutTime(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\+|%2B)00(:|%3A)00/, '…')
}

test('the preview returns all problems and warnings', async () => {
  const account = await hookline.account()
  const wrong = await post(account, '/preview', {
    target_url: 'nowhere',
    event_type: 'sms_mo',
    event_filter: 'cel:((',
    headers: 'Host: x',
  })
  expect(wrong.json.problems).toMatchObject([
    { field: 'target_url', code: 1020 },
    { field: 'headers', code: 1021 },
    { field: 'event_filter', code: 1022 },
  ])
  expect(wrong.json).toMatchObject({ requests: null, curl: null })
  const id = await register(account, '/twice', { event_type: 'all' })
  const hook = { target_url: receiver.url('/twice'), event_type: 'dlr', event_filter: '4917' }
  const duplicate = await post(account, '/preview', hook)
  expect(duplicate.json.problems).toEqual([])
  expect(duplicate.json.warnings).toMatchObject([
    {
      code: 'filter_never_matches',
      field: 'event_filter',
      message: expect.stringContaining('never matches'),
    },
    { code: 'duplicate', field: 'target_url', hook_id: id },
    { code: 'not_encrypted', field: 'target_url' },
  ])
  const ofHook = await post(account, '/preview', { ...hook, hook_id: id })
  expect(JSON.stringify(ofHook.json.warnings)).not.toContain(`Webhook ${id} `)
})

test('a filter with a problem gets no warnings', async () => {
  const hook = {
    target_url: receiver.url('/problem'),
    event_type: 'sms_mo',
    event_filter: 'a,'.repeat(61_000),
  }
  const { json } = await post(await hookline.account(), '/preview', hook)
  expect(json.problems).toMatchObject([{ field: 'event_filter', code: 1022 }])
  expect(json.warnings).toMatchObject([{ code: 'not_encrypted' }])
})

test('the preview corrects a URL without a scheme and marks the mistake in an expression', async () => {
  const account = await hookline.account()
  const suggestionFor = async (target_url: string) => {
    const { json } = await post(account, '/preview', { target_url, event_type: 'sms_mo' })
    return json.problems[0]?.suggestion
  }
  expect(await suggestionFor('example.com/x?a=1')).toBe('https://example.com/x?a=1')
  expect(await suggestionFor('localhost:9911/orders')).toBe('http://localhost:9911/orders')
  expect(await suggestionFor('10.0.0.7/orders')).toBe('http://10.0.0.7/orders')
  expect(await suggestionFor(' http:/example.com')).toBe('https://example.com')
  for (const wrong of ['nowhere', 'ftp://example.com', 'user@example.com', 'https://a b.com'])
    expect(await suggestionFor(wrong), wrong).toBeNull()

  const hook = { target_url: receiver.url('/marked'), event_type: 'sms_mo' }
  const wrong = await post(account, '/preview', { ...hook, event_filter: 'cel:(data.text == "x"' })
  expect(wrong.json.problems).toEqual([
    {
      field: 'event_filter',
      code: 1022,
      message: 'Add a closing parenthesis after “"x"”.',
      position: { index: 18, length: 3 },
      suggestion: null,
    },
  ])
})

test('a filter that probably never matches is saved with a warning', async () => {
  const account = await hookline.account()
  const event_filter = 'data.text == "x"'
  const warning = {
    code: 'filter_without_prefix',
    position: null,
    message: expect.stringContaining('"cel:"'),
  }
  const hook = { target_url: receiver.url('/unmatched'), event_type: 'sms_mo', event_filter }
  const registered = await post(account, '', hook)
  expect(registered.json).toStrictEqual({
    success: true,
    id: expect.any(Number),
    code: null,
    error_message: null,
  })
  expect(registered.headers.get('x-hookline-warning')).toContain('looks like an expression')
  const id = registered.json.id
  expect((await get(account, `/${id}`)).json.filter_warnings).toMatchObject([warning])
  const edited = await post(account, `/${id}`, { headers: 'X-Team: one' })
  expect(edited.json.filter_warnings).toMatchObject([warning])
  expect(
    (await post(account, `/${id}`, { event_filter: `cel:${event_filter}` })).json.filter_warnings,
  ).toEqual([])
  const wrong = await post(account, `/${id}`, { event_filter: 'cel:data.text = "x"' })
  expect(wrong.json).toMatchObject({
    code: 1022,
    field: 'event_filter',
    details: { index: 14, length: 1 },
    error_message: 'Invalid filter expression: Use == to compare. A single = is not an operator.',
  })
})

test('the curl command of the preview creates or edits the webhook with any values, one option per line', async () => {
  const account = await hookline.account()
  const existing = await register(account, '/edited')
  const hook = {
    target_url: receiver.url(`/line?a=b&c='d'"$HOME`),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: `cel:data.text == 'it is "so"'`,
    headers: "X-Team: it's\nX-Other: $(whoami) `id` \\",
  }
  const runCommandFor = async (values: object) => {
    const { json } = await post(account, '/preview', values)
    expect(json.problems).toEqual([])
    const lines = String(json.curl).split(' \\\n  ')
    expect(lines.every((line) => !line.includes('\n'))).toBe(true)
    const command = json.curl.replace('http://localhost:8080', hookline.url).replace('<API key>', account.key)
    return JSON.parse(execFileSync('bash', ['-c', `${command} -s`], { encoding: 'utf8' }))
  }
  const options = { max_per_second: 7, form_fields: 'flat', retry_policy: 'original' }
  expect(await runCommandFor({ ...hook, ...options, hook_id: existing })).toMatchObject({ success: true })
  expect((await get(account, '/health')).json.hooks).toHaveLength(1)
  expect((await get(account, `/${existing}`)).json.hook).toMatchObject({ ...hook, ...options })

  const created = await runCommandFor({ ...hook, event_type: 'dlr', event_filter: null })
  expect(created).toMatchObject({ success: true })
  expect((await get(account, `/${created.id}`)).json.hook).toMatchObject({
    ...hook,
    event_type: 'dlr',
    event_filter: null,
  })

  const named = { ...options, name: "it's named", headers: 'X-Team: one' }
  const { hook: own } = await runCommandFor({
    ...hook,
    ...named,
    event_types: ['dlr', 'rcs'],
    event_type: 'all',
  })
  expect(own).toMatchObject({
    ...named,
    chosen: { event_types: ['dlr', 'rcs'], event_filter: hook.event_filter },
  })
})

test('attempts are listed newest first, also if a newer event was attempted earlier', async () => {
  const account = await hookline.account()
  const id = await register(account, '/ordered')
  const older = await gateway.event(account.accountId)
  const newer = await gateway.event(account.accountId)
  await receiver.until(() => receiver.at('/ordered').length === 2)
  const listed = async () => {
    const { json } = await get(account, `/${id}/attempts`)
    return json.attempts.map((attempt: { event_id: string }) => attempt.event_id)
  }
  await expect.poll(listed, { timeout: 20_000 }).toHaveLength(2)
  await hookline.database.query(
    `UPDATE deliveries SET started_at = started_at + interval '1 minute' WHERE account_id = $1 AND event_id = $2`,
    [account.accountId, older],
  )
  expect(await listed()).toEqual([older, newer])
})

test('a disabled webhook has no next attempt', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/off')
  for (let count = 0; count < 5; count++) await gateway.event(account.accountId)
  const nextProbe = async () => (await get(account, `/${id}`)).json.health.next_probe_at
  await expect.poll(nextProbe, { timeout: 30_000 }).not.toBeNull()
  await hookline.database.query(
    `UPDATE lane SET not_before = now() + interval '5 minutes' WHERE hook_id = $1`,
    [id],
  )
  await post(account, `/${id}/disable`)
  expect(await nextProbe()).toBeNull()
})

test('a filter backtest compares the filter with the current one on past events', async () => {
  const account = await hookline.account()
  const { accountId } = account
  const id = await register(account, '/tried', { event_filter: '4911' })
  const numbers = ['4911', '4922', '4922', '4933333333']
  for (const system of numbers) await gateway.event(accountId, { system })
  await gateway.submitEvents({
    account_id: accountId,
    type: 'dlr',
    data: { msg_id: '1', status: 'FAILED', timestamp: '1' },
  })
  const backtested = await post(account, '/backtest-filter', {
    event_type: 'sms_mo',
    event_filter: '+49 22',
    hook_id: id,
  })
  expect(backtested.json).toMatchObject({ examined: 4, matched: 2, current_matched: 1 })
  const { matched, not_matched, gained, lost } = backtested.json.samples
  expect([matched, not_matched, gained, lost].map((list) => list.length)).toEqual([2, 2, 2, 1])
  expect(not_matched[0]).toMatchObject({
    type: 'sms_mo',
    from: '4917••••••01',
    to: '4933••••33',
    why: 'Inbound number 4933••••33 is not one of the values.',
  })
  const all = await post(account, '/backtest-filter', {
    event_type: 'all',
    event_filter: 'cel:data.nothing == 1',
    limit: 2,
  })
  expect(all.json).toMatchObject({ examined: 2, matched: 0, current_matched: null })
  expect(all.json.samples.not_matched[0].why).toMatch(/^The expression could not be evaluated: /)
  expect(
    (await post(account, '/backtest-filter', { event_type: 'all', event_filter: 'cel:(' })).json.code,
  ).toBe(1022)
})

test('hourly and daily stats match the deliveries, and errors have hints', async () => {
  const account = await hookline.account()
  const id = await register(account, '/broken/stats')
  const good = await register(account, '/stats')
  await gateway.event(account.accountId)
  await gateway.event(account.accountId)
  await expect.poll(() => readFinished(good), { timeout: 30_000 }).toHaveLength(2)
  await waitForCounts(hookline)
  for (const [range, length] of [
    ['24h', 24],
    ['7d', 168],
    ['30d', 30],
  ] as const) {
    const { json } = await get(account, `/${good}/stats?range=${range}`)
    expect(json.buckets).toHaveLength(length)
    expect(json.totals).toMatchObject({ delivered: 2, failed: 0, attempts: 2, failures: 0 })
    expect(json.errors).toEqual([])
    const starts = json.buckets.map(({ start }: { start: string }) => Date.parse(start))
    const stepMs = (range === '30d' ? 24 : 1) * 3_600_000
    expect(new Set(starts.slice(1).map((start: number, index: number) => start - starts[index]))).toEqual(
      new Set([stepMs]),
    )
  }
  await expect
    .poll(async () => (await get(account, `/${id}/stats`)).json.errors, { timeout: 30_000 })
    .toMatchObject([{ reason: 'status', status: 500, message: expect.any(String), hint: expect.any(String) }])
  expect((await get(account, `/${id}/stats?range=1y`)).json.code).toBe(1012)
})

test('a webhook with several chosen types receives exactly these, and shows them as chosen', async () => {
  const account = await hookline.account()
  const path = '/chosen'
  const definition = { target_url: receiver.url(path), request_method: 'JSON' }
  const chosen = { event_types: ['sms_mo', 'dlr'], event_filter: null }
  const created = await post(account, '/create', { ...definition, ...chosen })
  const { id } = created.json.hook
  const filter = 'cel:event.type in ["sms_mo", "dlr"]'
  expect(created.json.hook).toMatchObject({ event_type: 'all', event_filter: filter, chosen })
  const types = ['tracking', 'dlr', 'wa_mo', 'sms_mo', 'rcs'] as const
  const submit = () =>
    gateway.submitEvents(
      ...types.map((type) => ({ account_id: account.accountId, type, data: samples[type][0] })),
    )
  const received = () =>
    receiver.requests
      .filter(({ url }) => url === path)
      .map(({ body }): string => JSON.parse(body).webhook_event)
      .toSorted()
  await submit()
  await expect.poll(received, { timeout: 30_000 }).toEqual(['dlr', 'sms_mo'])

  // Preview, test and backtest see the same types. Webhooks without a common type are no duplicates.
  const preview = async (event_types: string[]) =>
    (await post(account, '/preview', { ...definition, event_types })).json
  expect((await preview(['tracking', 'rcs'])).warnings).toMatchObject([{ code: 'not_encrypted' }])
  const { requests, curl, warnings } = await preview(['dlr', 'rcs'])
  expect(warnings).toMatchObject([{ code: 'duplicate', hook_id: id }, { code: 'not_encrypted' }])
  expect(JSON.parse(requests.JSON.body).webhook_event).toBe('dlr')
  expect(curl).toContain('event_filter=cel:event.type in ["dlr", "rcs"]')
  const backtest = await post(account, '/backtest-filter', { event_types: ['rcs', 'dlr'], hook_id: id })
  expect(backtest.json).toMatchObject({ examined: 5, matched: 2, current_matched: 2 })

  // An own expression beside the list stays when the list changes. One type needs no list.
  const edit = async (values: object) => (await post(account, `/${id}`, values)).json.hook
  const own = 'cel:data.sender != "0"'
  expect((await edit({ ...chosen, event_filter: own })).event_filter).toBe(`${filter} && (${own.slice(4)})`)
  expect(await edit({ event_types: ['dlr', 'rcs', 'sms_mo'] })).toMatchObject({
    event_filter: 'cel:event.type in ["dlr", "rcs", "sms_mo"] && (data.sender != "0")',
    chosen: { event_types: ['dlr', 'rcs', 'sms_mo'], event_filter: own },
  })
  // A filter alone stands beside the list, unless it has a list of its own.
  expect((await edit({ event_filter: null })).chosen).toEqual({
    event_types: ['dlr', 'rcs', 'sms_mo'],
    event_filter: null,
  })
  expect((await edit({ event_filter: filter })).chosen).toEqual(chosen)
  expect((await edit({ event_filter: `${own} // all` })).chosen).toEqual({
    ...chosen,
    event_filter: `${own} // all`,
  })
  expect((await post(account, `/${id}`, { event_filter: '4917' })).json.code).toBe(1022)
  // Two edits at once: neither loses the other.
  for (const [index, sender] of ['1', '2', '3', '4', '5'].entries()) {
    const event_types = index % 2 === 0 ? ['dlr', 'rcs'] : ['dlr', 'rcs', 'sms_mo']
    const event_filter = `cel:data.sender != "${sender}"`
    await Promise.all([edit({ event_types }), edit({ event_filter })])
    expect((await get(account, `/${id}`)).json.hook.chosen).toEqual({ event_types, event_filter })
  }
  await edit({ event_filter: own })
  expect(await edit({ event_types: ['dlr'] })).toMatchObject({
    event_type: 'dlr',
    event_filter: own,
    chosen: null,
  })
  expect(await edit({ event_type: 'all', event_filter: filter })).toMatchObject({ chosen })
})

test.each([
  ['a part of a type', { event_types: ['sms_mo', 'rcs_mo'] }, 1012],
  ['all types', { event_types: ['all', 'dlr'] }, 1012],
  ['one type beside a list', { event_type: 'dlr', event_types: ['sms_mo', 'dlr'] }, 1012],
  ['plain values beside a list', { event_types: ['sms_mo', 'dlr'], event_filter: '4917' }, 1022],
  [
    'an expression that escapes its parentheses',
    { event_types: ['sms_mo', 'dlr'], event_filter: 'cel:true) || (true' },
    1022,
  ],
  [
    'an expression that is too long for a list',
    { event_types: ['sms_mo', 'dlr'], event_filter: `cel:data.${'a'.repeat(120_000)}(1)` },
    1022,
  ],
  ['no type', {}, 1010],
])('%s is rejected', async (_label, types, code) => {
  const account = await hookline.account()
  const rejected = await post(account, '/create', { target_url: receiver.url('/types'), ...types })
  expect(rejected.json).toMatchObject({ success: false, code })
  expect((await get(account, '/health')).json.hooks).toEqual([])
})
