/** Webhooks that people manage: see, change, disable and enable, test, preview, try filters, rotate secrets. */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call, type CallAnswer } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver((request, response) => {
    if (request.url.startsWith('/broken/asks')) response.setHeader('retry-after', '3600')
    response.statusCode = request.url.startsWith('/broken') ? 500 : 204
    response.end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function get({ key }: { key: string }, path: string): Promise<CallAnswer> {
  return call(`${world.url}/api/hooks${path}`, { key })
}

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallAnswer> {
  return call(`${world.url}/api/hooks${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string, more: object = {}): Promise<number> {
  const created = await post(account, '', {
    target_url: receiver.url(path),
    event_type: 'sms_mo',
    request_method: 'JSON',
    ...more,
  })
  expect(created.json).toMatchObject({ success: true })
  return created.json.id
}

async function versionOf({ accountId }: TestAccount): Promise<number> {
  const [row] = await world.database.query<{ version: string }>(
    'SELECT hooks_version AS version FROM accounts WHERE id = $1',
    [accountId],
  )
  return Number(row?.version)
}

function idOf(request: ReceivedRequest): string {
  return String(request.headers['webhook-id'])
}

function endsOf(hookId: number): Promise<Array<{ event_id: string; state: string; reason: string }>> {
  return world.database.query(
    'SELECT event_id, state, reason FROM deliveries WHERE hook_id = $1 ORDER BY event_id',
    [hookId],
  )
}

test('a webhook is shown in full, with how it is doing', async () => {
  const account = await world.account()
  const id = await register(account, '/shown', { event_filter: '491700000002', headers: 'X-Team: one' })
  await gateway.event(account.accountId)
  await expect.poll(() => endsOf(id), { timeout: 30_000 }).toHaveLength(1)
  const { status, json } = await get(account, `/${id}`)
  expect(status).toBe(200)
  expect(json.hook).toEqual({
    id,
    target_url: receiver.url('/shown'),
    event_type: 'sms_mo',
    event_filter: '491700000002',
    request_method: 'JSON',
    headers: 'X-Team: one',
    enabled: true,
    disabled_reason: null,
    most_per_second: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    changed_at: json.hook.created_at,
  })
  expect(json).toMatchObject({ warnings: [], secret_rotated_at: null })
  expect(json.health).toMatchObject({
    hook_id: id,
    state: 'healthy',
    sentence: '1 delivery in the last 24 hours.',
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

test('health tells idle, failing and paused apart', async () => {
  const account = await world.account()
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
  for (let more = 0; more < 5; more++) await gateway.event(account.accountId)
  await expect.poll(health, { timeout: 30_000 }).toMatchObject({ state: 'paused', breaker: 'open' })
  expect((await health()).sentence).toMatch(/^Most of the latest attempts have failed since .+ UTC\./)
})

test('a change is one commit: the values, a higher version, and what the webhook looks like from now on', async () => {
  const account = await world.account()
  const id = await register(account, '/before', { event_filter: '491', headers: 'X-A: 1' })
  const before = await versionOf(account)
  const changed = await post(account, `/${id}`, {
    target_url: receiver.url('/after'),
    event_filter: null,
    headers: 'X-B: 2',
    most_per_second: 7,
  })
  expect(changed.json.hook).toMatchObject({
    id,
    target_url: receiver.url('/after'),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: null,
    headers: 'X-B: 2',
    most_per_second: 7,
  })
  expect(await versionOf(account)).toBe(before + 1)
  const versions = await world.database.query(
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

test('what waits follows the webhook to its new address, at once', async () => {
  const account = await world.account()
  const id = await register(account, '/broken/2')
  const events = []
  for (let count = 0; count < 6; count++) events.push(await gateway.event(account.accountId))
  await expect
    .poll(async () => (await get(account, `/${id}`)).json.health.breaker, { timeout: 30_000 })
    .toBe('open')
  await post(account, `/${id}`, { target_url: receiver.url('/mended') })
  await receiver.until(() => receiver.at('/mended').length === 6, 30_000)
  expect(receiver.at('/mended').map(idOf).toSorted()).toEqual(events.toSorted())
})

test.each(['/broken/once', '/broken/asks'])(
  'one delivery that failed at %s follows at once, though its next attempt is an hour away',
  async (path) => {
    const account = await world.account()
    const id = await register(account, path)
    const event = await gateway.event(account.accountId)
    const failed = () =>
      world.database.query(
        'UPDATE work SET due_at = $2 WHERE hook_id = $1 AND attempts = 1 AND lease IS NULL RETURNING event_id',
        [id, new Date(Date.now() + 3_600_000)],
      )
    await expect.poll(failed, { timeout: 30_000 }).toEqual([{ event_id: event }])
    expect((await get(account, `/${id}`)).json.health.breaker).toBe('closed')
    await post(account, `/${id}`, { target_url: receiver.url(`/mended${path}`) })
    await receiver.until(() => receiver.at(`/mended${path}`).length === 1, 30_000)
    expect(receiver.at(`/mended${path}`).map(idOf)).toEqual([event])
  },
)

test('what a paused replay keeps back stays back when the webhook moves', async () => {
  const account = await world.account()
  const id = await register(account, '/broken/paused')
  await gateway.event(account.accountId)
  const pause = () =>
    world.database.query(
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
  [{ most_per_second: 0 }, 1012],
  [{ most_per_second: 1.5 }, 1012],
])('a change to %o is refused and changes nothing', async (edit, code) => {
  const account = await world.account()
  const id = await register(account, '/kept', { headers: 'X-A: 1' })
  const before = [await versionOf(account), (await get(account, `/${id}`)).json.hook]
  const refused = await post(account, `/${id}`, edit)
  expect([refused.status, refused.json.code]).toEqual([400, code])
  expect([await versionOf(account), (await get(account, `/${id}`)).json.hook]).toEqual(before)
})

test('two webhooks never become the same', async () => {
  const account = await world.account()
  const one = await register(account, '/one')
  const two = await register(account, '/two')
  const refused = await post(account, `/${two}`, { target_url: receiver.url('/one') })
  expect([refused.status, refused.json.code]).toEqual([409, 1103])
  expect(refused.json.error_message).toContain(`Webhook ${one} `)
  expect((await get(account, `/${two}`)).json.hook.target_url).toBe(receiver.url('/two'))
  expect((await post(account, `/${two}`, { target_url: receiver.url('/two') })).status).toBe(200)
})

test("another account's webhook is like one that does not exist, in every call", async () => {
  const owner = await world.account()
  const stranger = await world.account()
  const id = await register(owner, '/private')
  const nobodys = 2_000_000_000
  const before = await world.database.query('SELECT * FROM hooks WHERE id = $1', [id])
  const calls: Array<(hook: number) => Promise<CallAnswer>> = [
    (hook) => get(stranger, `/${hook}`),
    (hook) => post(stranger, `/${hook}`, { target_url: receiver.url('/stolen') }),
    (hook) => post(stranger, `/${hook}/disable`),
    (hook) => post(stranger, `/${hook}/enable`, { held: 'drop' }),
    (hook) => post(stranger, `/${hook}/test`),
    (hook) => get(stranger, `/${hook}/secret`),
    (hook) => post(stranger, `/${hook}/secret`),
    (hook) => get(stranger, `/${hook}/stats`),
    (hook) => get(stranger, `/${hook}/attempts`),
    (hook) => post(stranger, '/try-filter', { event_type: 'sms_mo', hook_id: hook }),
  ]
  for (const ask of calls) {
    const theirs = await ask(id)
    const unknown = await ask(nobodys)
    expect([theirs.status, theirs.json.code]).toEqual([404, 1102])
    expect(theirs.text.replace(`id ${id}.`, 'X')).toBe(unknown.text.replace(`id ${nobodys}.`, 'X'))
  }
  expect(await world.database.query('SELECT * FROM hooks WHERE id = $1', [id])).toEqual(before)
  expect((await get(stranger, '/health')).json.hooks).toEqual([])
  for (const nothing of ['/0', '/abc', '/99999999999', '/1.5'])
    expect((await get(owner, nothing)).json.code).toBe(1102)
})

test('a key that may only see webhooks can neither change them nor learn their secrets nor ask about events', async () => {
  const account = await world.account()
  const id = await register(account, '/seen')
  const reader = await world.key(account.accountId, { scopes: ['hooks:read'] })
  expect((await get(reader, `/${id}`)).status).toBe(200)
  expect((await get(reader, '/health')).status).toBe(200)
  const refused = [
    await post(reader, `/${id}`, { event_filter: '1' }),
    await post(reader, `/${id}/disable`),
    await post(reader, `/${id}/enable`),
    await post(reader, `/${id}/test`),
    await get(reader, `/${id}/secret`),
    await post(reader, `/${id}/secret`),
    // A filter that may be anything is a question about the texts of messages.
    await post(reader, '/try-filter', { event_type: 'sms_mo', event_filter: 'cel:data.text.contains("x")' }),
  ]
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual(refused.map(() => [403, 902]))
})

test('nothing is sent later than a second after a webhook was disabled, and its owner chooses what comes of the rest', async () => {
  for (const choice of ['deliver', 'drop'] as const) {
    const account = await world.account()
    const path = `/switched-${choice}`
    const id = await register(account, path)
    const disabled = await post(account, `/${id}/disable`)
    const at = Date.now()
    expect(disabled.json).toMatchObject({ waiting: 0, hook: { enabled: false, disabled_reason: 'owner' } })
    const { accepted } = await gateway.handIn(
      ...Array.from({ length: 40 }, () => inboundSms(account.accountId)),
    )
    await expect
      .poll(async () => (await get(account, `/${id}`)).json.health, { timeout: 30_000 })
      .toMatchObject({
        state: 'disabled',
        held: 40,
        sentence: 'You have disabled it. 40 events are held for it.',
      })
    await sleep(1_500)
    expect(receiver.at(path).filter((request) => request.at > at + 1_000)).toEqual([])
    expect(receiver.at(path)).toEqual([])

    const enabled = await post(account, `/${id}/enable`, { held: choice })
    expect(enabled.json).toMatchObject({ held: 40, hook: { enabled: true, disabled_reason: null } })
    await expect.poll(() => endsOf(id), { timeout: 30_000 }).toHaveLength(40)
    const ends = await endsOf(id)
    expect(ends.map(({ event_id }) => event_id)).toEqual(accepted.toSorted())
    const expected = choice === 'deliver' ? 'delivered' : 'cancelled'
    expect(new Set(ends.map(({ state }) => state))).toEqual(new Set([expected]))
    expect(receiver.at(path)).toHaveLength(choice === 'deliver' ? 40 : 0)
    expect(enabled.json.replay_id === null).toBe(choice === 'drop')
  }
})

test('what waits when a webhook is disabled is counted and held', async () => {
  const account = await world.account()
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

test('a test goes through the pipeline to this webhook alone, whatever its filter, and says that it is one', async () => {
  const account = await world.account()
  const id = await register(account, '/tested', { event_filter: '4999' })
  await register(account, '/neighbour')
  await register(account, '/neighbour-of-all', { event_type: 'all' })
  const { status, json } = await post(account, `/${id}/test`)
  expect(status).toBe(200)
  await expect
    .poll(() => endsOf(id), { timeout: 30_000 })
    .toEqual([{ event_id: json.event_id, state: 'delivered', reason: 'delivered' }])
  const [request, ...others] = receiver.at('/tested')
  expect(others).toEqual([])
  expect(request?.headers).toMatchObject({ 'x-hookline-test': '1', 'webhook-id': json.event_id })
  // Routed, so whoever else would have got it has it by now.
  const work = await world.database.query('SELECT FROM work WHERE event_id = $1', [json.event_id])
  expect(work).toEqual([])
  expect(receiver.requests.filter((own) => idOf(own) === json.event_id)).toHaveLength(1)
  expect(await world.database.query('SELECT FROM inbox WHERE event_id = $1', [json.event_id])).toEqual([])
})

test('a test that fails is attempted once and does not count against the webhook', async () => {
  const account = await world.account()
  const id = await register(account, '/broken/tested', { event_type: 'all' })
  for (let count = 0; count < 6; count++) {
    const { json } = await post(account, `/${id}/test`, { event_type: 'dlr' })
    await expect
      .poll(() => endsOf(id), { timeout: 30_000 })
      .toContainEqual({ event_id: json.event_id, state: 'failed', reason: 'status' })
  }
  expect(receiver.at('/broken/tested')).toHaveLength(6)
  expect(await world.database.query('SELECT FROM hook_failures WHERE hook_id = $1', [id])).toEqual([])
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

test('a test must be of a type that the webhook gets, and the webhook must be enabled', async () => {
  const account = await world.account()
  const id = await register(account, '/typed')
  const other = await post(account, `/${id}/test`, { event_type: 'dlr' })
  expect([other.status, other.json.code]).toEqual([400, 1012])
  await post(account, `/${id}/disable`)
  const disabled = await post(account, `/${id}/test`)
  expect([disabled.status, disabled.json.code]).toEqual([409, 1104])
})

test('a new secret signs at once, the old one for another day, and every view is written down', async () => {
  const account = await world.account()
  const id = await register(account, '/rotated')
  const first = await get(account, `/${id}/secret`)
  expect(first.json).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    rotated_at: null,
    previous_until: null,
  })
  expect(first.json.signature_key).toMatch(/^[0-9a-f]{64}$/)
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

  const audited = await world.database.query<{ action: string; actor: string; detail: object }>(
    'SELECT action, actor, detail FROM audit WHERE account_id = $1 AND subject = $2 ORDER BY id',
    [account.accountId, `hook:${id}`],
  )
  const actor = `key:${account.keyId}`
  expect(audited).toEqual([
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
  'the preview of %s is what is sent, byte for byte',
  async (request_method) => {
    const account = await world.account()
    const hook = {
      target_url: receiver.url(`/previewed-${request_method}?own=1`),
      event_type: 'sms_mo',
      request_method,
      headers: 'X-Team: one\nX-Empty: ',
    }
    const preview = await post(account, '/preview', hook)
    expect(preview.json).toMatchObject({ problems: [] })
    const shown = preview.json.requests[request_method]
    const id = await register(account, '', hook)
    await post(account, `/${id}/test`)
    const isOurs = (request: ReceivedRequest): boolean => request.headers['x-hookline-hook'] === String(id)
    await receiver.until((requests) => requests.some(isOurs), 30_000)
    const sent = receiver.requests.find(isOurs)

    expect(sent?.method).toBe(shown.method)
    expect(timeless(`http://${sent?.headers.host}${sent?.url}`)).toBe(timeless(shown.url))
    expect(timeless(sent?.body ?? '')).toBe(timeless(shown.body))
    const added = new Set(['host', 'connection', 'content-length', 'x-hookline-test'])
    const fresh = new Set([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-signature',
      'x-timestamp',
      'x-nonce',
      'x-hookline-hook',
    ])
    const comparable = (name: string, value: string): string => `${name}: ${fresh.has(name) ? '…' : value}`
    const raw = sent?.rawHeaders ?? []
    const sentLines = raw.flatMap((name, place) =>
      place % 2 === 0 && !added.has(name.toLowerCase()) ? [comparable(name, raw[place + 1] ?? '')] : [],
    )
    const shownLines = shown.headers.map(({ name, value }: { name: string; value: string }) =>
      comparable(name, value),
    )
    expect(sentLines).toEqual(shownLines)
    expect(shownLines).toContain('X-Team: one')
  },
)

/** Only the time of acceptance differs. */
function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\+|%2B)00(:|%3A)00/, '…')
}

test('the preview says all that is wrong at once, and what is probably not meant', async () => {
  const account = await world.account()
  const wrong = await post(account, '/preview', {
    target_url: 'nowhere',
    event_type: 'sms_mo',
    event_filter: 'cel:((',
    headers: 'Host: x',
  })
  expect(wrong.json.problems.map(({ field }: { field: string }) => field)).toEqual([
    'target_url',
    'headers',
    'event_filter',
  ])
  expect(wrong.json).toMatchObject({ requests: null, curl: null })
  const id = await register(account, '/twice', { event_type: 'all' })
  const hook = { target_url: receiver.url('/twice'), event_type: 'dlr', event_filter: '4917' }
  const twice = await post(account, '/preview', hook)
  expect(twice.json.problems).toEqual([])
  const messages = twice.json.warnings.map(({ message }: { message: string }) => message).join('\n')
  expect(messages).toContain(`Webhook ${id} `)
  expect(messages).toContain('never matches')
  const own = await post(account, '/preview', { ...hook, hook_id: id })
  expect(JSON.stringify(own.json.warnings)).not.toContain(`Webhook ${id} `)
})

test('the line of the preview registers the webhook, whatever its values are', async () => {
  const account = await world.account()
  const hook = {
    target_url: receiver.url(`/line?a=b&c='d'"$HOME`),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: `cel:data.text == 'it is "so"'`,
    headers: "X-Team: it's\nX-Other: $(whoami) `id` \\",
  }
  const { json } = await post(account, '/preview', hook)
  expect(json.problems).toEqual([])
  const { execFileSync } = await import('node:child_process')
  const line = String(json.curl).replace('http://localhost:8080', world.url).replace('<API key>', account.key)
  const answer = JSON.parse(execFileSync('bash', ['-c', `${line} -s`], { encoding: 'utf8' }))
  expect(answer).toMatchObject({ success: true })
  expect((await get(account, `/${answer.id}`)).json.hook).toMatchObject(hook)
})

test('a filter is tried on what really happened, beside the one that the webhook has', async () => {
  const account = await world.account()
  const { accountId } = account
  const id = await register(account, '/tried', { event_filter: '4911' })
  const numbers = ['4911', '4922', '4922', '4933333333']
  for (const system of numbers) await gateway.event(accountId, { system })
  await gateway.handIn({
    account_id: accountId,
    type: 'dlr',
    data: { msg_id: '1', status: 'FAILED', timestamp: '1' },
  })
  const tried = await post(account, '/try-filter', {
    event_type: 'sms_mo',
    event_filter: '+49 22',
    hook_id: id,
  })
  expect(tried.json).toMatchObject({ examined: 4, matched: 2, current_matched: 1 })
  const { matched, not_matched, gained, lost } = tried.json.samples
  expect([matched, not_matched, gained, lost].map((list) => list.length)).toEqual([2, 2, 2, 1])
  expect(not_matched[0]).toMatchObject({
    type: 'sms_mo',
    from: '4917••••••01',
    to: '4933••••33',
    why: 'Its inbound number 4933••••33 is not among the values.',
  })
  const all = await post(account, '/try-filter', {
    event_type: 'all',
    event_filter: 'cel:data.nothing == 1',
    limit: 2,
  })
  expect(all.json).toMatchObject({ examined: 2, matched: 0, current_matched: null })
  expect(all.json.samples.not_matched[0].why).toMatch(/^The expression could not be run: /)
  expect((await post(account, '/try-filter', { event_type: 'all', event_filter: 'cel:(' })).json.code).toBe(
    1022,
  )
})

test('figures by the hour and by the day agree with what was delivered, and errors come with advice', async () => {
  const account = await world.account()
  const id = await register(account, '/broken/stats')
  const good = await register(account, '/stats')
  await gateway.event(account.accountId)
  await gateway.event(account.accountId)
  await expect.poll(() => endsOf(good), { timeout: 30_000 }).toHaveLength(2)
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
    expect(new Set(starts.slice(1).map((start: number, place: number) => start - starts[place]))).toEqual(
      new Set([stepMs]),
    )
  }
  await expect
    .poll(async () => (await get(account, `/${id}/stats`)).json.errors, { timeout: 30_000 })
    .toMatchObject([
      { reason: 'status', status: 500, sentence: expect.any(String), advice: expect.any(String) },
    ])
  expect((await get(account, `/${id}/stats?range=1y`)).json.code).toBe(1012)
})
