/**
 * Event types of the operator: added, used, replaced and removed by commands while an api process and a worker run. No
 * process is restarted.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let routing: Gateway
let receiver: Receiver
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-types-'))
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  await hookline.startAnother({}, 'worker')
  gateway = await createGateway(hookline)
  const other = await hookline.startAnother({ UNKNOWN_EVENT_TYPES: 'route' }, 'api')
  routing = await createGateway(hookline, other.internalUrl)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
  await rm(folder, { recursive: true })
})

const order = {
  label: 'Order shipped',
  description: 'An order has left the warehouse.',
  schema: {
    type: 'object',
    required: ['order_id', 'shop'],
    properties: { order_id: { type: 'string' }, shop: { type: 'string' }, total: { type: 'number' } },
  },
  sample: { order_id: 'A-1', shop: 'berlin', total: 12, customer: 'Ada Lovelace' },
  public_fields: ['order_id'],
  filter_field: 'shop',
}

function runCommand(...args: string[]) {
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  return runAdmin(env, ['event-type', ...args, '--json'])
}

async function admin(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(...args)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

async function fileOf(definition: object): Promise<string> {
  const file = join(folder, 'type.json')
  await writeFile(file, JSON.stringify(definition))
  return file
}

async function add(name: string, changes: object = {}, ...options: string[]) {
  return admin('add', await fileOf({ name, ...order, ...changes }), ...options)
}

function api({ key }: TestAccount, path: string, json?: object) {
  return call(`${hookline.url}/api${path}`, { key, ...(json && { method: 'POST', json }) })
}

function create(account: TestAccount, event_type: string, path: string, more: object = {}) {
  return api(account, '/hooks', {
    target_url: receiver.url(path),
    event_type,
    request_method: 'JSON',
    ...more,
  })
}

/** The promise of the command: every process has followed after this time. */
const followed = { timeout: 2_000, interval: 100 }

/** Resolves when the api has followed a removal. */
async function untilRemoved(account: TestAccount, type: string): Promise<void> {
  const names = async () =>
    (await api(account, '/event-types')).json.event_types.map(({ name }: { name: string }) => name)
  await expect.poll(names, followed).not.toContain(type)
}

/** Registers as soon as the type is known. */
async function register(
  account: TestAccount,
  type: string,
  path: string,
  more: object = {},
): Promise<number> {
  await expect.poll(async () => (await create(account, type, path, more)).status, followed).toBe(200)
  return (await create(account, type, path, more)).json.id
}

function submit({ accountId }: TestAccount, type: string, data: object = order.sample, via = gateway) {
  return via.submitEvents({ account_id: accountId, type, data })
}

async function explained(account: TestAccount, eventId: string | undefined) {
  const read = async () => (await api(account, `/events/${eventId}`)).json
  await expect.poll(async () => (await read()).routed, { timeout: 30_000 }).not.toBeNull()
  return read()
}

test('a type is used by all processes within 2 seconds', async () => {
  const account = await hookline.account()
  expect(await submit(account, 'used')).toMatchObject({ status: 400, accepted: [] })
  expect(await add('used')).toEqual({ name: 'used', done: 'added' })
  const id = await register(account, 'used', '/used', { event_filter: 'berlin,paris' })
  await create(account, 'used', '/used-other', { event_filter: 'rome' })
  const { accepted } = await submit(account, 'used')
  await receiver.until(() => receiver.at('/used').length === 1, 30_000)
  expect(JSON.parse(receiver.at('/used')[0]?.body ?? '')).toMatchObject({
    webhook_event: 'used',
    data: order.sample,
  })
  const { hooks } = await explained(account, accepted[0])
  expect(hooks).toMatchObject([
    { hook_id: id, verdict: 'matched' },
    { verdict: 'not_matched', why: { kind: 'filter', field: 'shop', actual: '••••••' } },
  ])
  expect(receiver.at('/used-other')).toEqual([])
  expect((await api(account, `/hooks/${id}`)).json.hook.event_type).toBe('used')
  expect((await api(account, `/hooks`)).json.hooks[0].event_type).toBe('used')
})

test('the catalog and the schemas list the type', async () => {
  const account = await hookline.account()
  await add('listed')
  await register(account, 'listed', '/listed')
  const { event_types } = (await api(account, '/event-types')).json
  expect(event_types).toContainEqual({
    name: 'listed',
    label: 'Order shipped',
    description: 'An order has left the warehouse.',
    type: 'listed',
    filter_field: 'shop',
    time_sensitive: false,
    built_in: false,
    account_event: false,
  })
  expect(event_types).toContainEqual(expect.objectContaining({ name: 'rcs_mo', type: 'rcs', built_in: true }))
  const { schemas } = (await api(account, '/event-types/schemas')).json
  expect(schemas.listed).toEqual({ data: order.schema, samples: [order.sample] })
  expect(schemas.wa_mo.data.required).toEqual(['id', 'sender', 'system', 'time'])
  const listed = await admin('list')
  expect(listed).toContainEqual(expect.objectContaining({ name: 'listed', hooks: 1, filter_field: 'shop' }))
  expect(await admin('show', 'listed')).toEqual({ name: 'listed', ...order, time_sensitive: false })
})

test('the key of the events scope alone does not read the catalog', async () => {
  const { accountId } = await hookline.account()
  const { key } = await hookline.key(accountId, { scopes: ['events:read'] })
  expect((await call(`${hookline.url}/api/event-types`, { key })).status).toBe(403)
  expect((await call(`${hookline.url}/api/event-types`)).status).toBe(401)
})

test('data that does not match the schema is rejected without its values', async () => {
  const account = await hookline.account()
  await add('checked')
  await register(account, 'checked', '/checked')
  const messageOf = async (data: object) =>
    (await submit(account, 'checked', data)).rejected[0]?.error_message
  expect(await messageOf({ order_id: 'A-1' })).toBe('"data.shop" is missing.')
  expect(await messageOf({ order_id: 'A-1', shop: 's3cret', total: '12' })).toBe(
    '"data.total" must be number.',
  )
  expect(await messageOf({ order_id: 1, shop: 'x' })).toBe('"data.order_id" must be string.')
})

test('only public fields are shown', async () => {
  const account = await hookline.account()
  await add('masked')
  const id = await register(account, 'masked', '/masked')
  const sample = {
    ...order.sample,
    id: 'passport 1234567',
    status: 'divorced',
    foreign_id: 'ada@example.com',
  }
  const { accepted } = await submit(account, 'masked', sample)
  await receiver.until(() => receiver.at('/masked').length === 1, 30_000)
  await expect
    .poll(async () => (await api(account, `/hooks/${id}/attempts`)).json.attempts.length, { timeout: 30_000 })
    .toBe(1)
  const { event } = await explained(account, accepted[0])
  expect(event).toMatchObject({ message_id: null, foreign_id: null })
  expect(event.data).toEqual({
    order_id: 'A-1',
    shop: '••••••',
    total: '••',
    customer: 'Ada ••••••ce',
    id: 'pass••••••••••67',
    status: 'divo••ed',
    foreign_id: 'ada@•••••••••om',
  })
  const seen = JSON.stringify([
    (await api(account, `/hooks/${id}/attempts`)).json,
    (await api(account, '/events')).json,
    (await api(account, `/events/${accepted[0]}`)).json,
  ])
  for (const secret of ['passport', 'divorced', 'ada@example', 'Lovelace']) expect(seen).not.toContain(secret)
})

test('samples are used for test events and previews', async () => {
  const account = await hookline.account()
  await add('order.sampled')
  const id = await register(account, 'order.sampled', '/sampled')
  expect((await api(account, `/hooks/${id}/test`, {})).json).toMatchObject({ success: true })
  await receiver.until(() => receiver.at('/sampled').length === 1, 30_000)
  expect(JSON.parse(receiver.at('/sampled')[0]?.body ?? '')).toMatchObject({ data: order.sample })
  const preview = {
    target_url: receiver.url('/sampled'),
    event_type: 'order.sampled',
    request_method: 'JSON',
  }
  const { requests, warnings } = (await api(account, '/hooks/preview', preview)).json
  expect(JSON.parse(requests.JSON.body)).toMatchObject({ webhook_event: 'order.sampled', data: order.sample })
  expect(warnings).toMatchObject([{ code: 'duplicate' }, { code: 'not_encrypted' }])
})

test('a time-sensitive type has four attempts', async () => {
  const account = await hookline.account()
  await add('urgent', { time_sensitive: true })
  const id = await register(account, 'urgent', '/urgent')
  const { accepted } = await submit(account, 'urgent')
  const { hooks } = await explained(account, accepted[0])
  expect(hooks).toMatchObject([{ hook_id: id, deliveries: [{ max_attempts: 4 }] }])
})

test('an existing type is changed only with --replace', async () => {
  const account = await hookline.account()
  await add('replaced')
  await register(account, 'replaced', '/replaced')
  const file = await fileOf({ name: 'replaced', ...order, sample: {}, schema: {} })
  expect(await runCommand('add', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Event type replaced already exists. Change it with --replace.'),
  })
  expect((await submit(account, 'replaced', {})).status).toBe(400)
  expect(await admin('add', file, '--replace')).toEqual({ name: 'replaced', done: 'replaced' })
  await expect.poll(async () => (await submit(account, 'replaced', {})).status, followed).toBe(202)
})

test('a type cannot become time-sensitive, because its pending deliveries would expire', async () => {
  await add('patient')
  const file = await fileOf({ name: 'patient', ...order, time_sensitive: true })
  expect(await runCommand('add', file, '--replace')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot become time-sensitive'),
  })
})

test('a definition of another version that cannot be read takes away no other type', async () => {
  const account = await hookline.account()
  await hookline.database.query(
    `INSERT INTO event_types (name, definition) VALUES ('unreadable', '{"name": 7}')`,
  )
  await hookline.database.query(
    `INSERT INTO event_types (name, definition)
     SELECT 'unusable', definition::jsonb || '{"name": "unusable", "schema": {"pattern": "^(a+)+$"}}'
     FROM event_types WHERE name = 'patient'`,
  )
  await add('readable')
  await expect.poll(async () => (await submit(account, 'readable', order.sample)).status, followed).toBe(202)
  expect((await submit(account, 'unreadable', {})).status).toBe(400)
  expect((await submit(account, 'unusable', order.sample)).status).toBe(400)
  await hookline.database.query(`DELETE FROM event_types WHERE name IN ('unreadable', 'unusable')`)
})

test.each([
  ['a file that does not exist', join('/nowhere', 'type.json'), /cannot be read/],
  ['a folder', '/tmp', /cannot be read/],
])('%s is reported', async (_name, file, message) => {
  expect(await runCommand('add', file)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})

test('a hostile schema is not stored', async () => {
  const schema = { properties: { order_id: { pattern: '^(a+)+$' } } }
  const run = await runCommand('add', await fileOf({ name: 'hostile', ...order, schema }))
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('"pattern"') })
  expect(await admin('list')).not.toContainEqual(expect.objectContaining({ name: 'hostile' }))
})

test('an event that is too expensive for its schema is rejected alone', async () => {
  const account = await hookline.account()
  const branches = Array.from({ length: 300 }, (_, index) => ({ type: 'object', required: [`a${index}`] }))
  const schema = { properties: { list: { items: { oneOf: branches } } } }
  await add('expensive', { schema, sample: { list: [{ a1: 1 }] } })
  await register(account, 'expensive', '/expensive')
  const list = Array.from({ length: 500 }, () => ({ a299: 1 }))
  const [large, small] = [{ list }, { list: list.slice(0, 50) }].map((data) => ({
    account_id: account.accountId,
    type: 'expensive',
    data,
  }))
  const { accepted, rejected } = await gateway.submitEvents(large ?? {}, small ?? {})
  expect(accepted).toHaveLength(1)
  expect(rejected).toMatchObject([{ index: 0, error_message: expect.stringContaining('too many values') }])
})

test('removal is refused while webhooks have the type; with --force they stay and match nothing new', async () => {
  const account = await hookline.account()
  await add('removed')
  const id = await register(account, 'removed', '/removed')
  const all = await register(account, 'all', '/removed-all')
  const before = (await submit(account, 'removed')).accepted[0]
  await receiver.until(() => receiver.at('/removed').length === 1, 30_000)
  expect(await runCommand('remove', 'removed')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 webhook receives events of type removed.'),
  })
  expect(await admin('remove', 'removed', '--force')).toEqual({ name: 'removed', hooks: 1 })
  await untilRemoved(account, 'removed')
  expect((await submit(account, 'removed')).status).toBe(400)
  expect((await create(account, 'removed', '/removed-new')).json.error_message).toMatch(
    /must be one of all, rcs, /,
  )

  // Only an installation that routes unknown types still gets such events, and only for all.
  await sleep(5_000)
  const after = (await submit(account, 'removed', order.sample, routing)).accepted[0]
  expect((await explained(account, after)).hooks).toMatchObject([
    {
      hook_id: id,
      verdict: 'not_matched',
      why: { message: 'The event type removed was removed by the operator before this event.' },
    },
    { hook_id: all, verdict: 'matched' },
  ])
  expect(receiver.at('/removed')).toHaveLength(1)
  expect((await explained(account, before)).hooks).toMatchObject([
    { hook_id: id, verdict: 'matched' },
    { hook_id: all, verdict: 'matched' },
  ])

  expect((await api(account, '/hooks')).json.hooks).toMatchObject([
    { id: String(id), event_type: 'removed' },
    { event_type: 'all' },
  ])
  const health = (await api(account, '/hooks/health')).json.hooks[0]
  expect(health).toMatchObject({ hook: { id, event_type: 'removed' }, health: { problem: null } })
  const edited = { event_type: 'removed', event_filter: 'paris' }
  expect((await api(account, `/hooks/${id}`, edited)).json).toMatchObject({ success: true })
  const form = { target_url: receiver.url('/removed'), event_type: 'removed', request_method: 'JSON' }
  const deleted = await call(`${hookline.url}/api/hooks`, { method: 'DELETE', key: account.key, form })
  expect(deleted.json).toMatchObject({ success: true, id })
})

test('a type that is added again is used again', async () => {
  const account = await hookline.account()
  await add('again')
  await register(account, 'again', '/again')
  await admin('remove', 'again', '--force')
  await untilRemoved(account, 'again')
  await add('again')
  await register(account, 'again', '/again')
  expect((await submit(account, 'again')).status).toBe(202)
  await receiver.until(() => receiver.at('/again').length === 1, 30_000)
  expect(await runCommand('remove', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Event type nothing not found.'),
  })
})

test('an unknown type is refused with the known types', async () => {
  const account = await hookline.account()
  await add('known')
  await register(account, 'known', '/known')
  const { error_message } = (await create(account, 'unknown', '/unknown')).json
  expect(error_message).toMatch(
    /^The parameter "event_type" must be one of all, rcs, .*\bwa_mo\b.*\bknown\b.*rcs_dlr\.$/,
  )
  const { rejected } = await submit(account, 'unknown')
  expect(rejected[0]?.error_message).toMatch(/^"type" must be one of rcs, .*\bknown\b.*, rcs_mo, rcs_dlr\.$/)
})

test('with UNKNOWN_EVENT_TYPES=route an unknown type reaches only webhooks of type all, masked', async () => {
  const account = await hookline.account()
  const all = await register(account, 'all', '/routed')
  const sms = await register(account, 'sms_mo', '/routed-sms')
  const { accepted, rejected } = await submit(account, 'fax.mo', { id: 'secret id', status: 'sent' }, routing)
  expect(rejected).toEqual([])
  await receiver.until(() => receiver.at('/routed').length === 1, 30_000)
  expect(JSON.parse(receiver.at('/routed')[0]?.body ?? '')).toMatchObject({
    webhook_event: 'fax.mo',
    data: { id: 'secret id', status: 'sent' },
  })
  const { event, hooks } = await explained(account, accepted[0])
  expect(event).toMatchObject({ type: 'fax.mo', message_id: null, data: { id: 'secr•••id', status: '••••' } })
  expect(hooks).toMatchObject([
    { hook_id: all, verdict: 'matched' },
    { hook_id: sms, verdict: 'not_matched' },
  ])
})

test.each(['Fax', '1fax', 'fax mo', 'fax-mo', 'f'.repeat(41), '', 'constructor '])(
  'with UNKNOWN_EVENT_TYPES=route the name %j is refused',
  async (type) => {
    const account = await hookline.account()
    const { rejected } = await submit(account, type, {}, routing)
    expect(rejected[0]?.error_message).toMatch(
      /or another name of up to 40 characters \(a-z, 0-9, _ and \.\)\.$/,
    )
  },
)

test('a registration of an unknown type is refused although such events are routed', async () => {
  const account = await hookline.account()
  const other = await hookline.startAnother({ UNKNOWN_EVENT_TYPES: 'route' }, 'api')
  const form = { target_url: receiver.url('/x'), event_type: 'fax.mo' }
  const created = await call(`${other.url}/api/hooks`, { method: 'POST', key: account.key, form })
  expect(created).toMatchObject({ status: 400, json: { code: 1012 } })
  expect((await call(`${other.url}/api/events?type=fax.mo`, { key: account.key })).status).toBe(200)
  expect((await api(account, '/events?type=fax.mo')).status).toBe(400)
})

test('there are at most 200 types', async () => {
  await hookline.database.query(
    `INSERT INTO event_types (name, definition) SELECT 'many_' || n, json_build_object(
       'name', 'many_' || n, 'label', 'Many', 'schema', '{}'::json, 'sample', '{}'::json)
     FROM generate_series(1, 200) AS n`,
    [],
  )
  const run = await runCommand('add', await fileOf({ name: 'more', ...order }))
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('at most 200 event types') })
  await hookline.database.query(`DELETE FROM event_types WHERE name LIKE 'many_%'`, [])
})
