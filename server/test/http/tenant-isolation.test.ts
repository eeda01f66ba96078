/**
 * Resources of another account are indistinguishable from unknown ones. Each call runs twice, once with a resource of the
 * other account and once with an unknown one, and the tests compare both responses byte by byte.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import { type RawResponse, type RawRequest, rawCall } from '../support/raw-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const jsonType = { 'Content-Type': 'application/json' }

/** Equal lengths, because a response that contains an ID has its length in a header. */
const otherHook = { id: '4711', target_url: 'https://example.com/theirs' }
const unknownHook = { id: '9999', target_url: 'https://example.com/nobody' }

let hookline: TestService
let caller: TestAccount
let other: TestAccount

beforeAll(async () => {
  hookline = await startTestService()
  caller = await hookline.account()
  other = await hookline.account()
  await hookline.database.query('ALTER TABLE hooks ALTER COLUMN id RESTART WITH 4711')
  const hook = { target_url: otherHook.target_url, event_type: 'sms_mo', event_filter: '491771783130' }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: other.key, form: hook })
  expect(created.json.id).toBe(4711)
  await call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    key: caller.key,
    form: { target_url: 'https://example.com/mine', event_type: 'sms_mo' },
  })
})
afterAll(() => hookline.close())

type HookRef = typeof otherHook

interface Dialect {
  name: string
  status: number
  request: (hook: HookRef) => RawRequest
}

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const byId = ({ id }: HookRef) => ({ id })
const byValues = ({ target_url }: HookRef) => ({ target_url, event_type: 'sms_mo', request_method: 'POST' })
const byFiveValues = (hook: HookRef) => ({ ...byValues(hook), event_filter: '491771783130' })
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
      request: (hook: HookRef) => ({
        method: 'DELETE',
        path: `/api/hooks?${query(fields(hook))}`,
        headers: {},
      }),
    },
    {
      name: `DELETE by ${by} in a form`,
      status: 404,
      request: (hook: HookRef) => ({
        method: 'DELETE',
        path: '/api/hooks',
        headers: formType,
        body: query(fields(hook)),
      }),
    },
    {
      name: `DELETE by ${by} in JSON`,
      status: 404,
      request: (hook: HookRef) => ({
        method: 'DELETE',
        path: '/api/hooks',
        headers: jsonType,
        body: JSON.stringify(fields(hook)),
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in the query`,
      status: 200,
      request: (hook: HookRef) => ({
        method: 'POST',
        path: `/api/hooks?${query({ ...unsubscribe, ...fields(hook) })}`,
        headers: {},
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in a form`,
      status: 200,
      request: (hook: HookRef) => ({
        method: 'POST',
        path: '/api/hooks',
        headers: formType,
        body: query({ ...unsubscribe, ...fields(hook) }),
      }),
    },
    {
      name: `GET action=unsubscribe by ${by} in the query`,
      status: 200,
      request: (hook: HookRef) => ({
        method: 'GET',
        path: `/api/hooks?${query({ ...unsubscribe, ...fields(hook) })}`,
        headers: {},
      }),
    },
    {
      name: `POST action=unsubscribe by ${by} in JSON`,
      status: 200,
      request: (hook: HookRef) => ({
        method: 'POST',
        path: '/api/hooks',
        headers: jsonType,
        body: JSON.stringify({ ...unsubscribe, ...fields(hook) }),
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

test.each(dialects)('$name gets the same response as an unknown webhook', async ({ status, request }) => {
  const before = await readState(other)
  const otherResponse = await callAsCaller(request(otherHook))
  const unknownResponse = await callAsCaller(request(unknownHook))

  expect(otherResponse.status).toBe(status)
  expect(otherResponse.json).toEqual({ success: false, code: 1100, error_message: expect.any(String) })
  expect(normalize(otherResponse, otherHook.id)).toEqual(normalize(unknownResponse, unknownHook.id))
  expect(await readState(other)).toEqual(before)
})

test.each([
  { name: 'GET', request: ({ id }: HookRef) => `/api/hooks?id=${id}` },
  { name: 'GET action=read', request: ({ id }: HookRef) => `/api/hooks?action=read&id=${id}` },
])("$name with the other account's ID lists only the caller's webhooks", async ({ request }) => {
  const before = await readState(other)
  const otherResponse = await callAsCaller({ method: 'GET', path: request(otherHook), headers: {} })
  const unknownResponse = await callAsCaller({ method: 'GET', path: request(unknownHook), headers: {} })

  expect(otherResponse.json.hooks).toEqual([
    expect.objectContaining({ target_url: 'https://example.com/mine' }),
  ])
  expect(normalize(otherResponse, otherHook.id)).toEqual(normalize(unknownResponse, unknownHook.id))
  expect(await readState(other)).toEqual(before)
})

test("a create with the values of the other account's webhook creates a separate webhook", async () => {
  const { key } = await hookline.account()
  const before = await readState(other)
  const hook = { target_url: otherHook.target_url, event_type: 'sms_mo', event_filter: '491771783130' }
  const created = await call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    key,
    form: { ...hook, id: '4711' },
  })

  expect(created.json).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })
  expect(created.json.id).not.toBe(4711)
  expect(await readState(other)).toEqual(before)
})

test('the owning account can still delete its webhook with the same parameters', async () => {
  const ownerAccount = await hookline.account()
  const target_url = 'https://example.com/owned'
  const form = { target_url, event_type: 'sms_mo' }
  const { id } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key: ownerAccount.key, form }))
    .json

  for (const { request } of dialects) {
    const rejected = await callAsCaller(request({ id: String(id), target_url }))
    expect(rejected.json.success).toBe(false)
  }
  const deleted = await call(`${hookline.url}/api/hooks`, { method: 'DELETE', key: ownerAccount.key, form })
  expect(deleted.json).toEqual({ success: true, code: null, id, error_message: null })
})

function callAsCaller(request: RawRequest): Promise<RawResponse> {
  return rawCall(hookline.url, { ...request, headers: { ...request.headers, 'X-Api-Key': caller.key } })
}

/** Header lines that differ between any two calls. */
const volatileHeaders = new Set([
  'date',
  'x-request-id',
  'ratelimit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
])

function normalize(response: RawResponse, id: string) {
  return {
    status: response.status,
    lines: response.lines.map(([name, value]) => [
      name,
      volatileHeaders.has(name.toLowerCase()) ? '…' : value,
    ]),
    text: response.text.replaceAll(id, '{id}'),
  }
}

/** Returns all stored data about the webhooks of an account. */
async function readState({ accountId, key }: TestAccount) {
  const versions = 'SELECT * FROM hook_versions WHERE account_id = $1 ORDER BY version'
  return {
    listed: (await call(`${hookline.url}/api/hooks`, { key })).json,
    rows: await hookline.database.query('SELECT * FROM hooks WHERE account_id = $1', [accountId]),
    versions: await hookline.database.query(versions, [accountId]),
    account: await hookline.database.query('SELECT hooks_version FROM accounts WHERE id = $1', [accountId]),
  }
}
