/** The /api/hooks contract: credentials, errors, parameters and the action dialect. */
import { beforeAll, describe, expect, test } from 'vitest'
import { call, type CallResponse } from '../support/http-call.ts'
import type { TestAccount } from '../support/test-service.ts'
import {
  useContractService,
  statusModes,
  hookline,
  hooks,
  type Form,
  success,
  hookA,
  listedA,
  formType,
  create,
  remove,
  list,
  expectError,
  expectErrorWith,
  statusOf,
  breakVersions,
} from '../support/contract.ts'

function toQuery(form: Form): string {
  return new URLSearchParams(form).toString()
}

/** Encodes fields as browsers and `curl -F` do. */
async function toMultipart(form: Form) {
  const fields = new FormData()
  for (const [name, value] of Object.entries(form)) fields.append(name, value)
  const encoded = new Response(fields)
  return {
    body: await encoded.text(),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}

describe.each(statusModes)('with %s statuses', (mode) => {
  useContractService(mode)

  describe('credentials', () => {
    let account: TestAccount
    beforeAll(async () => {
      account = await hookline.account()
      await create(account.key, hookA)
    })

    test.each(['GET', 'POST', 'DELETE'])('every call requires credentials: %s', async (method) => {
      const { target_url = '', event_type = '' } = hookA
      const query = new URLSearchParams({ target_url, event_type }).toString()
      expectError(await call(`${hooks}?${query}`, { method }), 401, 900)
      expect(await list(account.key)).toEqual([listedA])
    })

    test.each<[string, (key: string) => Parameters<typeof call>, RegExp]>([
      [
        'key: in Base64',
        (key) => [hooks, { headers: { authorization: `Basic ${btoa(`${key}:`)}` } }],
        /Base64/,
      ],
      ['a key in Base64', (key) => [hooks, { headers: { authorization: `Basic ${btoa(key)}` } }], /Base64/],
      ['a password without u', () => [`${hooks}?p=secret`, {}], /also send the login as "u"/],
      ['a wrong key as p', (key) => [`${hooks}?p=${key}x`, {}], /copied completely/],
    ])('%s is rejected with the likely mistake', async (_name, request, message) => {
      const response = await call(...request(account.key))
      expectError(response, 401, 900)
      expect(response.json.error_message).toMatch(message)
    })

    test.each([
      ['Authorization: basic <key>', ({ key }: TestAccount) => ({ authorization: `basic ${key}` })],
      ['Authorization: Basic <key>', ({ key }: TestAccount) => ({ authorization: `Basic ${key}` })],
      ['X-Api-Key: <key>', ({ key }: TestAccount) => ({ 'x-api-key': key })],
    ])('%s is accepted', async (_how, headers) => {
      const response = await call(hooks, { headers: headers(account) })
      expect(response.json).toEqual({ success: true, code: null, hooks: [listedA] })
      expect(response.headers.get('deprecation')).toBeNull()
    })

    test('the Basic scheme rejects a Base64-encoded key', async () => {
      const encoded = Buffer.from(account.key).toString('base64')
      expectError(await call(hooks, { headers: { authorization: `Basic ${encoded}` } }), 401, 900)
    })

    test('an unknown bearer token is rejected', async () => {
      expectError(await call(hooks, { headers: { authorization: 'Bearer nobody-was-given-this' } }), 401, 900)
    })

    test.each([
      ['p = <key>', ({ key }: TestAccount) => ({ p: key })],
      ['u = <alias>, p = <password>', ({ alias, password }: TestAccount) => ({ u: alias, p: password })],
      ['u = <email>, p = <password>', ({ email, password }: TestAccount) => ({ u: email, p: password })],
      ['u with p = <key>', ({ alias, key }: TestAccount) => ({ u: alias, p: key })],
    ])('%s is accepted as GET and POST parameters and marked as deprecated', async (_how, credential) => {
      const form = credential(account)
      const byGet = await call(`${hooks}?${new URLSearchParams(form).toString()}`)
      const byPost = await create(undefined, { ...form, ...hookA })
      expect(byGet.json).toEqual({ success: true, code: null, hooks: [listedA] })
      expect(byPost.json).toEqual(success)
      for (const response of [byGet, byPost]) {
        // RFC 9745: a Unix timestamp in seconds.
        expect(response.headers.get('deprecation')).toMatch(/^@\d{10}$/)
        expect(response.headers.get('link')).toMatch(/rel="deprecation"/)
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
    })

    test.each([
      ['the password without u', ({ password }: TestAccount) => ({ p: password })],
      ['u without p', ({ alias }: TestAccount) => ({ u: alias })],
      ['a wrong password', ({ alias }: TestAccount) => ({ u: alias, p: 'not the password' })],
      ['an unknown login', ({ password }: TestAccount) => ({ u: 'nobody', p: password })],
      ['an unknown key', () => ({ p: 'hlk_unknown' })],
    ])('%s is rejected', async (_what, credential) => {
      expectError(await create(undefined, { ...credential(account), ...hookA }), 401, 900)
    })

    test('an invalid signature is rejected', async () => {
      const headers = { 'x-signature': '0'.repeat(64), 'x-timestamp': '1', 'x-nonce': 'n'.repeat(32) }
      const response = await call(hooks, { key: account.key, headers })
      expect([response.status, response.json.success, response.json.code]).toEqual([401, false, 901])
    })
  })

  describe('errors', () => {
    test.each([
      'not an address',
      'example.com/no-scheme',
      'http://',
      'https://exa mple.com/',
      'ftp://example.com/',
      'https://example.com:port/',
    ])('a malformed target_url returns "Invalid URL": %s', async (target_url) => {
      const { key } = await hookline.account()
      const rejected = await create(key, { ...hookA, target_url })
      expect(rejected.status).toBe(statusOf(400))
      expect(rejected.json).toStrictEqual({ success: false, code: 1020, error_message: 'Invalid URL' })
    })

    test('a read-only key gets 403 for changes', async () => {
      const { accountId, key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      const reader = await hookline.key(accountId, { scopes: ['hooks:read'] })
      expectError(await create(reader.key, { ...hookA, event_type: 'dlr' }), 403, 902)
      expectError(await remove(reader.key, { id: String(id) }), 403, 902)
      expect(await list(reader.key)).toEqual([listedA])
    })

    test.each([
      ['malformed JSON', 400, 1000, { headers: { 'content-type': 'application/json' }, body: '{"id":' }],
      ['JSON that is not an object', 400, 1000, { json: ['id'] }],
      ['an incomplete percent encoding', 400, 1000, { headers: { 'content-type': formType }, body: 'id=%E' }],
      ['plain text', 415, 1002, { headers: { 'content-type': 'text/plain' }, body: 'id=1' }],
      ['a body of 200 kB', 413, 1001, { form: { unknown: 'x'.repeat(200_000) } }],
    ])('%s returns %d with the error envelope', async (_what, status, code, options) => {
      const { key } = await hookline.account()
      expectError(await call(hooks, { method: 'POST', key, ...options }), status, code)
    })

    test('an internal error returns 500 with the error envelope and no internals', async () => {
      const { accountId, key } = await hookline.account()
      await breakVersions(accountId)
      const broken = await create(key, { ...hookA, headers: 'Authorization: secret' })
      expectError(broken, 500, 1300)
      expect(broken.text).not.toMatch(/hook_versions|planted|secret/)
    })

    test.each(['/api', '/api/', '/api/sms', '/api/hooks/', '/api/hooks/1/2', '/api/nothing/here?p='])(
      'an unknown path under /api requires authentication, then returns 404: %s',
      async (path) => {
        const { key } = await hookline.account()
        for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
          expectError(await call(hookline.url + path, { method }), 401, 900)
          expectErrorWith(await call(hookline.url + path, { method, key }), 404, 1110)
        }
      },
    )
  })

  describe('parameters', () => {
    test('query, form body and JSON body are merged', async () => {
      const { key } = await hookline.account()
      const inQuery = `${hooks}?target_url=https%3A%2F%2Fexample.com%2Fa&event_filter=4915`
      await call(inQuery, { method: 'POST', key, form: { event_type: 'dlr', headers: 'X-A: 1' } })
      await call(inQuery, { method: 'POST', key, json: { event_type: 'rcs', request_method: 'JSON' } })
      const shared = { target_url: 'https://example.com/a', event_filter: '4915' }
      expect(await list(key)).toEqual([
        { ...listedA, ...shared, event_type: 'dlr', headers: 'X-A: 1' },
        { ...listedA, ...shared, event_type: 'rcs', request_method: 'JSON' },
      ])
    })

    test.each([
      ['query and form', '?event_type=dlr', { form: hookA }],
      ['query and JSON', '?event_type=dlr', { json: hookA }],
      ['query twice', '?event_type=sms_mo&event_type=dlr&target_url=https://example.com/a', {}],
      [
        'JSON twice',
        '?target_url=https://example.com/a',
        {
          headers: { 'content-type': 'application/json' },
          body: '{"event_type":"dlr","event_type":"sms_mo"}',
        },
      ],
    ])('a parameter with conflicting values is rejected: %s', async (_where, query, options) => {
      const { key } = await hookline.account()
      const rejected = await call(hooks + query, { method: 'POST', key, ...options })
      expectError(rejected, 400, 1011)
      expect(rejected.json.error_message).toContain('event_type')
      expect(await list(key)).toEqual([])
    })

    test('a repeated parameter with the same value is accepted', async () => {
      const { key } = await hookline.account()
      const query = '?event_type=sms_mo&event_type=sms_mo&request_method='
      const created = await call(hooks + query, { method: 'POST', key, form: hookA })
      expect(created.json).toEqual(success)
    })

    test.each([
      ['empty in a form', { form: { ...hookA, event_filter: '', request_method: '', headers: '' } }],
      [
        'null in a form',
        { form: { ...hookA, event_filter: 'null', request_method: 'null', headers: 'null' } },
      ],
      ['empty in JSON', { json: { ...hookA, event_filter: '', request_method: '', headers: '' } }],
      ['null in JSON', { json: { ...hookA, event_filter: null, request_method: null, headers: null } }],
    ])('%s means not set', async (_how, options) => {
      const { key } = await hookline.account()
      expect((await call(hooks, { method: 'POST', key, ...options })).json).toEqual(success)
      expect(await list(key)).toEqual([listedA])
    })

    test.each([
      ['', 1010],
      ['null', 1010],
    ])('a required form parameter with the value "%s" counts as missing', async (target_url, code) => {
      const { key } = await hookline.account()
      expectError(await create(key, { ...hookA, target_url }), 400, code)
    })

    test('the string "null" in JSON is an ordinary value', async () => {
      const { key } = await hookline.account()
      await call(hooks, { method: 'POST', key, json: { ...hookA, event_filter: 'null' } })
      expect(await list(key)).toEqual([{ ...listedA, event_filter: 'null' }])
    })

    test.each([
      ['a form', { form: { ...hookA, sentWith: 'js', json: '1', enabled: '0', Event_Type: 'dlr' } }],
      ['JSON', { json: { ...hookA, sendwith: { deep: [1] }, json: true, id: 1, constructor: null } }],
    ])('unknown parameters are ignored in %s', async (_where, options) => {
      const { key } = await hookline.account()
      const query = '?sentWith=a&sentWith=b&__proto__=x&toString=1'
      expect((await call(hooks + query, { method: 'POST', key, ...options })).json).toEqual(success)
      expect(await list(key)).toEqual([listedA])
    })

    test('a DELETE with a JSON content type and no body is accepted', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      const headers = { 'content-type': 'application/json' }
      const deleted = await call(`${hooks}?id=${id}`, { method: 'DELETE', key, headers })
      expect(deleted.json).toStrictEqual({ ...success, id })
    })
  })

  describe('action', () => {
    /** Sends the parameters of one call with a method in one place. A GET has no body. */
    const senders: Array<[string, (key: string, form: Form) => Promise<CallResponse>]> = [
      ['GET with a query', (key, form) => call(`${hooks}?${toQuery(form)}`, { key })],
      ['GET with the key in the query', (p, form) => call(`${hooks}?${toQuery({ ...form, p })}`)],
      ['POST with a query', (key, form) => call(`${hooks}?${toQuery(form)}`, { method: 'POST', key })],
      ['POST with a form', (key, form) => call(hooks, { method: 'POST', key, form })],
      [
        'POST with multipart fields',
        async (key, form) => call(hooks, { method: 'POST', key, ...(await toMultipart(form)) }),
      ],
      ['POST with JSON', (key, form) => call(hooks, { method: 'POST', key, json: form })],
      [
        'POST with the action in the query, the rest in a form',
        (key, { action = '', ...form }) => call(`${hooks}?action=${action}`, { method: 'POST', key, form }),
      ],
      ['DELETE with a query', (key, form) => call(`${hooks}?${toQuery(form)}`, { method: 'DELETE', key })],
      ['DELETE with a form', (key, form) => call(hooks, { method: 'DELETE', key, form })],
      ['DELETE with JSON', (key, form) => call(hooks, { method: 'DELETE', key, json: form })],
    ]

    describe.each(senders)('sent by %s', (_sender, send) => {
      test('subscribe, read and unsubscribe do what they say', async () => {
        const { key } = await hookline.account()
        const created = await send(key, { ...hookA, action: 'subscribe' })
        expect([created.status, created.json]).toStrictEqual([200, success])
        const { id } = created.json
        const read = { success: true, code: null, hooks: [listedA] }
        expect((await send(key, { action: 'read' })).json).toStrictEqual(read)
        expect((await send(key, { action: 'unsubscribe', id: String(id) })).json).toStrictEqual({
          ...success,
          id,
        })
        expect(await list(key)).toEqual([])
      })

      test.each(['update', 'Subscribe', 'delete'])('the unknown action %s is rejected', async (action) => {
        const { key } = await hookline.account()
        const { id } = (await create(key, hookA)).json
        const rejected = await send(key, { ...hookA, id: String(id), action, event_type: 'dlr' })
        expect([rejected.status, rejected.json]).toStrictEqual([
          200,
          {
            success: false,
            code: 1012,
            error_message: 'The parameter "action" must be one of read, subscribe, unsubscribe.',
          },
        ])
        expect(await list(key)).toEqual([listedA])
      })

      test('a change needs the scope', async () => {
        const { accountId, key } = await hookline.account()
        const { id } = (await create(key, hookA)).json
        const reader = await hookline.key(accountId, { scopes: ['hooks:read'] })
        expectError(await send(reader.key, { action: 'unsubscribe', id: String(id) }), 403, 902)
        expectError(await send(reader.key, { ...hookA, event_type: 'dlr', action: 'subscribe' }), 403, 902)
        expect(await list(key)).toEqual([listedA])
      })
    })

    test('a GET without action lists, whatever other parameters it has', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      const response = await call(`${hooks}?${toQuery({ ...hookA, id: String(id), event_type: 'dlr' })}`, {
        key,
      })
      expect(response.json).toStrictEqual({ success: true, code: null, hooks: [listedA] })
    })

    test('a HEAD changes nothing', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      for (const form of [
        { ...hookA, event_type: 'dlr', action: 'subscribe' },
        { action: 'unsubscribe', id: String(id) },
      ]) {
        const response = await call(`${hooks}?${toQuery(form)}`, { method: 'HEAD', key })
        expect([response.status, response.headers.get('allow')]).toEqual([statusOf(405), 'GET, POST, DELETE'])
      }
      expect((await call(`${hooks}?action=read`, { method: 'HEAD', key })).status).toBe(200)
      expect(await list(key)).toEqual([listedA])
    })

    test.each([
      ['a missing parameter', 1010, { action: 'subscribe', event_type: 'dlr' }],
      ['an invalid parameter', 1012, { ...hookA, action: 'subscribe', event_type: 'sms' }],
      ['an invalid target_url', 1020, { ...hookA, action: 'subscribe', target_url: 'nowhere' }],
      ['invalid headers', 1021, { ...hookA, action: 'subscribe', headers: 'Host: x' }],
      ['an invalid filter', 1022, { ...hookA, action: 'subscribe', event_filter: 'cel:(' }],
      ['an unknown ID', 1100, { action: 'unsubscribe', id: '2147483647' }],
    ])('an action error after authentication returns 200: %s', async (_what, code, form: Form) => {
      const { key } = await hookline.account()
      expectError(await create(key, form), 200, code)
    })

    test('several matches return 200', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, event_filter: '4915' })
      await create(key, { ...hookA, event_filter: '4916' })
      expectError(await create(key, { ...hookA, action: 'unsubscribe' }), 200, 1101)
    })

    test('an error before authentication keeps its status: a parameter with two values', async () => {
      const { key } = await hookline.account()
      const query = '?action=unsubscribe&id=1&id=2'
      expectError(await call(hooks + query, { method: 'POST', key }), 400, 1011)
    })

    test('a missing scope returns 403, so that credential checks do not pass', async () => {
      const { accountId } = await hookline.account()
      const { key } = await hookline.key(accountId, { scopes: ['hooks:read'] })
      expectError(await create(key, { ...hookA, action: 'subscribe' }), 403, 902)
    })

    test.each([
      ['no credential', {}],
      ['an unknown key', { 'x-api-key': 'hlk_unknown' }],
      ['an unknown token', { authorization: 'Bearer unknown' }],
    ])('an authentication error is 401 in both dialects: %s', async (_what, headers) => {
      for (const query of ['?action=read', '']) expectError(await call(hooks + query, { headers }), 401, 900)
      const form = { ...hookA, action: 'subscribe' }
      const byAction = await call(hooks, { method: 'POST', form, headers })
      expectError(byAction, 401, 900)
    })
  })
})
