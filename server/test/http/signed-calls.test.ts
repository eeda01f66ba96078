/** Signed calls: `X-Signature`, `X-Timestamp` and `X-Nonce`, verified if sent, and required by keys and accounts. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setSignedCallsRequired } from '../../src/identity/accounts/accounts.ts'
import { connect, openBrowser, registerApp } from '../support/oauth-client.ts'
import { call, type CallOptions, type CallResponse } from '../support/http-call.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount
let signingKey: string

beforeAll(async () => {
  hookline = await startDashboardService({
    TRUSTED_PROXIES: '127.0.0.1',
    OWN_HOSTS: 'gateway.example',
  })
})
afterAll(() => hookline.close())
beforeEach(async () => {
  account = await hookline.account()
  const viewed = await call(`${hookline.url}/api/signing-key/view`, { method: 'POST', key: account.key })
  signingKey = viewed.json.signing_key
})

interface Signed {
  timestamp?: number | string
  nonce?: string
  method?: string
  /** The URL that is signed, if it is not the one that is called. */
  url?: string
  body?: string
  key?: string
}

function signatureHeaders(calledUrl: string, signed: Signed = {}): Record<string, string> {
  const timestamp = String(signed.timestamp ?? Math.floor(Date.now() / 1_000))
  const nonce = signed.nonce ?? randomBytes(16).toString('hex')
  const bodyHash = createHash('md5')
    .update(signed.body ?? '')
    .digest('hex')
  const lines = [timestamp, nonce, signed.method ?? 'GET', signed.url ?? calledUrl, bodyHash]
  const signature = createHmac('sha256', signed.key ?? signingKey)
    .update(lines.join('\n'))
    .digest('hex')
  return { 'x-signature': signature, 'x-timestamp': timestamp, 'x-nonce': nonce }
}

function list(headers: Record<string, string>, options: CallOptions = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks`, { key: account.key, ...options, headers })
}

const url = (): string => `${hookline.url}/api/hooks`

test('a call without a signature is served', async () => {
  expect((await list({})).json).toMatchObject({ success: true })
})

test('a call with a valid signature is served, in upper case too', async () => {
  expect((await list(signatureHeaders(url()))).json).toMatchObject({ success: true })
  const headers = signatureHeaders(url())
  const upper = { ...headers, 'x-signature': headers['x-signature']?.toUpperCase() ?? '' }
  expect((await list(upper)).json).toMatchObject({ success: true })
})

test('the body counts as received and the query belongs to the URL', async () => {
  const signedUrl = `${url()}?event_type=sms_mo`
  const body = '{ "target_url" : "https://example.com/signed",\n"request_method":"JSON" }'
  const send = (signed: Signed) =>
    call(signedUrl, {
      method: 'POST',
      key: account.key,
      body,
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders(signedUrl, { method: 'POST', body, ...signed }),
      },
    })
  expect((await send({ body: JSON.stringify(JSON.parse(body)) })).json.code).toBe(901)
  expect((await send({ url: url() })).json.code).toBe(901)
  expect((await list({})).json.hooks).toEqual([])
  expect((await send({})).json).toMatchObject({ success: true })
})

const now = (): number => Math.floor(Date.now() / 1_000)

test.each([
  ['signed with another key', () => ({ key: 'f'.repeat(64) }), 'The signature is not valid.'],
  ['signed for another method', () => ({ method: 'DELETE' }), 'The signature is not valid.'],
  ['signed for another URL', () => ({ url: 'https://example.com/api/hooks' }), 'The signature is not valid.'],
  ['signed for another body', () => ({ body: 'x' }), 'The signature is not valid.'],
  ['40 seconds old', () => ({ timestamp: now() - 40 }), '"X-Timestamp" differs from the time of the server'],
  [
    '40 seconds early',
    () => ({ timestamp: now() + 40 }),
    '"X-Timestamp" differs from the time of the server',
  ],
  ['without a number as time', () => ({ timestamp: 'today' }), '"X-Timestamp" must be the current time'],
  ['with a nonce of 31 characters', () => ({ nonce: 'a'.repeat(31) }), '"X-Nonce" must have 32 characters'],
  ['with a nonce of 33 characters', () => ({ nonce: 'a'.repeat(33) }), '"X-Nonce" must have 32 characters'],
])('a call %s is rejected with 901', async (_name, signed, message) => {
  const response = await list(signatureHeaders(url(), signed()))
  expect([response.status, response.json.success, response.json.code]).toEqual([401, false, 901])
  expect(response.json.error_message).toContain(message)
})

test.each([
  ['an empty signature', { 'x-signature': '' }],
  ['a signature of another length', { 'x-signature': 'ab' }],
  ['no timestamp', { 'x-timestamp': '' }],
  ['no nonce', { 'x-nonce': '' }],
])('a call with %s is rejected with 901', async (_name, replaced) => {
  const response = await list({ ...signatureHeaders(url()), ...replaced })
  expect(response.json.code).toBe(901)
})

test('a nonce is accepted once per account, on all processes', async () => {
  const another = await hookline.startAnother({ PORT: '0' }, 'api')
  const nonce = randomBytes(16).toString('hex')
  const urls = [url(), `${another.url}/api/hooks`]
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => urls[index % 2] ?? '').map((target) =>
      call(target, { key: account.key, headers: signatureHeaders(target, { nonce }) }),
    ),
  )
  expect(responses.filter(({ json }) => json.success)).toHaveLength(1)
  expect(responses.filter(({ json }) => json.code === 901)).toHaveLength(19)
  const neighbor = await hookline.account()
  const viewed = await call(`${hookline.url}/api/signing-key/view`, { method: 'POST', key: neighbor.key })
  const own = signatureHeaders(url(), { nonce, key: viewed.json.signing_key })
  expect((await list(own, { key: neighbor.key })).json).toMatchObject({ success: true })
})

test('an invalid signature does not use up its nonce', async () => {
  const nonce = randomBytes(16).toString('hex')
  expect((await list(signatureHeaders(url(), { nonce, body: 'x' }))).json.code).toBe(901)
  expect((await list(signatureHeaders(url(), { nonce }))).json).toMatchObject({ success: true })
})

test('the signing key of another account is not accepted', async () => {
  const other = await hookline.account()
  expect((await list(signatureHeaders(url()), { key: other.key })).json.code).toBe(901)
})

test('behind a trusted proxy the URL is the one that the proxy reports', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gateway.example' }
  const publicUrl = 'https://gateway.example/api/hooks'
  const response = await list({ ...forwarded, ...signatureHeaders(url(), { url: publicUrl }) })
  expect(response.json).toMatchObject({ success: true })
})

test('a signature for another host is not valid, even if the call names that host', async () => {
  // Deliveries are signed in the same way. A receiver must not be able to use the signature of one for a call.
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'receiver.example' }
  const response = await list({
    ...forwarded,
    ...signatureHeaders(url(), { url: 'https://receiver.example/api/hooks' }),
  })
  expect(response.json.code).toBe(901)
})

test('without a trusted proxy the forwarded host does not count', async () => {
  const untrusting = await hookline.startAnother({ TRUSTED_PROXIES: '', PORT: '0' }, 'api')
  const response = await call(`${untrusting.url}/api/hooks`, {
    key: account.key,
    headers: {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'gateway.example',
      ...signatureHeaders('', { url: 'https://gateway.example/api/hooks' }),
    },
  })
  expect(response.json.code).toBe(901)
})

test('a key that requires signatures rejects unsigned calls, the other keys of the account do not', async () => {
  const { key } = await hookline.key(account.accountId, { isSignatureRequired: true })
  const unsigned = await list({}, { key })
  expect([unsigned.status, unsigned.json.code]).toEqual([401, 901])
  expect((await list(signatureHeaders(url()), { key })).json).toMatchObject({ success: true })
  expect((await list({})).json).toMatchObject({ success: true })
})

test('an account that requires signatures rejects every unsigned API credential, but not its users', async () => {
  const browser = openBrowser(hookline)
  const user = await browser.signIn(account)
  const { access } = await connect(browser, await registerApp(hookline, user))
  const required = await user.call('/api/signing-key', {
    method: 'POST',
    json: { signed_calls_required: true },
  })
  expect(required.json).toMatchObject({ signed_calls_required: true })
  const credentials: Array<[string, CallOptions]> = [
    [url(), { key: account.key }],
    [`${url()}?p=${account.key}`, {}],
    [url(), { headers: { authorization: `Basic ${account.key}` } }],
    [url(), { headers: { authorization: `Bearer ${access}` } }],
    [`${url()}?u=${account.alias}&p=${account.password}`, {}],
  ]
  for (const [target, options] of credentials) {
    expect((await call(target, options)).json.code).toBe(901)
    const headers = { ...options.headers, ...signatureHeaders(target) }
    expect((await call(target, { ...options, headers })).json).toMatchObject({ success: true })
  }
  expect((await user.call('/api/hooks')).json).toMatchObject({ success: true })
  const headers = signatureHeaders(url(), { body: 'x' })
  expect((await user.call('/api/hooks', { headers })).json.code).toBe(901)
})

test('an API key cannot turn the requirement off, not even with a signature', async () => {
  await setSignedCallsRequired(hookline.db, 'operator', account.accountId, true)
  const target = `${hookline.url}/api/signing-key`
  const body = '{"signed_calls_required":false}'
  const response = await call(target, {
    method: 'POST',
    key: account.key,
    body,
    headers: { 'content-type': 'application/json', ...signatureHeaders(target, { method: 'POST', body }) },
  })
  expect([response.status, response.json.code]).toEqual([403, 908])
  expect((await list({})).json.code).toBe(901)
})

test('during a rotation both keys sign calls, after it only the new one', async () => {
  const rotate = `${hookline.url}/api/signing-key/rotate`
  const { json } = await call(rotate, { method: 'POST', key: account.key })
  expect(json).toMatchObject({
    signing_key: signingKey,
    next_signing_key: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await list(signatureHeaders(url()))).json.success).toBe(true)
  expect((await list(signatureHeaders(url(), { key: json.next_signing_key }))).json.success).toBe(true)
  const switched = await call(`${hookline.url}/api/signing-key/switch`, { method: 'POST', key: account.key })
  expect(switched.json).toMatchObject({
    signing_key: json.next_signing_key,
    next_signing_key: null,
    switches_at: null,
  })
  expect((await list(signatureHeaders(url()))).json.code).toBe(901)
  expect((await list(signatureHeaders(url(), { key: json.next_signing_key }))).json.success).toBe(true)
})
