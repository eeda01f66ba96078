/** Errors name the parameter at fault and carry data, so that clients need not parse messages. The fixed contract stays as it is. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { call } from '../support/http-call.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount
let user: SignedIn

beforeAll(async () => {
  hookline = await startDashboardService({ SELF_REGISTRATION: 'true' })
  account = await hookline.account()
  user = await signIn(hookline.url, account)
})
afterAll(() => hookline.close())

const key = { name: 'a', scopes: ['hooks:read'] }
const app = { name: 'Example', is_public: false, redirect_uris: ['https://example.com/callback'] }
const registration = {
  account_name: 'Example',
  alias: 'example',
  email: 'example@example.com',
  password: 'a long password',
}

test.each<[string, object, string]>([
  ['/api/keys', { ...key, name: undefined }, 'name'],
  ['/api/keys', { ...key, scopes: ['nothing'] }, 'scopes'],
  ['/api/keys', { ...key, expires_at: 'tomorrow' }, 'expires_at'],
  ['/api/keys', { ...key, allowed_ips: ['300.0.0.1'] }, 'allowed_ips'],
  ['/api/keys', { ...key, name: 'a\u0000' }, 'name'],
  ['/api/apps', { ...app, name: '' }, 'name'],
  ['/api/apps', { ...app, redirect_uris: [] }, 'redirect_uris'],
  ['/api/apps', { ...app, redirect_uris: ['http://example.com'] }, 'redirect_uris'],
  ['/api/registration', { ...registration, alias: '!' }, 'alias'],
  ['/api/registration', { ...registration, email: 'nowhere' }, 'email'],
  ['/api/registration', { ...registration, password: 'short' }, 'password'],
])('POST %s with %j names the parameter %s', async (path, json, field) => {
  const { status, json: body } = await user.call(path, { method: 'POST', json })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    success: false,
    code: expect.any(Number),
    error_message: expect.any(String),
    field,
  })
})

test.each<[string, string, object | undefined, object]>([
  [
    'GET',
    '/api/events?type=call',
    undefined,
    {
      allowed: [
        'rcs',
        'sms_mo',
        'dlr',
        'voice_call',
        'voice_status',
        'voice_dtmf',
        'tracking',
        'wa_mo',
        'webhook.failing',
        'webhook.recovered',
        'webhook.disabled',
        'delivery.lost',
        'delivery.expiring',
        'certificate.expiring',
        'key.expiring',
      ],
    },
  ],
  ['GET', '/api/events?status=1000', undefined, { max: 999 }],
  ['GET', `/api/events?q=${'a'.repeat(257)}`, undefined, { max: 256 }],
  ['POST', '/api/overview', {}, { allowed: ['GET'] }],
  ['GET', '/api/events?reason=invalid_answer', undefined, { allowed: expect.arrayContaining(['timeout']) }],
])('%s %.30s describes valid values', async (method, path, json, details) => {
  const { json: body } = await user.call(path, { method, ...(json && { json }) })
  expect(body).toMatchObject({ success: false, details })
})

test('a reached limit and a conflicting webhook are data', async () => {
  const owner = await hookline.account()
  const browser = await signIn(hookline.url, owner)
  const post = async (path: string, json: object) => (await browser.call(path, { method: 'POST', json })).json
  const hook = { target_url: 'https://example.com/1', event_type: 'sms_mo', request_method: 'JSON' }
  const { id } = await post('/api/hooks', hook)
  const other = await post('/api/hooks', { ...hook, target_url: 'https://example.com/2' })
  expect(await post(`/api/hooks/${other.id}`, hook)).toMatchObject({ code: 1103, details: { ids: [id] } })
  for (let count = 0; count < 100; count += 1) await post('/api/apps', { ...app, name: `App ${count}` })
  expect(await post('/api/apps', app)).toMatchObject({ code: 1204, details: { limit: 100 } })
})

test('an error without a parameter has no field', async () => {
  const { json } = await call(`${hookline.url}/api/keys`)
  expect(Object.keys(json)).toEqual(['success', 'code', 'error_message'])
})

test('errors of the contract have exactly the fields of the contract', async () => {
  const form = { event_type: 'unknown', target_url: 'https://example.com' }
  for (const [method, path] of [
    ['POST', '/api/hooks'],
    ['PUT', '/api/hooks'],
    ['POST', '/api/%68ooks'],
  ] as const) {
    const { json } = await call(`${hookline.url}${path}`, { method, key: account.key, form })
    expect(json.success).toBe(false)
    expect(Object.keys(json)).toEqual(['success', 'code', 'error_message'])
  }
})

test('errors of the contract stay the same for a request target with a fragment', async () => {
  const { hostname, port } = new URL(hookline.url)
  const head = `POST /api/hooks#f HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${account.key}\r\nconnection: close\r\n`
  const response = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(`${head}content-length: 0\r\n\r\n`))
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('close', () => resolve(text))
  })
  expect(Object.keys(JSON.parse(response.split('\r\n\r\n')[1] ?? ''))).toEqual([
    'success',
    'code',
    'error_message',
  ])
})

test.each([
  ['/api/events?hook_id=99999999999999999999', 'must be a number from 1 to 2147483647.'],
  ['/api/events?limit=many', 'must be'],
])('%s is rejected without a wrong max', async (path, message) => {
  const { json: body } = await user.call(path)
  expect(body).toMatchObject({ code: 1012, error_message: expect.stringContaining(message) })
  expect(body.error_message).not.toMatch(/Invalid input|expected|NaN/)
  expect(body.details).toBeUndefined()
})

test('an unknown field of a selection is named, shortened', async () => {
  const selection = { search: { ['x'.repeat(60_000)]: 1 } }
  const { json: body } = await user.call('/api/replays/count', { method: 'POST', json: { selection } })
  expect(body.code).toBe(1012)
  expect(body.error_message.length).toBeLessThan(500)
})
