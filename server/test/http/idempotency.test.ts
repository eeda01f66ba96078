/** Tests calls with an `Idempotency-Key`: each takes effect once, over two processes, lost connections and failures. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { apiRoutes } from '../../src/http/api-routes.ts'
import { pruneIdempotencyKeys } from '../../src/identity/accounts/idempotency-keys.ts'
import { scopes } from '../../src/model/caller.ts'
import { createGateway } from '../support/gateway.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { signIn } from '../support/browser-session.ts'
import { rejectLateMarks } from '../support/reject-late-marks.ts'
import {
  startDashboardService,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let another: ServiceProcess
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  await rejectLateMarks(hookline)
  another = await hookline.startAnother({}, 'api')
  receiver = await startReceiver((_, response) => {
    response.writeHead(204).end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

interface Sent {
  path: string
  json?: object
  idempotencyKey?: string
  url?: string
}

function post({ key }: TestAccount, { path, json = {}, idempotencyKey, url }: Sent): Promise<CallResponse> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return call(`${url ?? hookline.url}/api${path}`, { method: 'POST', key, json, headers })
}

function newHook(path = '/hook'): object {
  return {
    target_url: receiver.url(path),
    event_type: 'sms_mo',
    request_method: 'JSON',
  }
}

async function createHook(account: TestAccount, path?: string): Promise<number> {
  const { json, text } = await post(account, { path: '/hooks/create', json: newHook(path) })
  expect(json.success, text).toBe(true)
  return json.hook.id
}

async function query<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await hookline.database.query(text, values)) as Row[]
}

test('a repeated call returns the first response and has no further effect', async () => {
  const account = await hookline.account()
  const path = `/hooks/${await createHook(account)}/secret`
  const idempotencyKey = randomUUID()
  const first = await post(account, { path, idempotencyKey })
  const repeated = await post(account, { path, idempotencyKey })
  expect(first.json.secret).toMatch(/^whsec_/)
  expect(repeated.text).toBe(first.text)
  expect([first, repeated].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  expect((await call(`${hookline.url}/api${path}`, { key: account.key })).json.secret).toBe(first.json.secret)

  const other = await post(account, { path, idempotencyKey: randomUUID() })
  expect(other.json.secret).not.toBe(first.json.secret)
})

test('every call that takes a key returns its first response again', async () => {
  const account = await hookline.account()
  const gateway = await createGateway(hookline)
  const hookId = await createHook(account, '/all')
  const eventId = await gateway.event(account.accountId)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const consumer = { name: 'since', event_type: 'sms_mo', from: since }
  const calls: Array<[path: string, json?: object]> = [
    ['/consumers', consumer],
    ['/consumers', { ...consumer, name: 'oldest', from: 'oldest' }],
    ['/hooks/create', newHook('/created')],
    [`/hooks/${hookId}/secret`],
    [`/hooks/${hookId}/test`],
    [`/hooks/${hookId}/versions/1/restore`],
    ['/replays', { selection: { search: { hook_id: hookId, from: since } } }],
    ['/replays', { selection: { deliveries: [{ event_id: eventId, hook_id: hookId }] } }],
    ['/signing-key/rotate'],
    ['/signing-key/switch'],
  ]
  const repeat = async (path: string, json: object | undefined): Promise<CallResponse> => {
    const keyed = { path, ...(json && { json }), idempotencyKey: randomUUID() }
    const first = await post(account, keyed)
    expect(first.status, `${path}: ${first.text}`).toBe(200)
    expect((await post(account, keyed)).text).toBe(first.text)
    return first
  }
  const responses = new Map<string, CallResponse>()
  for (const [path, json] of calls) responses.set(path, await repeat(path, json))
  const consumerPath = `/consumers/${responses.get('/consumers')?.json.consumer.id}`
  await repeat(`${consumerPath}/test`, { event_type: 'sms_mo' })
  await repeat(`${consumerPath}/seek`, { to: 'newest' })
})

test('calls of the dashboard that create secrets take a key', async () => {
  const dashboard = await startDashboardService()
  try {
    const session = await signIn(dashboard.url, await dashboard.account())
    const repeat = async (path: string, json: object) => {
      const options = { method: 'POST', json, headers: { 'idempotency-key': randomUUID() } }
      const first = await session.call(path, options)
      expect(first.status, first.text).toBe(200)
      expect((await session.call(path, options)).text).toBe(first.text)
      return first.json
    }
    await repeat('/api/keys', { name: 'once', scopes: ['hooks'] })
    const app = { name: 'Once', is_public: false, redirect_uris: ['https://app.example.com/callback'] }
    const { app: created } = await repeat('/api/apps', app)
    await repeat(`/api/apps/${created.id}/secret`, {})
    expect((await session.call('/api/keys')).json.keys.map(({ name }: { name: string }) => name)).toEqual([
      'once',
      'test',
    ])
    expect((await session.call('/api/apps')).json.apps).toHaveLength(1)
  } finally {
    await dashboard.close()
  }
})

test('20 parallel calls to two processes start one replay', async () => {
  const account = await hookline.account()
  const gateway = await createGateway(hookline)
  const hookId = await createHook(account)
  await gateway.event(account.accountId)
  const selection = { search: { hook_id: hookId } }
  const start = (index: number, idempotencyKey: string) =>
    post(account, {
      path: '/replays',
      json: { selection },
      idempotencyKey,
      ...(index % 2 === 1 && { url: another.url }),
    })
  const idempotencyKey = randomUUID()
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => start(index, idempotencyKey)))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  expect(new Set(responses.map(({ json }) => json.replay.id)).size).toBe(1)
  expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  expect((await call(`${hookline.url}/api/replays`, { key: account.key })).json.replays).toHaveLength(1)
})

function arrivedTests(): ReceivedRequest[] {
  return receiver.requests.filter(({ url }) => url === '/tested')
}

test('a repeated test event is sent once', async () => {
  const account = await hookline.account()
  const path = `/hooks/${await createHook(account, '/tested')}/test`
  const idempotencyKey = randomUUID()
  const sent = [await post(account, { path, idempotencyKey }), await post(account, { path, idempotencyKey })]
  expect(sent[0]?.json.event_id).toMatch(/^[\da-f-]{36}$/)
  expect(sent[1]?.json.event_id).toBe(sent[0]?.json.event_id)
  await expect.poll(arrivedTests, { timeout: 10_000 }).toHaveLength(1)
  await sleep(500)
  expect(arrivedTests()).toHaveLength(1)
})

test('a key belongs to one call of one account', async () => {
  const [account, stranger] = [await hookline.account(), await hookline.account()]
  const idempotencyKey = randomUUID()
  const json = { name: 'laptop', event_type: 'sms_mo' }
  const created = await post(account, { path: '/consumers', json, idempotencyKey })
  expect(created.status, created.text).toBe(200)

  const otherBody = await post(account, { path: '/consumers', json: { ...json, name: 'b' }, idempotencyKey })
  const otherCall = await post(account, { path: '/hooks/create', json: newHook(), idempotencyKey })
  for (const { status, json: body } of [otherBody, otherCall]) {
    expect(status).toBe(409)
    expect(body.code).toBe(1114)
  }
  const reordered = { event_type: 'sms_mo', name: 'laptop' }
  expect((await post(account, { path: '/consumers', json: reordered, idempotencyKey })).text).toBe(
    created.text,
  )
  const elsewhere = await post(stranger, { path: '/consumers', json, idempotencyKey })
  expect(elsewhere.json.consumer.id).not.toBe(created.json.consumer.id)
})

test('a call that fails leaves its key unused', async () => {
  const account = await hookline.account()
  const existing = await createHook(account)
  const create = () =>
    post(account, { path: '/hooks/create', json: newHook(), idempotencyKey: 'after-the-conflict' })
  expect((await create()).json.code).toBe(1103)
  await call(`${hookline.url}/api/hooks?id=${existing}`, { method: 'DELETE', key: account.key })
  const created = await create()
  expect(created.status, created.text).toBe(200)
  expect(created.json.hook.id).not.toBe(existing)
})

function waitingSessions(): Promise<Array<{ pid: number }>> {
  return query(
    `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )
}

test('a call whose database session ends takes effect when it is repeated', async () => {
  const account = await hookline.account()
  const idempotencyKey = randomUUID()
  const create = () => post(account, { path: '/hooks/create', json: newHook('/late'), idempotencyKey })
  const interrupted = await hookline.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account.accountId).forUpdate().execute()
    const response = create()
    await expect.poll(waitingSessions).toHaveLength(1)
    for (const { pid } of await waitingSessions()) await query('SELECT pg_terminate_backend($1)', pid)
    return response
  })
  expect(interrupted.status).toBeGreaterThanOrEqual(500)
  const repeated = await create()
  expect(repeated.status, repeated.text).toBe(200)
  expect(repeated.headers.get('idempotency-replayed')).toBeNull()
  const { json } = await call(`${hookline.url}/api/hooks`, { key: account.key })
  expect(json.hooks).toHaveLength(1)
})

test.each(['webhook', 'consumer'])(
  'readers do not pass a test event to a %s that is being stored',
  async (to) => {
    const account = await hookline.account()
    const hookId = await createHook(account)
    const { json } = await post(account, { path: '/consumers', json: { name: 'all' } })
    const consumerId: number = json.consumer.id
    const path = to === 'webhook' ? `/hooks/${hookId}/test` : `/consumers/${consumerId}/test`
    await post(account, { path })
    const gateway = await createGateway(hookline)
    const read = async (lease?: string) => {
      const polled = await post(account, { path: `/consumers/${consumerId}/poll`, json: { lease, wait: 0 } })
      await post(account, { path: `/consumers/${consumerId}/commit`, json: polled.json })
      return polled.json
    }
    const { lease } = await read()
    const { sending, isPassed } = await hookline.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM change_counts WHERE account_id = ${account.accountId} FOR UPDATE`.execute(trx)
      const response = post(account, { path, idempotencyKey: randomUUID() })
      await expect.poll(waitingSessions).toHaveLength(1)
      // A later transaction that commits earlier.
      await gateway.event(account.accountId)
      const [{ passed } = { passed: true }] = await query<{ passed: boolean }>(
        `SELECT commit_horizon()::text::bigint > backend_xid::text::bigint AS passed
       FROM pg_stat_activity WHERE pid = $1`,
        (await waitingSessions())[0]?.pid,
      )
      await read(lease)
      return { sending: response, isPassed: passed }
    })
    expect((await sending).status).toBe(200)
    expect(isPassed).toBe(false)
    if (to === 'consumer') {
      const { event_id: eventId } = (await sending).json
      const { events } = await read(lease)
      expect(events.map(({ id }: { id: string }) => id)).toContain(eventId)
    }
  },
)

test('many keyed changes of many accounts do not use up the connections', async () => {
  const accounts = await Promise.all(Array.from({ length: 40 }, () => hookline.account()))
  // Callers that the service does not know yet have a limit of their own.
  for (const { key } of accounts) await call(`${hookline.url}/api/hooks`, { key })
  const changes = accounts.flatMap((account) =>
    Array.from({ length: 4 }, (_, index) => ({
      account,
      path: '/hooks/create',
      json: newHook(`/${index}`),
      ...(index % 2 === 0 && { idempotencyKey: randomUUID() }),
    })),
  )
  const responses = await Promise.all(changes.map(({ account, ...sent }) => post(account, sent)))
  expect(responses.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
})

test('a repetition with other scopes does not return the response', async () => {
  const account = await hookline.account()
  const repeated = { path: '/hooks/create', json: newHook(), idempotencyKey: randomUUID() }
  expect((await post(account, repeated)).status).toBe(200)
  const { key } = await hookline.key(account.accountId, { scopes: ['hooks'] })
  const other = await post({ ...account, key }, repeated)
  expect([other.status, other.json.code]).toEqual([409, 1114])
})

test('a keyed test event creates missing partitions of the day', async () => {
  const account = await hookline.account()
  const path = `/hooks/${await createHook(account)}/test`
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  await query(`DROP TABLE events_${today}`)
  const { status, text } = await post(account, { path, idempotencyKey: randomUUID() })
  expect(status, text).toBe(200)
})

test('stored responses are sealed', async () => {
  const account = await hookline.account()
  const path = `/hooks/${await createHook(account)}/secret`
  const { json } = await post(account, { path, idempotencyKey: 'a-key' })
  const [stored] = await query<{ response: Buffer }>(
    'SELECT response FROM idempotency_keys WHERE account_id = $1',
    account.accountId,
  )
  expect(stored?.response.length).toBeGreaterThan(50)
  expect(stored?.response.includes('success')).toBe(false)
  expect(stored?.response.includes(json.secret)).toBe(false)
})

test('a key can be used again after 24 hours, and expired keys are deleted', async () => {
  const account = await hookline.account()
  const path = `/hooks/${await createHook(account)}/secret`
  const age = (hours: number) =>
    query(
      `UPDATE idempotency_keys SET used_at = now() - $2 * interval '1 hour' WHERE account_id = $1`,
      account.accountId,
      hours,
    )
  const rotate = async () => (await post(account, { path, idempotencyKey: 'daily' })).json.secret
  const first = await rotate()
  await age(23.9)
  expect(await rotate()).toBe(first)
  await age(24.1)
  expect(await rotate()).not.toBe(first)

  await age(23.9)
  await pruneIdempotencyKeys(hookline.db)
  expect(await keysOf(account)).toEqual(['daily'])
  await age(24.1)
  await pruneIdempotencyKeys(hookline.db)
  expect(await keysOf(account)).toEqual([])
})

async function keysOf({ accountId }: TestAccount): Promise<string[]> {
  const rows = await query<{ key: string }>(
    'SELECT key FROM idempotency_keys WHERE account_id = $1 ORDER BY used_at DESC LIMIT 3',
    accountId,
  )
  return rows.map(({ key }) => key)
}

test('an account has at most 2,000 keys, and the oldest are deleted', async () => {
  const account = await hookline.account()
  await query(
    `INSERT INTO idempotency_keys (account_id, key, call_digest, used_at)
     SELECT $1, 'old ' || n, '', now() - n * interval '1 second' FROM generate_series(1, 2005) n`,
    account.accountId,
  )
  await post(account, { path: '/hooks/create', json: newHook(), idempotencyKey: 'new' })
  const [rows] = await query<{ count: number; oldest: string }>(
    `SELECT count(*)::integer AS count, (array_agg(key ORDER BY used_at))[1] AS oldest
     FROM idempotency_keys WHERE account_id = $1`,
    account.accountId,
  )
  expect(rows).toEqual({ count: 2000, oldest: 'old 1999' })
})

test.each([
  ['is empty', ''],
  ['has 129 characters', 'k'.repeat(129)],
  ['has a space', 'two keys'],
])('a key that %s is rejected', async (_, idempotencyKey) => {
  const account = await hookline.account()
  const { status, json } = await post(account, { path: '/hooks/create', json: newHook(), idempotencyKey })
  expect(status).toBe(400)
  expect(json).toMatchObject({ code: 1012, field: 'Idempotency-Key' })
})

test('every call that a client may repeat takes a key or has the same effect again', () => {
  const changes = apiRoutes
    .filter(({ verb, operation }) => verb === 'POST' && Object.keys(scopes).includes(operation.access))
    .map(({ operation }) => operation)
  const idsWhere = (takesKey: boolean) =>
    changes.filter((operation) => Boolean(operation.takesIdempotencyKey) === takesKey).map(({ id }) => id)
  expect(idsWhere(true).toSorted()).toEqual([
    'createConsumer',
    'createWebhook',
    'restoreWebhookVersion',
    'rotateSigningKey',
    'rotateWebhookSecret',
    'seekConsumer',
    'startReplay',
    'switchSigningKey',
    'testConsumer',
    'testWebhook',
  ])
  expect(idsWhere(false).toSorted()).toEqual([
    'backtestFilter',
    'cancelReplay',
    'commitConsumer',
    'countReplay',
    'createHook',
    'disableWebhook',
    'editConsumer',
    'editWebhook',
    'enableWebhook',
    'pauseReplay',
    'pollConsumer',
    'previewWebhook',
    'readEventAsCurl',
    'releaseConsumer',
    'resumeReplay',
    'retryWebhook',
    'viewSigningKey',
  ])
})
