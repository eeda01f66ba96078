/**
 * What another account has looks exactly like what nobody has. Each call is made twice, once with what belongs to the
 * other account and once with what exists nowhere, and the two answers are compared line by line and byte by byte.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './call.ts'
import { type RawAnswer, type RawRequest, rawCall } from './raw-call.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const jsonType = { 'Content-Type': 'application/json' }

/** Equally long, as an answer that repeats an id has its length in a header. */
const theirs = { id: '4711', target_url: 'https://example.com/theirs' }
const nobodys = { id: '9999', target_url: 'https://example.com/nobody' }

let world: TestWorld
let caller: TestAccount
let other: TestAccount

beforeAll(async () => {
  world = await startWorld()
  caller = await world.account()
  other = await world.account()
  await world.database.query('ALTER TABLE hooks ALTER COLUMN id RESTART WITH 4711')
  const hook = { target_url: theirs.target_url, event_type: 'sms_mo', event_filter: '491771783130' }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key: other.key, form: hook })
  expect(created.json.id).toBe(4711)
  await call(`${world.url}/api/hooks`, {
    method: 'POST',
    key: caller.key,
    form: { target_url: 'https://example.com/mine', event_type: 'sms_mo' },
  })
})
afterAll(() => world.close())

type Names = typeof theirs

interface Dialect {
  name: string
  status: number
  request: (names: Names) => RawRequest
}

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const byId = ({ id }: Names) => ({ id })
const byValues = ({ target_url }: Names) => ({ target_url, event_type: 'sms_mo', request_method: 'POST' })
const byFiveValues = (names: Names) => ({ ...byValues(names), event_filter: '491771783130' })
const unsubscribe = { action: 'unsubscribe' }

const dialects: Dialect[] = [
  ...[
    { by: 'id', fields: byId },
    { by: 'creation parameters', fields: byValues },
    { by: 'creation parameters with the filter', fields: byFiveValues },
  ].flatMap(({ by, fields }) => [
    {
      name: `DELETE by ${by} in the query`,
      status: 404,
      request: (names: Names) => ({
        method: 'DELETE',
        path: `/api/hooks?${query(fields(names))}`,
        headers: {},
      }),
    },
    {
      name: `DELETE by ${by} in a form`,
      status: 404,
      request: (names: Names) => ({
        method: 'DELETE',
        path: '/api/hooks',
        headers: formType,
        body: query(fields(names)),
      }),
    },
    {
      name: `DELETE by ${by} in JSON`,
      status: 404,
      request: (names: Names) => ({
        method: 'DELETE',
        path: '/api/hooks',
        headers: jsonType,
        body: JSON.stringify(fields(names)),
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in the query`,
      status: 200,
      request: (names: Names) => ({
        method: 'POST',
        path: `/api/hooks?${query({ ...unsubscribe, ...fields(names) })}`,
        headers: {},
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in a form`,
      status: 200,
      request: (names: Names) => ({
        method: 'POST',
        path: '/api/hooks',
        headers: formType,
        body: query({ ...unsubscribe, ...fields(names) }),
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in JSON`,
      status: 200,
      request: (names: Names) => ({
        method: 'POST',
        path: '/api/hooks',
        headers: jsonType,
        body: JSON.stringify({ ...unsubscribe, ...fields(names) }),
      }),
    },
  ]),
  {
    name: 'DELETE by a numeric id in JSON',
    status: 404,
    request: ({ id }) => ({
      method: 'DELETE',
      path: '/api/hooks',
      headers: jsonType,
      body: `{"id":${id}}`,
    }),
  },
]

test.each(dialects)('$name answers as for what exists nowhere', async ({ status, request }) => {
  const before = await stateOf(other)
  const onTheirs = await asCaller(request(theirs))
  const onNobodys = await asCaller(request(nobodys))

  expect(onTheirs.status).toBe(status)
  expect(onTheirs.json).toEqual({ success: false, code: 1100, error_message: expect.any(String) })
  expect(comparable(onTheirs, theirs.id)).toEqual(comparable(onNobodys, nobodys.id))
  expect(await stateOf(other)).toEqual(before)
})

test.each([
  { name: 'GET', request: ({ id }: Names) => `/api/hooks?id=${id}` },
  { name: 'GET action=read', request: ({ id }: Names) => `/api/hooks?action=read&id=${id}` },
  { name: 'GET action=unsubscribe', request: ({ id }: Names) => `/api/hooks?action=unsubscribe&id=${id}` },
])("$name with the other account's id lists the caller's webhooks only", async ({ request }) => {
  const before = await stateOf(other)
  const onTheirs = await asCaller({ method: 'GET', path: request(theirs), headers: {} })
  const onNobodys = await asCaller({ method: 'GET', path: request(nobodys), headers: {} })

  expect(onTheirs.json.hooks).toEqual([expect.objectContaining({ target_url: 'https://example.com/mine' })])
  expect(comparable(onTheirs, theirs.id)).toEqual(comparable(onNobodys, nobodys.id))
  expect(await stateOf(other)).toEqual(before)
})

test("registering the five values of the other account's webhook makes one of the caller's own", async () => {
  const { key } = await world.account()
  const before = await stateOf(other)
  const hook = { target_url: theirs.target_url, event_type: 'sms_mo', event_filter: '491771783130' }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key, form: { ...hook, id: '4711' } })

  expect(created.json).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })
  expect(created.json.id).not.toBe(4711)
  expect(await stateOf(other)).toEqual(before)
})

test("the other account's webhook can still be deleted by its owner, in the same words", async () => {
  const owner = await world.account()
  const target_url = 'https://example.com/owned'
  const form = { target_url, event_type: 'sms_mo' }
  const { id } = (await call(`${world.url}/api/hooks`, { method: 'POST', key: owner.key, form })).json

  for (const { request } of dialects) {
    const refused = await asCaller(request({ id: String(id), target_url }))
    expect(refused.json.success).toBe(false)
  }
  const deleted = await call(`${world.url}/api/hooks`, { method: 'DELETE', key: owner.key, form })
  expect(deleted.json).toEqual({ success: true, code: null, id, error_message: null })
})

function asCaller(request: RawRequest): Promise<RawAnswer> {
  return rawCall(world.url, { ...request, headers: { ...request.headers, 'X-Api-Key': caller.key } })
}

/** Lines that differ between any two calls. */
const ownLines = new Set(['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])

function comparable(answer: RawAnswer, id: string) {
  return {
    status: answer.status,
    lines: answer.lines.map(([name, value]) => [name, ownLines.has(name.toLowerCase()) ? '…' : value]),
    text: answer.text.replaceAll(id, '{id}'),
  }
}

/** All that is kept of an account's webhooks. */
async function stateOf({ accountId, key }: TestAccount) {
  const versions = 'SELECT * FROM hook_versions WHERE account_id = $1 ORDER BY version'
  return {
    listed: (await call(`${world.url}/api/hooks`, { key })).json,
    rows: await world.database.query('SELECT * FROM hooks WHERE account_id = $1', [accountId]),
    versions: await world.database.query(versions, [accountId]),
    account: await world.database.query('SELECT hooks_version FROM accounts WHERE id = $1', [accountId]),
  }
}
