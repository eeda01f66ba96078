/** Names of webhooks: stored with every version, shown wherever a webhook is mentioned, without effect on deliveries. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { openTail } from '../../../dev/tail-reader.ts'
import { readHookNames } from '../../src/hooks/hook-names.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { signIn } from '../support/browser-session.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' })
  await hookline.startAnother({ ALLOW_PRIVATE_TARGETS: 'true' }, 'worker')
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response) => {
    response.statusCode = request.url.startsWith('/broken') ? 500 : 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function get({ key }: { key: string }, path: string): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { key })
}

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

const values = { event_type: 'sms_mo', request_method: 'JSON' }

async function create(account: TestAccount, path: string, settings: object): Promise<number> {
  const { json } = await post(account, '/hooks/create', {
    ...values,
    target_url: receiver.url(path),
    ...settings,
  })
  expect(json).toMatchObject({ success: true })
  return json.hook.id
}

function readVersions(hookId: number) {
  return hookline.database.query<{ change: string; name: string | null; description: string | null }>(
    'SELECT change, name, description FROM hook_versions WHERE hook_id = $1 ORDER BY version',
    [hookId],
  )
}

test('a webhook is created with all its settings, renamed, and each version keeps its name', async () => {
  const account = await hookline.account()
  const id = await create(account, '/orders?token=1', {
    name: ' Orders ',
    description: 'First line\r\nsecond line',
    max_per_second: 5,
    retry_policy: 'original',
  })
  const { json } = await get(account, `/hooks/${id}`)
  expect(json.hook).toMatchObject({
    name: 'Orders',
    description: 'First line\nsecond line',
    endpoint: `${new URL(receiver.url('/')).host}/orders`,
    max_per_second: 5,
    retry_policy: 'original',
    enabled: true,
  })
  const renamed = await post(account, `/hooks/${id}`, { name: '注文 🛒' })
  expect(renamed.json.hook).toMatchObject({ name: '注文 🛒', description: 'First line\nsecond line' })
  const saved = await post(account, `/hooks/${id}`, { name: '', description: null, event_filter: '4917' })
  expect(saved.json.hook).toMatchObject({ name: null, description: null, event_filter: '4917' })
  await call(`${hookline.url}/api/hooks?id=${id}`, { method: 'DELETE', key: account.key })
  const description = 'First line\nsecond line'
  expect(await readVersions(id)).toEqual([
    { change: 'created', name: 'Orders', description },
    { change: 'changed', name: '注文 🛒', description },
    { change: 'changed', name: null, description: null },
    { change: 'deleted', name: null, description: null },
  ])
})

test('a name does not identify a webhook, and the contract does not show it', async () => {
  const account = await hookline.account()
  const id = await create(account, '/same', { name: 'One' })
  const definition = { ...values, target_url: receiver.url('/same') }
  const again = await post(account, '/hooks/create', { ...definition, name: 'Two' })
  expect(again.status).toBe(409)
  expect(again.json).toMatchObject({
    details: { ids: [id] },
    error_message: expect.stringContaining('(One)'),
  })
  expect((await post(account, '/hooks', definition)).json).toEqual({
    success: true,
    code: null,
    id,
    error_message: null,
  })
  const [listed] = (await get(account, '/hooks')).json.hooks
  expect(Object.keys(listed)).toEqual([
    'id',
    'target_url',
    'headers',
    'event_type',
    'event_filter',
    'request_method',
    'enabled',
    'created',
  ])
})

test.each([
  ['too long', { name: 'x'.repeat(201) }],
  ['with a line feed', { name: 'a\nb' }],
  ['with a line separator', { name: 'a\u2028b' }],
  ['with an override', { name: 'abc\u202Efdp.exe' }],
  ['with an isolate', { description: '\u2066abc' }],
  ['with a control character', { description: 'a\u0007b' }],
  ['with half a surrogate pair', { name: '\uD800' }],
  ['no text', { name: 7 }],
  ['a description that is too long', { description: 'x'.repeat(1_001) }],
])('a name or description %s is rejected', async (_label, texts) => {
  const account = await hookline.account()
  const id = await create(account, '/rejected', {})
  const [field] = Object.keys(texts)
  const rejected = await post(account, `/hooks/${id}`, texts)
  expect(rejected.status).toBe(400)
  expect(rejected.json).toMatchObject({ success: false, field })
  expect((await get(account, `/hooks/${id}`)).json.hook).toMatchObject({ name: null, description: null })
})

test('a name of 200 characters is stored', async () => {
  const account = await hookline.account()
  const name = '🛒'.repeat(200)
  const id = await create(account, '/long', { name })
  expect((await get(account, `/hooks/${id}`)).json.hook.name).toBe(name)
})

test('a rename leaves failures, circuit breaker, pending and held deliveries as they are', async () => {
  const account = await hookline.account()
  const broken = await create(account, '/broken', { name: 'Broken' })
  const disabled = await create(account, '/disabled', { name: 'Disabled' })
  await post(account, `/hooks/${disabled}/disable`)
  await Promise.all(Array.from({ length: 12 }, () => gateway.event(account.accountId)))
  const health = async () => (await get(account, `/hooks/${broken}`)).json.health
  await expect
    .poll(health, { timeout: 30_000 })
    .toMatchObject({ breaker: 'open', waiting: 12, failing_since: expect.any(String) })
  await expect.poll(async () => (await get(account, `/hooks/${disabled}`)).json.health.held).toBe(12)
  const before = await health()
  for (const id of [broken, disabled]) await post(account, `/hooks/${id}`, { name: 'Renamed' })
  const { next_probe_at, failing_since } = before
  expect(await health()).toMatchObject({ breaker: 'open', waiting: 12, next_probe_at, failing_since })
  expect((await get(account, `/hooks/${disabled}`)).json.health).toMatchObject({
    state: 'disabled',
    held: 12,
  })
})

test('a webhook whose values are no longer valid can be renamed', async () => {
  const account = await hookline.account()
  const id = await create(account, '/unreadable', { headers: 'X-Team: one' })
  await hookline.database.query(`UPDATE hooks SET headers = '\\x00' WHERE id = $1`, [id])
  expect((await post(account, `/hooks/${id}`, { name: 'Still here' })).json.hook).toMatchObject({
    name: 'Still here',
  })
  expect((await post(account, `/hooks/${id}`, { max_per_second: 1 })).status).toBe(400)
})

test('every response that mentions a webhook has its name, also after it is deleted', async () => {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  const id = await create(account, '/broken/named', { name: 'Named' })
  const endpoint = `${new URL(receiver.url('/')).host}/broken/named`
  const named = { id, name: 'Named', endpoint, deleted: false }
  const tail = await openTail(`${hookline.url}/api/events/stream`, {
    headers: { 'x-api-key': account.key },
  })
  const { event_id: eventId } = (await post(account, `/hooks/${id}/test`)).json
  await expect
    .poll(() => tail.messages.find(({ event }) => event === 'delivery')?.data, { timeout: 30_000 })
    .toMatchObject({ hook_id: id, webhook: named })
  tail.cut()
  const readAll = async () => ({
    search: (await get(account, `/events?q=${eventId}`)).json.webhooks,
    event: (await get(account, `/events/${eventId}`)).json.hooks[0].webhook,
    replay: (await get(account, '/replays')).json.replays[0].webhook,
    audit: (await user.call('/api/audit')).json.entries.find(
      ({ subject }: { subject: string }) => subject === `hook:${id}`,
    ).webhook,
  })
  await post(account, '/replays', { selection: { deliveries: [{ event_id: eventId, hook_id: id }] } })
  await post(account, `/hooks/${id}/secret`)
  expect(await readAll()).toEqual({ search: [named], event: named, replay: named, audit: named })

  const definition = { ...values, target_url: receiver.url('/broken/named'), event_type: 'all' }
  const { warnings } = (await post(account, '/hooks/preview', definition)).json
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'duplicate', webhook: named }))
  await gateway.event(account.accountId)
  await expect
    .poll(async () => (await get(account, '/overview')).json.alerts[0]?.webhook, { timeout: 30_000 })
    .toEqual(named)

  await call(`${hookline.url}/api/hooks?id=${id}`, { method: 'DELETE', key: account.key })
  const gone = { ...named, deleted: true }
  expect(await readAll()).toEqual({ search: [gone], event: gone, replay: gone, audit: gone })
})

test('names of another account are not found', async () => {
  const [owner, other] = [await hookline.account(), await hookline.account()]
  const id = await create(owner, '/private', { name: 'Private' })
  await call(`${hookline.url}/api/hooks?id=${id}`, { method: 'DELETE', key: owner.key })
  const kept = await create(owner, '/private', { name: 'Private' })
  expect([...(await readHookNames(hookline.db, owner.accountId, [id, kept])).keys()]).toEqual([id, kept])
  expect(await readHookNames(hookline.db, other.accountId, [id, kept])).toEqual(new Map())
})

test('the operator sees and changes names', async () => {
  const account = await hookline.account()
  const id = await create(account, '/operated', { name: 'Before' })
  const rename = ['hook', 'rename', String(id), '--account', String(account.accountId)]
  const settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  expect((await runAdmin(settings, [...rename, '--name', 'After'])).stdout).toContain('Renamed webhook')
  const listed = await runAdmin(settings, ['hook', 'list', '--account', String(account.accountId), '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, name: 'After' }])
  expect((await runAdmin(settings, [...rename, '--name', 'a\nb'])).code).toBe(1)
  await runAdmin(settings, rename)
  expect((await readVersions(id)).map(({ name }) => name)).toEqual(['Before', 'After', null])
})

test('webhooks are found by id and by words of name and URL, at most 20, of the account only', async () => {
  const account = await hookline.account()
  const other = await hookline.account()
  const orders = await create(account, '/incoming/orders', { name: 'Orders 100%' })
  const billing = await create(account, '/incoming/billing', {})
  await create(other, '/incoming/orders', { name: 'Orders of another' })
  const find = async (text: string) =>
    (await get(account, `/hooks/find?q=${encodeURIComponent(text)}`)).json.hooks.map(
      ({ id }: { id: number }) => id,
    )
  expect(await find('orders')).toEqual([orders])
  expect(await find('BILLING incoming')).toEqual([billing])
  expect(await find(String(billing))).toContain(billing)
  expect((await find(String(billing)))[0]).toBe(billing)
  expect(await find('100%')).toEqual([orders])
  expect(await find('order_ %')).toEqual([])
  expect(await find('"\\')).toEqual([])
  expect(await find('')).toEqual([orders, billing])
  expect((await get(account, `/hooks/find?q=${'x'.repeat(201)}`)).status).toBe(400)
  await hookline.database.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $1, url, url, 'sms_dlr', 'JSON', sha256(url::bytea)
     FROM (SELECT 'https://many-' || n || '.example.com/in' AS url FROM generate_series(1, 2000) AS n) AS many`,
    [account.accountId],
  )
  expect(await find('many')).toHaveLength(20)
  expect(await find('many-1999')).toHaveLength(1)
})
