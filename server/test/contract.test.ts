/**
 * The contract, sentence by sentence, against a started process over HTTP: first what spec.md says, in its order, then
 * what design.md decides where spec.md leaves it open.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type CallAnswer } from './call.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

type Form = Record<string, string>

const integer = expect.toSatisfy((value: unknown) => Number.isInteger(value))
const success = { success: true, code: null, id: integer, error_message: null }
const hookA: Form = { target_url: 'https://example.com/a', event_type: 'sms_mo' }
const listedA = {
  id: expect.stringMatching(/^[1-9]\d*$/),
  target_url: 'https://example.com/a',
  headers: '',
  event_type: 'sms_mo',
  event_filter: null,
  request_method: 'POST',
  enabled: true,
  created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
}

let world: TestWorld
let hooks: string

beforeAll(async () => {
  world = await startWorld()
  hooks = `${world.url}/api/hooks`
})
afterAll(() => world.close())

describe('the list', () => {
  test('the list is an object with success, code and hooks, and nothing else', async () => {
    const { key } = await world.account()
    const answer = await call(hooks, { key })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.json).toStrictEqual({ success: true, code: null, hooks: [] })
  })

  test('a listed webhook has exactly the eight fields of the contract', async () => {
    const { key } = await world.account()
    await create(key, hookA)
    const listed = (await call(hooks, { key })).json
    expect(listed).toStrictEqual({ success: true, code: null, hooks: [listedA] })
  })

  test('an id is a string in the list and an integer in create and delete answers', async () => {
    const { key } = await world.account()
    const created = await create(key, hookA)
    expect(created.text).toMatch(/"id":\d+[,}]/)
    expect((await call(hooks, { key })).text).toContain(`"id":"${created.json.id}"`)
    const deleted = await remove(key, { id: String(created.json.id) })
    expect(deleted.json.id).toBe(created.json.id)
  })

  test.each([
    'https://example.com/b?x=1&y=%7e',
    'HTTPS://EXAMPLE.com:443/A/../b/./c//',
    'https://example.com/?q=ü&text=👍#part',
    'https://example.com',
    'https://bücher.example.com/a b',
  ])('target_url is listed byte for byte as registered: %s', async (target_url) => {
    const { key } = await world.account()
    await create(key, { target_url, event_type: 'all' })
    expect(await list(key)).toEqual([expect.objectContaining({ target_url })])
  })

  test('several headers are listed with a line feed between them', async () => {
    const { key } = await world.account()
    await create(key, { ...hookA, headers: 'X-A: 1\nAuthorization: Bearer abc' })
    expect(await list(key)).toEqual([{ ...listedA, headers: 'X-A: 1\nAuthorization: Bearer abc' }])
  })

  test('event_filter is listed as given', async () => {
    const { key } = await world.account()
    await create(key, { ...hookA, event_filter: '+49 177 1783130, 0049151' })
    expect(await list(key)).toEqual([{ ...listedA, event_filter: '+49 177 1783130, 0049151' }])
  })

  test('a disabled webhook is still listed, with enabled false', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await world.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
    expect(await list(key)).toEqual([{ ...listedA, enabled: false }])
  })

  test('the list holds the webhooks of the account and of no other', async () => {
    const [first, second] = [await world.account(), await world.account()]
    await create(first.key, { ...hookA, target_url: 'https://example.com/first' })
    await create(second.key, { ...hookA, target_url: 'https://example.com/second' })
    expect(await list(first.key)).toEqual([{ ...listedA, target_url: 'https://example.com/first' }])
  })

  test('the list is in ascending order of ids, as numbers', async () => {
    const { key } = await world.account()
    await world.database.query('ALTER TABLE hooks ALTER COLUMN id RESTART WITH 9998')
    for (const name of ['z', 'y', 'x'])
      await create(key, { ...hookA, target_url: `https://example.com/${name}` })
    // A changed row moves to the end of the table.
    await world.database.query('UPDATE hooks SET enabled = false WHERE id = 9999')
    expect((await list(key)).map(({ id }) => id)).toEqual(['9998', '9999', '10000'])
  })

  test('created is the present time in UTC', async () => {
    const { key } = await world.account()
    const before = Date.now()
    await create(key, hookA)
    const after = Date.now()
    const [hook] = await list(key)
    const at = Date.parse(`${hook?.created.replace(' ', 'T')}Z`)
    // It has whole seconds.
    expect(at).toBeGreaterThan(before - 1_000)
    expect(at).toBeLessThanOrEqual(after)
  })

  describe('with another time zone', () => {
    let inBerlinZone: string
    beforeAll(async () => {
      inBerlinZone = `${(await world.startAnother({ TIME_ZONE: 'Europe/Berlin' })).url}/api/hooks`
    })

    test.each([
      ['2026-01-15T23:04:05.999Z', '2026-01-15 23:04:05', '2026-01-16 00:04:05'],
      ['2026-07-01T09:00:00.000Z', '2026-07-01 09:00:00', '2026-07-01 11:00:00'],
      ['2025-12-31T23:00:00.000Z', '2025-12-31 23:00:00', '2026-01-01 00:00:00'],
    ])('%s is created %s in UTC and %s with TIME_ZONE=Europe/Berlin', async (at, inUtc, inBerlin) => {
      const { key } = await world.account()
      const { id } = (await create(key, hookA)).json
      await world.database.query('UPDATE hooks SET created_at = $2 WHERE id = $1', [id, at])
      expect(await list(key)).toEqual([{ ...listedA, created: inUtc }])
      expect(await list(key, inBerlinZone)).toEqual([{ ...listedA, created: inBerlin }])
    })
  })
})

describe('registering', () => {
  test('a form-style body registers a webhook; the answer has success, code, id and error_message', async () => {
    const { key } = await world.account()
    const created = await create(key, hookA)
    expect(created.status).toBe(200)
    expect(created.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(created.json).toStrictEqual(success)
    expect(await list(key)).toEqual([{ ...listedA, id: String(created.json.id) }])
  })

  test.each(['target_url', 'event_type'])('%s is required', async (name) => {
    const { key } = await world.account()
    const { [name]: _left, ...form } = hookA
    const refused = await create(key, form)
    expectFailure(refused, 400, 1010)
    expect(refused.json.error_message).toContain(name)
    expect(await list(key)).toEqual([])
  })

  test.each(['all', 'rcs', 'sms_mo', 'dlr', 'voice_call', 'voice_status', 'voice_dtmf', 'tracking'])(
    'event_type can be %s',
    async (event_type) => {
      const { key } = await world.account()
      expect((await create(key, { ...hookA, event_type })).json).toEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, event_type }])
    },
  )

  test.each(['sms', 'voice', 'all,dlr', 'constructor'])('event_type cannot be %s', async (event_type) => {
    const { key } = await world.account()
    expectFailure(await create(key, { ...hookA, event_type }), 400, 1012)
    expect(await list(key)).toEqual([])
  })

  test('a webhook is registered for exactly one event type', async () => {
    const { key } = await world.account()
    const body = 'target_url=https://example.com/a&event_type=dlr&event_type=rcs'
    expectFailure(await call(hooks, { method: 'POST', key, body, headers: formHeaders }), 400, 1011)
    expect(await list(key)).toEqual([])
  })

  test.each(['POST', 'GET', 'JSON'])('request_method can be %s', async (request_method) => {
    const { key } = await world.account()
    expect((await create(key, { ...hookA, request_method })).json).toEqual(success)
    expect(await list(key)).toEqual([{ ...listedA, request_method }])
  })

  test.each(['PUT', 'POST,GET', 'form'])('request_method cannot be %s', async (request_method) => {
    const { key } = await world.account()
    expectFailure(await create(key, { ...hookA, request_method }), 400, 1012)
    expect(await list(key)).toEqual([])
  })

  test.each([
    ['post', 'POST'],
    ['Get', 'GET'],
    ['jSON', 'JSON'],
  ])('request_method %s is understood as %s', async (sent, request_method) => {
    const { key } = await world.account()
    await create(key, { ...hookA, request_method: sent })
    expect(await list(key)).toEqual([{ ...listedA, request_method }])
  })
})

describe('deleting', () => {
  test('by id', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await create(key, { ...hookA, target_url: 'https://example.com/kept' })
    const deleted = await remove(key, { id: String(id) })
    expect(deleted.status).toBe(200)
    expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
    expect(await list(key)).toEqual([{ ...listedA, target_url: 'https://example.com/kept' }])
  })

  test.each([
    ['text in JSON', (id: number) => ({ json: { id: String(id) } })],
    ['a number in JSON', (id: number) => ({ json: { id } })],
    ['text in a form', (id: number) => ({ form: { id: String(id) } })],
  ])('the id may be %s', async (_how, options) => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    const deleted = await call(hooks, { method: 'DELETE', key, ...options(id) })
    expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
  })

  test('by the target_url, event_type and request_method it was created with', async () => {
    const { key } = await world.account()
    const form = { ...hookA, request_method: 'JSON' }
    const { id } = (await create(key, form)).json
    await create(key, hookA)
    const deleted = await remove(key, form)
    expect(deleted.status).toBe(200)
    expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
    expect(await list(key)).toEqual([listedA])
  })

  test.each([
    ['target_url', 'https://example.com/A'],
    ['target_url', 'https://example.com/a/'],
    ['event_type', 'all'],
    ['request_method', 'GET'],
    ['event_filter', '4915'],
    ['headers', 'X-A: 1'],
  ])('a webhook is not deleted when %s is another: %s', async (name, value) => {
    const { key } = await world.account()
    await create(key, hookA)
    expectFailure(await remove(key, { ...hookA, [name]: value }), 404, 1100)
    expect(await list(key)).toEqual([listedA])
  })

  test('request_method is POST when it is left out, as in create', async () => {
    const { key } = await world.account()
    await create(key, { ...hookA, request_method: 'GET' })
    expectFailure(await remove(key, hookA), 404, 1100)
    const { id } = (await create(key, { ...hookA, request_method: 'post' })).json
    expect((await remove(key, hookA)).json.id).toBe(id)
  })

  test('without event_filter the webhook without one is meant', async () => {
    const { key } = await world.account()
    await create(key, { ...hookA, event_filter: '4915' })
    const { id } = (await create(key, hookA)).json
    await create(key, { ...hookA, event_filter: '4916' })
    expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
  })

  test('without event_filter the only match is meant when none is without one', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, { ...hookA, event_filter: '4915' })).json
    expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
  })

  test('without event_filter several matches are refused, naming their ids', async () => {
    const { key } = await world.account()
    const first = (await create(key, { ...hookA, event_filter: '4915' })).json.id
    const second = (await create(key, { ...hookA, event_filter: '4916' })).json.id
    await create(key, { ...hookA, event_filter: '4917', event_type: 'dlr' })
    const refused = await remove(key, hookA)
    expectFailure(refused, 409, 1101)
    expect(refused.json.error_message.match(/\d+/g)).toEqual([String(first), String(second)])
    expect(await list(key)).toHaveLength(3)
  })

  test('webhooks that differ in their headers alone are several matches too', async () => {
    const { key } = await world.account()
    const first = (await create(key, { ...hookA, headers: 'X-A: 1' })).json.id
    const second = (await create(key, { ...hookA, headers: 'X-A: 2' })).json.id
    const refused = await remove(key, hookA)
    expectFailure(refused, 409, 1101)
    expect(refused.json.error_message.match(/\d+/g)).toEqual([String(first), String(second)])
    expect((await remove(key, { ...hookA, headers: 'X-A: 2' })).json).toStrictEqual({
      ...success,
      id: second,
    })
  })

  test('with event_filter the webhook with that one is meant', async () => {
    const { key } = await world.account()
    await create(key, hookA)
    const { id } = (await create(key, { ...hookA, event_filter: '4915' })).json
    await create(key, { ...hookA, event_filter: '4916' })
    expect((await remove(key, { ...hookA, event_filter: '4915' })).json).toStrictEqual({ ...success, id })
  })

  test('a disabled webhook can be deleted', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await world.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
    expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
  })

  test.each(['2147483647', '2147483648', '9223372036854775808'])(
    'an unknown id is not found: %s',
    async (id) => {
      const { key } = await world.account()
      expectFailure(await remove(key, { id }), 404, 1100)
    },
  )

  test('a deleted webhook is not found again', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await remove(key, { id: String(id) })
    expectFailure(await remove(key, { id: String(id) }), 404, 1100)
  })

  test.each(['abc', '1.5', '1 OR 1=1'])('an id that is no number is refused: %s', async (id) => {
    const { key } = await world.account()
    expectFailure(await remove(key, { id }), 400, 1012)
  })

  test.each([
    ['nothing', {}],
    ['only the address', { target_url: 'https://example.com/a' }],
    ['only the type', { event_type: 'sms_mo' }],
    ['an empty id', { id: '' }],
  ])('%s does not say which webhook to delete', async (_what, form: Form) => {
    const { key } = await world.account()
    await create(key, hookA)
    expectFailure(await remove(key, form), 400, 1010)
    expect(await list(key)).toEqual([listedA])
  })
})

describe('credentials', () => {
  let account: TestAccount
  beforeAll(async () => {
    account = await world.account()
    await create(account.key, hookA)
  })

  test.each(['GET', 'POST', 'DELETE'])('every call needs credentials: %s', async (method) => {
    const { target_url = '', event_type = '' } = hookA
    const query = new URLSearchParams({ target_url, event_type }).toString()
    expectFailure(await call(`${hooks}?${query}`, { method }), 401, 900)
    expect(await list(account.key)).toEqual([listedA])
  })

  test.each([
    ['Authorization: basic <key>', ({ key }: TestAccount) => ({ authorization: `basic ${key}` })],
    ['Authorization: Basic <key>', ({ key }: TestAccount) => ({ authorization: `Basic ${key}` })],
    ['X-Api-Key: <key>', ({ key }: TestAccount) => ({ 'x-api-key': key })],
  ])('%s is accepted', async (_how, headers) => {
    const answer = await call(hooks, { headers: headers(account) })
    expect(answer.json).toEqual({ success: true, code: null, hooks: [listedA] })
    expect(answer.headers.get('deprecation')).toBeNull()
  })

  test('the key in the Basic scheme is not encoded in Base64', async () => {
    const encoded = Buffer.from(account.key).toString('base64')
    expectFailure(await call(hooks, { headers: { authorization: `Basic ${encoded}` } }), 401, 900)
  })

  test('a bearer token that nobody was given is refused', async () => {
    expectFailure(await call(hooks, { headers: { authorization: 'Bearer nobody-was-given-this' } }), 401, 900)
  })

  test.each([
    ['p = <key>', ({ key }: TestAccount) => ({ p: key })],
    ['u = <alias>, p = <password>', ({ alias, password }: TestAccount) => ({ u: alias, p: password })],
    ['u = <e-mail>, p = <password>', ({ email, password }: TestAccount) => ({ u: email, p: password })],
    ['u beside p = <key>', ({ alias, key }: TestAccount) => ({ u: alias, p: key })],
  ])('%s is accepted as GET and POST parameters, and answered as deprecated', async (_how, credential) => {
    const form = credential(account)
    const byGet = await call(`${hooks}?${new URLSearchParams(form).toString()}`)
    const byPost = await create(undefined, { ...form, ...hookA })
    expect(byGet.json).toEqual({ success: true, code: null, hooks: [listedA] })
    expect(byPost.json).toEqual(success)
    for (const answer of [byGet, byPost]) {
      // RFC 9745: an instant in seconds.
      expect(answer.headers.get('deprecation')).toMatch(/^@\d{10}$/)
      expect(answer.headers.get('link')).toMatch(/rel="deprecation"/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each([
    ['the password without u', ({ password }: TestAccount) => ({ p: password })],
    ['u without p', ({ alias }: TestAccount) => ({ u: alias })],
    ['a wrong password', ({ alias }: TestAccount) => ({ u: alias, p: 'not the password' })],
    ['an unknown login', ({ password }: TestAccount) => ({ u: 'nobody', p: password })],
    ['an unknown key', () => ({ p: 'hlk_unknown' })],
  ])('%s is not accepted', async (_what, credential) => {
    expectFailure(await create(undefined, { ...credential(account), ...hookA }), 401, 900)
  })

  test('the signature of a request is ignored', async () => {
    const headers = { 'x-signature': '0'.repeat(64), 'x-timestamp': '1', 'x-nonce': 'n'.repeat(32) }
    const answer = await call(hooks, { key: account.key, headers })
    expect(answer.json).toEqual({ success: true, code: null, hooks: [listedA] })
  })
})

describe('failures', () => {
  test.each([
    'not an address',
    'example.com/no-scheme',
    'http://',
    'https://exa mple.com/',
    'ftp://example.com/',
    'https://example.com:port/',
  ])('a malformed address is answered with "Invalid URL": %s', async (target_url) => {
    const { key } = await world.account()
    const refused = await create(key, { ...hookA, target_url })
    expect(refused.status).toBe(400)
    expect(refused.json).toStrictEqual({ success: false, code: 1020, error_message: 'Invalid URL' })
  })

  test('a key that may only read is refused with 403 where it would change something', async () => {
    const { accountId, key } = await world.account()
    const { id } = (await create(key, hookA)).json
    const reader = await world.key(accountId, { scopes: ['hooks:read'] })
    expectFailure(await create(reader.key, { ...hookA, event_type: 'dlr' }), 403, 902)
    expectFailure(await remove(reader.key, { id: String(id) }), 403, 902)
    expect(await list(reader.key)).toEqual([listedA])
  })

  test.each([
    ['malformed JSON', 400, 1000, { headers: { 'content-type': 'application/json' }, body: '{"id":' }],
    ['JSON that is no object', 400, 1000, { json: ['id'] }],
    ['half a percent sign', 400, 1000, { headers: { 'content-type': formType }, body: 'id=%E' }],
    ['no parameters but a text', 415, 1002, { headers: { 'content-type': 'text/plain' }, body: 'id=1' }],
    ['a body of 200 kB', 413, 1001, { form: { unknown: 'x'.repeat(200_000) } }],
  ])('%s is answered with %d and the envelope', async (_what, status, code, options) => {
    const { key } = await world.account()
    expectFailure(await call(hooks, { method: 'POST', key, ...options }), status, code)
  })

  test('what breaks on our side is answered with 500 and the envelope, and says nothing of itself', async () => {
    const { accountId, key } = await world.account()
    await breakVersions(accountId)
    const broken = await create(key, { ...hookA, headers: 'Authorization: secret' })
    expectFailure(broken, 500, 1300)
    expect(broken.text).not.toMatch(/hook_versions|planted|secret/)
  })

  test.each(['/api', '/api/', '/api/sms', '/api/hooks/', '/api/hooks/1/2', '/api/nothing/here?p='])(
    'an unknown path under /api authenticates first and is then not found: %s',
    async (path) => {
      const { key } = await world.account()
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        expectFailure(await call(world.url + path, { method }), 401, 900)
        expectFailure(await call(world.url + path, { method, key }), 404, 1110)
      }
    },
  )
})

describe('parameters', () => {
  test('are read from query, form body and JSON body together', async () => {
    const { key } = await world.account()
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
      { headers: { 'content-type': 'application/json' }, body: '{"event_type":"dlr","event_type":"sms_mo"}' },
    ],
  ])('the same name with different values is an error: %s', async (_where, query, options) => {
    const { key } = await world.account()
    const refused = await call(hooks + query, { method: 'POST', key, ...options })
    expectFailure(refused, 400, 1011)
    expect(refused.json.error_message).toContain('event_type')
    expect(await list(key)).toEqual([])
  })

  test('the same name with one value is no error', async () => {
    const { key } = await world.account()
    const query = '?event_type=sms_mo&event_type=sms_mo&request_method='
    const created = await call(hooks + query, { method: 'POST', key, form: hookA })
    expect(created.json).toEqual(success)
  })

  test.each([
    ['empty in a form', { form: { ...hookA, event_filter: '', request_method: '', headers: '' } }],
    ['null in a form', { form: { ...hookA, event_filter: 'null', request_method: 'null', headers: 'null' } }],
    ['empty in JSON', { json: { ...hookA, event_filter: '', request_method: '', headers: '' } }],
    ['null in JSON', { json: { ...hookA, event_filter: null, request_method: null, headers: null } }],
  ])('%s means not set', async (_how, options) => {
    const { key } = await world.account()
    expect((await call(hooks, { method: 'POST', key, ...options })).json).toEqual(success)
    expect(await list(key)).toEqual([listedA])
  })

  test.each([
    ['', 1010],
    ['null', 1010],
  ])('a required parameter that is "%s" in a form is missing', async (target_url, code) => {
    const { key } = await world.account()
    expectFailure(await create(key, { ...hookA, target_url }), 400, code)
  })

  test('the text "null" in JSON is a text like any other', async () => {
    const { key } = await world.account()
    await call(hooks, { method: 'POST', key, json: { ...hookA, event_filter: 'null' } })
    expect(await list(key)).toEqual([{ ...listedA, event_filter: 'null' }])
  })

  test.each([
    ['a form', { form: { ...hookA, sentWith: 'js', json: '1', enabled: '0', Event_Type: 'dlr' } }],
    ['JSON', { json: { ...hookA, sendwith: { deep: [1] }, json: true, id: 1, constructor: null } }],
  ])('unknown names are ignored in %s', async (_where, options) => {
    const { key } = await world.account()
    const query = '?sentWith=a&sentWith=b&__proto__=x&toString=1'
    expect((await call(hooks + query, { method: 'POST', key, ...options })).json).toEqual(success)
    expect(await list(key)).toEqual([listedA])
  })

  test('a DELETE with a JSON content type and no body is read', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    const headers = { 'content-type': 'application/json' }
    const deleted = await call(`${hooks}?id=${id}`, { method: 'DELETE', key, headers })
    expect(deleted.json).toStrictEqual({ ...success, id })
  })
})

describe('action', () => {
  test.each(['POST', 'DELETE'])('read, subscribe and unsubscribe override %s', async (method) => {
    const { key } = await world.account()
    const act = (form: Form) => call(hooks, { method, key, form })
    const created = await act({ ...hookA, action: 'subscribe' })
    expect(created.json).toStrictEqual(success)
    const { id } = created.json
    expect((await act({ action: 'read' })).json).toStrictEqual({
      success: true,
      code: null,
      hooks: [listedA],
    })
    expect((await act({ action: 'unsubscribe', id: String(id) })).json).toStrictEqual({ ...success, id })
    expect(await list(key)).toEqual([])
  })

  test.each(['subscribe', 'unsubscribe', 'read', 'nonsense'])(
    'a GET only ever reads, also with action=%s',
    async (action) => {
      const { key } = await world.account()
      const { id } = (await create(key, hookA)).json
      const target_url = 'https://example.com/never'
      const query = new URLSearchParams({ action, id: String(id), target_url, event_type: 'dlr' })
      const answer = await call(`${hooks}?${query.toString()}`, { key })
      expect(answer.json).toStrictEqual({ success: true, code: null, hooks: [listedA] })
      expect(await list(key)).toEqual([listedA])
    },
  )

  test('an unknown action does nothing and says so', async () => {
    const { key } = await world.account()
    const refused = await create(key, { ...hookA, action: 'update' })
    expect(refused.json).toStrictEqual({ success: false, code: 1012, error_message: expect.any(String) })
    expect(await list(key)).toEqual([])
  })

  test.each([
    ['a missing parameter', 1010, { action: 'subscribe', event_type: 'dlr' }],
    ['an invalid parameter', 1012, { ...hookA, action: 'subscribe', event_type: 'sms' }],
    ['an invalid address', 1020, { ...hookA, action: 'subscribe', target_url: 'nowhere' }],
    ['invalid headers', 1021, { ...hookA, action: 'subscribe', headers: 'Host: x' }],
    ['an invalid filter', 1022, { ...hookA, action: 'subscribe', event_filter: 'cel:(' }],
    ['an unknown id', 1100, { action: 'unsubscribe', id: '2147483647' }],
  ])('a failure after authentication is answered with 200: %s', async (_what, code, form: Form) => {
    const { key } = await world.account()
    expectFailure(await create(key, form), 200, code)
  })

  test('several matches are answered with 200', async () => {
    const { key } = await world.account()
    await create(key, { ...hookA, event_filter: '4915' })
    await create(key, { ...hookA, event_filter: '4916' })
    expectFailure(await create(key, { ...hookA, action: 'unsubscribe' }), 200, 1101)
  })

  test('what fails before authentication keeps its status: a parameter with two values', async () => {
    const { key } = await world.account()
    const query = '?action=unsubscribe&id=1&id=2'
    expectFailure(await call(hooks + query, { method: 'POST', key }), 400, 1011)
  })

  test('a call that the key may not make keeps its status: a credential test must not read "fine"', async () => {
    const { accountId } = await world.account()
    const { key } = await world.key(accountId, { scopes: ['hooks:read'] })
    expectFailure(await create(key, { ...hookA, action: 'subscribe' }), 403, 902)
  })

  test.each([
    ['no credential', {}],
    ['an unknown key', { 'x-api-key': 'hlk_unknown' }],
    ['an unknown token', { authorization: 'Bearer unknown' }],
  ])('an authentication failure is 401 in both dialects: %s', async (_what, headers) => {
    for (const query of ['?action=read', ''])
      expectFailure(await call(hooks + query, { headers: headers }), 401, 900)
    const form = { ...hookA, action: 'subscribe' }
    const byAction = await call(hooks, { method: 'POST', form, headers: headers })
    expectFailure(byAction, 401, 900)
  })
})

describe('the same webhook twice', () => {
  const five = {
    target_url: 'https://example.com/five',
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: '4915',
    headers: 'X-A: 1',
  }

  test('the same five values answer with the existing id', async () => {
    const { key } = await world.account()
    const first = await create(key, five)
    const second = await call(hooks, { method: 'POST', key, json: five })
    expect(second.status).toBe(200)
    expect(second.json).toStrictEqual({ ...success, id: first.json.id })
    expect(await list(key)).toHaveLength(1)
  })

  test.each([
    ['target_url', 'https://example.com/Five'],
    ['target_url', 'https://EXAMPLE.com/five'],
    ['event_type', 'all'],
    ['request_method', 'POST'],
    ['event_filter', '04915'],
    ['event_filter', ''],
    ['headers', 'X-A: 2'],
    ['headers', 'X-A: 1\nX-B: 2'],
    ['headers', ''],
  ])('another %s makes another webhook: "%s"', async (name, value) => {
    const { key } = await world.account()
    const first = await create(key, five)
    const second = await create(key, { ...five, [name]: value })
    expect(second.json).toEqual(success)
    expect((await list(key)).map(({ id }) => id)).toEqual([String(first.json.id), String(second.json.id)])
  })

  test('a disabled webhook is enabled again', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await world.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
    expect((await create(key, hookA)).json).toStrictEqual({ ...success, id })
    expect(await list(key)).toEqual([{ ...listedA, id: String(id), enabled: true }])
  })

  test('a webhook that was deleted gets a new id', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    await remove(key, { id: String(id) })
    expect((await create(key, hookA)).json.id).toBeGreaterThan(id)
  })
})

describe('event_filter', () => {
  test.each(['cel:data.sender.startsWith("49")', 'cel:event.type == "sms_mo"', 'agent one,agent two'])(
    'a filter is listed as given: %s',
    async (event_filter) => {
      const { key } = await world.account()
      expect((await create(key, { ...hookA, event_filter })).json).toEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, event_filter }])
    },
  )

  test.each([
    ['does not compile', 'cel:data.sender =='],
    ['is empty', 'cel:'],
    ['knows a name that does not exist', 'cel:account.id == 1'],
    ['does not answer true or false', 'cel:"text"'],
  ])('an expression that %s is refused when it is saved', async (_what, event_filter) => {
    const { key } = await world.account()
    expectFailure(await create(key, { ...hookA, event_filter }), 400, 1022)
    expect(await list(key)).toEqual([])
  })

  test.each(['dlr', 'voice_status', 'tracking'])(
    'saving a number to compare warns where the type never has one: %s',
    async (event_type) => {
      const { key } = await world.account()
      const created = await create(key, { ...hookA, event_type, event_filter: '4915' })
      expect(created.json).toEqual(success)
      expect(created.headers.get('x-hookline-warning')).toContain(event_type)
    },
  )

  test.each(['all', 'rcs', 'sms_mo', 'voice_call', 'voice_dtmf'])(
    'saving a number to compare does not warn where the type has one: %s',
    async (event_type) => {
      const { key } = await world.account()
      const created = await create(key, { ...hookA, event_type, event_filter: '4915' })
      expect(created.headers.get('x-hookline-warning')).toBeNull()
    },
  )
})

describe('limits', () => {
  const base = 'https://example.com/'

  test.each([
    ['an address of 2,048 bytes', { target_url: base.padEnd(2048, 'a') }],
    ['a filter of 1,024 bytes', { event_filter: '4'.repeat(1024) }],
    ['32 headers', { headers: manyHeaders(32) }],
    ['a header name of 256 bytes', { headers: `${'a'.repeat(256)}: 1` }],
    ['a header value of 4,096 bytes', { headers: `X-A: ${'a'.repeat(4096)}` }],
    ['headers of 8,192 bytes', { headers: headersOf(8192) }],
  ])('%s is accepted and listed in full', async (_what, given: Form) => {
    const { key } = await world.account()
    expect((await create(key, { ...hookA, ...given })).json).toEqual(success)
    expect(await list(key)).toEqual([{ ...listedA, ...given }])
  })

  test.each([
    ['an address of 2,049 bytes', 1020, { target_url: base.padEnd(2049, 'a') }],
    ['an address of fewer characters but 2,050 bytes', 1020, { target_url: base.padEnd(1035, 'ü') }],
    ['a filter of 1,025 bytes', 1022, { event_filter: '4'.repeat(1025) }],
    ['a filter of fewer characters but 1,026 bytes', 1022, { event_filter: 'ü'.repeat(513) }],
    ['33 headers', 1021, { headers: manyHeaders(33) }],
    ['a header name of 257 bytes', 1021, { headers: `${'a'.repeat(257)}: 1` }],
    ['a header value of 4,097 bytes', 1021, { headers: `X-A: ${'a'.repeat(4097)}` }],
    ['headers of 8,193 bytes', 1021, { headers: headersOf(8193) }],
  ])('%s is refused', async (_what, code, given: Form) => {
    const { key } = await world.account()
    expectFailure(await create(key, { ...hookA, ...given }), 400, code)
    expect(await list(key)).toEqual([])
  })

  describe('that are settings', () => {
    let smallHooks: string
    beforeAll(async () => {
      const small = await world.startAnother({
        HOOKS_PER_ACCOUNT: '2',
        MAX_URL_BYTES: '30',
        MAX_FILTER_BYTES: '3',
        MAX_HEADERS: '1',
        MAX_HEADER_NAME_BYTES: '4',
        MAX_HEADER_VALUE_BYTES: '5',
        MAX_HEADERS_BYTES: '10',
      })
      smallHooks = `${small.url}/api/hooks`
    })

    test('an account at its limit can repeat and delete webhooks but not add one', async () => {
      const { key } = await world.account()
      const second = { ...hookA, event_type: 'dlr' }
      const third = { ...hookA, event_type: 'rcs' }
      const { id } = (await create(key, hookA, smallHooks)).json
      await create(key, second, smallHooks)
      expectFailure(await create(key, third, smallHooks), 409, 1201)
      expectFailure(await create(key, { ...third, action: 'subscribe' }, smallHooks), 200, 1201)

      await world.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
      expect((await create(key, hookA, smallHooks)).json).toStrictEqual({ ...success, id })
      await remove(key, second)
      expect((await create(key, third, smallHooks)).json).toEqual(success)
      expect((await list(key)).map((hook) => hook.event_type)).toEqual(['sms_mo', 'rcs'])
    })

    test.each([
      ['an address', 1020, { target_url: 'https://example.com/'.padEnd(31, 'a') }],
      ['a filter', 1022, { event_filter: '4915' }],
      ['the number of headers', 1021, { headers: 'A: 1\nB: 2' }],
      ['the name of a header', 1021, { headers: 'X-A-B: 1' }],
      ['the value of a header', 1021, { headers: 'A: 123456' }],
      ['all headers', 1021, { headers: 'ABCD:  12345' }],
    ])('%s can be limited more tightly', async (_what, code, given: Form) => {
      const { key } = await world.account()
      expectFailure(await create(key, { ...hookA, ...given }, smallHooks), 400, code)
      expect((await create(key, { ...hookA, ...given })).json).toEqual(success)
    })
  })

  describe('of calls', () => {
    let slow: string
    beforeAll(async () => {
      slow = (await world.startAnother({ CALLS_PER_MINUTE: '3' })).url
    })

    test('an account has a number of calls in a minute, told in every answer, and then 429', async () => {
      const [{ key }, other] = [await world.account(), await world.account()]
      const url = `${slow}/api/hooks`
      await earlyInTheMinute()
      const answers = [
        await call(url, { key }),
        await create(key, { ...hookA, target_url: 'nowhere' }, url),
        await call(`${slow}/api/unknown`, { key }),
        await create(key, hookA, url),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 429])
      for (const [place, { headers }] of answers.entries()) {
        const remaining = ['2', '1', '0', '0'][place]
        expect(headers.get('x-ratelimit-limit')).toBe('3')
        expect(headers.get('x-ratelimit-remaining')).toBe(remaining)
        expect(headers.get('ratelimit-policy')).toBe('"account";q=3;w=60')
        expect(headers.get('ratelimit')).toMatch(new RegExp(`^"account";r=${remaining};t=\\d+$`))
      }
      const [, , , refused] = answers
      expect(refused?.json).toStrictEqual({ success: false, code: 1200, error_message: expect.any(String) })
      expect(Number(refused?.headers.get('retry-after'))).toSatisfy((wait: number) => wait >= 1 && wait <= 60)

      expect((await call(url, { key: other.key })).status).toBe(200)
      expect(await list(key)).toEqual([])
    })

    test('a call above the limit is 429 in the action dialect too', async () => {
      const { key } = await world.account()
      const url = `${slow}/api/hooks?action=read`
      await earlyInTheMinute()
      for (let made = 0; made < 3; made++) await call(url, { key })
      expectFailure(await call(url, { key }), 429, 1200)
    })

    test('a caller above the limit is refused by its credential, without the database', async () => {
      const [{ key }, other] = [await world.account(), await world.account()]
      const url = `${slow}/api/hooks`
      await earlyInTheMinute()
      for (let made = 0; made < 4; made++) await call(url, { key })
      await world.database.query('BEGIN')
      await world.database.query('LOCK TABLE keys, call_counts IN ACCESS EXCLUSIVE MODE')
      try {
        const refused = await call(url, { key })
        expectFailure(refused, 429, 1200)
        expect(refused.headers.get('ratelimit')).toMatch(/^"account";r=0;t=\d+$/)
        expect(Number(refused.headers.get('retry-after'))).toSatisfy((wait: number) => wait > 0 && wait <= 60)
        // Everybody else is looked up, and so waits for the lock.
        const waits = await Promise.race([call(url, { key: other.key }), sleep(500, 'waits')])
        expect(waits).toBe('waits')
      } finally {
        await world.database.query('ROLLBACK')
      }
    })
  })
})

describe('every change', () => {
  test('raises hooks_version and appends the version, in one transaction', async () => {
    const { accountId, key } = await world.account()
    const filtered = { ...hookA, event_filter: '4915', headers: 'X-A: 1' }
    const { id } = (await create(key, filtered)).json
    expect(await lastChange(accountId)).toEqual({ change: 'created', enabled: true, inOneCommit: true })
    expect(await hooksVersion(accountId)).toBe(1)

    await world.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
    await create(key, filtered)
    expect(await lastChange(accountId)).toEqual({ change: 'enabled', enabled: true, inOneCommit: true })
    expect(await hooksVersion(accountId)).toBe(2)

    await remove(key, { id: String(id) })
    expect(await lastChange(accountId)).toEqual({ change: 'deleted', enabled: true, inOneCommit: true })
    expect(await hooksVersion(accountId)).toBe(3)

    await create(key, { ...hookA, action: 'subscribe' })
    await create(key, { ...hookA, action: 'unsubscribe' })
    expect((await versions(accountId)).map(({ change, version }) => `${version} ${change}`)).toEqual([
      '1 created',
      '2 enabled',
      '3 deleted',
      '4 created',
      '5 deleted',
    ])
  })

  test('keeps who made it and what the webhook was', async () => {
    const { accountId, key, keyId, loginId, alias, password } = await world.account()
    const { id } = (await create(key, { ...hookA, event_filter: '4915', request_method: 'JSON' })).json
    await create(undefined, { u: alias, p: password, action: 'unsubscribe', id: String(id) })
    const shape = {
      hook_id: id,
      target_url: 'https://example.com/a',
      event_type: 'sms_mo',
      request_method: 'JSON',
      event_filter: '4915',
    }
    expect(await versions(accountId)).toEqual([
      { ...shape, version: 1, change: 'created', actor: `key:${keyId}` },
      { ...shape, version: 2, change: 'deleted', actor: `login:${loginId}` },
    ])
  })

  test('a call that fails or changes nothing leaves no trace', async () => {
    const { accountId, key } = await world.account()
    await create(key, { ...hookA, event_filter: '1' })
    await create(key, { ...hookA, event_filter: '2' })

    expectFailure(await create(key, { ...hookA, target_url: 'nowhere' }), 400, 1020)
    expectFailure(await create(key, { ...hookA, headers: 'Host: x' }), 400, 1021)
    expectFailure(await remove(key, { id: '2147483647' }), 404, 1100)
    expectFailure(await remove(key, hookA), 409, 1101)
    expectFailure(await remove(key, { ...hookA, event_type: 'dlr' }), 404, 1100)
    expect((await create(key, { ...hookA, event_filter: '2' })).json).toEqual(success)
    await list(key)

    expect(await hooksVersion(accountId)).toBe(2)
    expect((await versions(accountId)).map(({ change }) => change)).toEqual(['created', 'created'])
  })

  test('is undone as a whole when one part of it fails', async () => {
    const { accountId, key } = await world.account()
    await create(key, hookA)
    await breakVersions(accountId)
    expectFailure(await create(key, { ...hookA, event_type: 'dlr' }), 500, 1300)
    expectFailure(await remove(key, hookA), 500, 1300)
    expect(await list(key)).toEqual([listedA])
    expect(await hooksVersion(accountId)).toBe(1)
  })
})

describe('two processes at once', () => {
  let both: string[]
  beforeAll(async () => {
    both = [hooks, `${(await world.startAnother()).url}/api/hooks`]
  })

  test('the same webhook gets one id', async () => {
    const { accountId, key } = await world.account()
    const answers = await Promise.all(
      Array.from({ length: 10 }).flatMap(() => both.map((url) => create(key, hookA, url))),
    )
    const id = answers[0]?.json.id
    expect(answers).toHaveLength(20)
    for (const { json } of answers) expect(json).toStrictEqual({ ...success, id })
    expect(await list(key)).toEqual([{ ...listedA, id: String(id) }])
    expect((await versions(accountId)).map(({ change }) => change)).toEqual(['created'])
  })

  test('an account gets 100 webhooks and never more', async () => {
    const { accountId, key } = await world.account()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        both.map((url, side) =>
          create(key, { ...hookA, target_url: `https://example.com/${n}/${side}` }, url),
        ),
      ).flat(),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(20)
    for (const answer of refused) expectFailure(answer, 409, 1201)
    expect(await list(key)).toHaveLength(100)
    expect(await hooksVersion(accountId)).toBe(100)
  })

  test('a webhook is deleted once', async () => {
    const { key } = await world.account()
    const { id } = (await create(key, hookA)).json
    const answers = await Promise.all(
      Array.from({ length: 5 }).flatMap(() => both.map((url) => remove(key, { id: String(id) }, url))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
  })

  test('what one process has answered, the other lists', async () => {
    const { key } = await world.account()
    await create(key, hookA, both[0])
    expect(await list(key, both[1])).toEqual([listedA])
    await remove(key, hookA, both[1])
    expect(await list(key, both[0])).toEqual([])
  })
})

const formType = 'application/x-www-form-urlencoded'
const formHeaders = { 'content-type': formType }

function create(key: string | undefined, form: Form, url = hooks): Promise<CallAnswer> {
  return call(url, { method: 'POST', ...(key !== undefined && { key }), form })
}

function remove(key: string, form: Form, url = hooks): Promise<CallAnswer> {
  return call(url, { method: 'DELETE', key, form })
}

async function list(
  key: string,
  url = hooks,
): Promise<Array<Record<'id' | 'created' | 'event_type', string>>> {
  return (await call(url, { key })).json.hooks
}

/** A failure has these three fields, and so neither `id` nor `hooks`. */
function expectFailure(answer: CallAnswer, status: number, code: number): void {
  expect(answer.json).toStrictEqual({
    success: false,
    code,
    error_message: expect.stringMatching(/^[A-Z]/),
  })
  expect(answer.status).toBe(status)
}

async function hooksVersion(accountId: number): Promise<number> {
  const sql = 'SELECT hooks_version::integer AS version FROM accounts WHERE id = $1'
  const [row] = await world.database.query<{ version: number }>(sql, [accountId])
  return row?.version ?? -1
}

function versions(accountId: number) {
  return world.database.query<{ version: number; change: string }>(
    `SELECT hook_id, version::integer, change, actor, target_url, event_type, request_method, event_filter
     FROM hook_versions WHERE account_id = $1 ORDER BY version`,
    [accountId],
  )
}

/** Rows that were written by one transaction carry its number. */
async function lastChange(accountId: number): Promise<unknown> {
  const [row] = await world.database.query(
    `SELECT change, enabled, hook_versions.xmin = accounts.xmin AS "inOneCommit"
     FROM hook_versions JOIN accounts ON accounts.id = account_id AND hooks_version = version
     WHERE account_id = $1`,
    [accountId],
  )
  return row
}

/** From now on nothing can be appended to the versions of this account. */
async function breakVersions(accountId: number): Promise<void> {
  await world.database.query(`
    CREATE OR REPLACE FUNCTION planted_${accountId}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'planted'; END $$;
    CREATE TRIGGER planted_${accountId} BEFORE INSERT ON hook_versions FOR EACH ROW
      WHEN (NEW.account_id = ${accountId}) EXECUTE FUNCTION planted_${accountId}();
  `)
}

/** Calls are counted by the minute of the database's clock: this leaves ten seconds for a few of them. */
async function earlyInTheMinute(): Promise<void> {
  const sql = 'SELECT 60 - extract(second FROM clock_timestamp())::float AS left'
  const [row] = await world.database.query<{ left: number }>(sql)
  const left = row?.left ?? 60
  if (left < 10) await new Promise((resolve) => setTimeout(resolve, left * 1000 + 100))
}

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, n) => `X-${n}: 1`).join('\n')
}

/** Three lines, each within its own limit. */
function headersOf(bytes: number): string {
  return `X-A: ${'a'.repeat(4000)}\nX-B: ${'b'.repeat(4000)}\nX-C: ${'c'.repeat(bytes - 8017)}`
}
