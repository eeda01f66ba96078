/** The built-in test receiver gets deliveries through the whole path, from its own account only, within limits. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reservedPort } from '../../../dev/ports.ts'
import { signIn } from '../support/browser-session.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway

beforeAll(async () => {
  // Deliveries go to BASE_URL, so the port must be known. It is below the ephemeral range, so that it is still free.
  const port = await reservedPort()
  // Without private targets, as by default: only the test receiver is exempt.
  hookline = await startTestService({
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    ALLOW_PRIVATE_TARGETS: 'false',
  })
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())

interface TestRequest {
  event_id: string
  method: string
  headers: Array<{ name: string; value: string }>
  content: string | null
  content_bytes: number
}

async function read({ key }: TestAccount): Promise<{ url: string; requests: TestRequest[] }> {
  const { status, json } = await call(`${hookline.url}/api/test-receiver`, { key })
  expect(status).toBe(200)
  return json
}

function register({ key }: TestAccount, target_url: string, options: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    key,
    json: { target_url, event_type: 'sms_mo', request_method: 'JSON', ...options },
  })
}

async function readSecret({ key }: TestAccount, hookId: number): Promise<Buffer> {
  const { json } = await call(`${hookline.url}/api/hooks/${hookId}/secret`, { key })
  return Buffer.from(json.secret.replace('whsec_', ''), 'base64')
}

/** Sends a request as the holder of a webhook's secret can. */
function forge(
  url: string,
  { secret, hookId, body = '{}', at = Date.now(), headers = {} }: Forged,
): Promise<CallResponse> {
  const timestamp = String(Math.floor(at / 1_000))
  const signature = createHmac('sha256', secret).update(`forged.${timestamp}.${body}`).digest('base64')
  return call(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'x-hookline-hook': String(hookId),
      'x-hookline-test': '1',
      ...headers,
    },
  })
}

interface Forged {
  secret: Buffer
  hookId: number
  body?: string
  at?: number
  headers?: Record<string, string>
}

async function countEvents({ accountId }: TestAccount): Promise<number> {
  const [row] = await hookline.database.query<{ count: string }>(
    'SELECT count(*) AS count FROM events WHERE account_id = $1',
    [accountId],
  )
  return Number(row?.count)
}

test('a test event arrives through the whole path in every format, with masked secrets', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  for (const request_method of ['JSON', 'POST', 'GET']) {
    const { json } = await register(account, url, {
      request_method,
      headers: 'Authorization: Bearer topsecret',
    })
    expect(json).toMatchObject({ success: true })
    await call(`${hookline.url}/api/hooks/${json.id}/test`, { method: 'POST', key: account.key, json: {} })
  }
  await expect.poll(async () => (await read(account)).requests.length, { timeout: 30_000 }).toBe(3)
  const { requests } = await read(account)
  expect(requests.map(({ method }) => method).toSorted()).toEqual(['GET', 'POST', 'POST'])
  for (const request of requests) {
    expect(request).toMatchObject({ is_test: true, is_truncated: false })
    expect(request.content).toContain('Hello')
    const header = (name: string) => request.headers.find((one) => one.name === name)?.value
    expect(header('webhook-signature')).toMatch(/^v1,/)
    expect(header('webhook-id')).toBe(request.event_id)
    expect(header('authorization')).toMatch(/•/)
  }
  expect(JSON.stringify(requests)).not.toContain('topsecret')
  const [stored] = await hookline.database.query<{ text: string }>(
    `SELECT string_agg(encode(request, 'escape'), '') AS text FROM test_requests`,
  )
  expect(stored?.text).not.toMatch(/Hello|topsecret/)
  // Deliveries to the test receiver create no events.
  expect(await countEvents(account)).toBe(3)
})

test('the content of other events is not stored', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  await register(account, url)
  await gateway.event(account.accountId)
  await expect.poll(async () => (await read(account)).requests.length, { timeout: 30_000 }).toBe(1)
  const [request] = (await read(account)).requests
  expect(request).toMatchObject({ is_test: false, content: null })
  expect(request?.content_bytes).toBeGreaterThan(10)
})

test('no other URL of Hookline can be registered', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  const { origin, pathname } = new URL(url)
  const others = [
    `${url}/`,
    `${url}?a=1`,
    `${url}#a`,
    `${url}/../../api/hooks`,
    `${url}/%2e%2e/%2e%2e/api`,
    `${origin}/TEST-RECEIVER${pathname.slice('/test-receiver'.length)}`,
    `${origin}//test-receiver${pathname.slice('/test-receiver'.length)}`,
    `${origin}/api/hooks`,
    `${origin}/canary`,
    url.replace('localhost', 'LOCALHOST'),
    url.replace('localhost', '127.0.0.1'),
    url.replace('localhost', '[::1]'),
    url.replace('localhost', '2130706433'),
    url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
  ]
  for (const other of others)
    expect((await register(account, other)).json, other).toMatchObject({ code: 1020 })
})

test('an account can neither use nor read the test receiver of another', async () => {
  const owner = await hookline.account()
  const stranger = await hookline.account()
  const { url } = await read(owner)
  expect((await read(stranger)).url).not.toBe(url)
  expect((await register(stranger, url)).json).toMatchObject({ code: 1020 })
  const preview = { target_url: url, event_type: 'sms_mo' }
  const json = { method: 'POST', json: preview }
  const previewUrl = `${hookline.url}/api/hooks/preview`
  expect((await call(previewUrl, { ...json, key: stranger.key })).json.problems).toHaveLength(1)
  expect((await call(previewUrl, { ...json, key: owner.key })).json.problems).toEqual([])

  const hookId = (await register(stranger, 'https://example.com/x')).json.id
  const secret = await readSecret(stranger, hookId)
  expect((await forge(url, { secret, hookId })).status).toBe(401)
  const ownHookId = (await register(owner, url)).json.id
  expect((await forge(url, { secret, hookId: ownHookId })).status).toBe(401)
  const ownSecret = await readSecret(owner, ownHookId)
  expect((await forge(url, { secret: ownSecret, hookId: ownHookId })).status).toBe(204)
  expect((await read(owner)).requests).toHaveLength(1)
  expect((await read(stranger)).requests).toHaveLength(0)
})

test('a request without a valid signature or token is rejected and not stored', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  const hookId = (await register(account, url)).json.id
  const secret = await readSecret(account, hookId)
  const valid = { secret, hookId }
  expect((await call(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await call(url)).status).toBe(401)
  expect((await call(url, { method: 'DELETE' })).status).toBe(404)
  expect((await forge(url, { ...valid, at: Date.now() - 6 * 60_000 })).status).toBe(401)
  expect((await forge(url, { ...valid, headers: { 'webhook-id': 'other' } })).status).toBe(401)
  expect((await forge(url, { ...valid, headers: { 'x-hookline-hook': '99999999999' } })).status).toBe(401)
  const wrong = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A')
  expect((await forge(wrong, valid)).status).toBe(404)
  expect((await forge(url.replace('/test-receiver/', '/test-receiver/%31'), valid)).status).toBe(404)
  expect((await read(account)).requests).toHaveLength(0)
})

test('rejected requests do not use up the rate of deliveries, and never get 204', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  const hookId = (await register(account, url)).json.id
  const secret = await readSecret(account, hookId)
  const unsigned = { secret: Buffer.from('wrong'), hookId }
  const statuses = await Promise.all(
    Array.from({ length: 90 }, async () => (await forge(url, unsigned)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect((await forge(url, { secret, hookId })).status).toBe(204)
  expect((await read(account)).requests).toHaveLength(1)
})

test('requests are bounded in size, number and age', async () => {
  const account = await hookline.account()
  const { url } = await read(account)
  const hookId = (await register(account, url)).json.id
  const secret = await readSecret(account, hookId)
  const body = JSON.stringify({ text: '<script>alert(1)</script>'.repeat(10_000) })
  const headers = { 'x-large': 'x'.repeat(12_000) }
  expect((await forge(url, { secret, hookId, body, headers })).status).toBe(204)
  const [large] = (await read(account)).requests
  expect(large).toMatchObject({ is_truncated: true, content_bytes: body.length })
  expect(large?.content?.length).toBeLessThanOrEqual(32 * 1024)

  // Above the rate limit requests are accepted, so that nothing is retried, and not stored.
  const statuses = await Promise.all(
    Array.from({ length: 90 }, async () => (await forge(url, { secret, hookId })).status),
  )
  expect(new Set(statuses)).toEqual(new Set([204]))
  expect((await forge(url, { secret: Buffer.from('wrong'), hookId })).status).toBe(401)
  const [row] = await hookline.database.query<{ count: string; newest: string; oldest: string }>(
    'SELECT count(*) AS count, max(id) AS newest, min(id) AS oldest FROM test_requests WHERE account_id = $1',
    [account.accountId],
  )
  expect(Number(row?.count)).toBe(50)
  expect((await read(account)).requests).toHaveLength(50)

  await hookline.database.query(
    `UPDATE test_requests SET received_at = now() - interval '25 hours' WHERE account_id = $1`,
    [account.accountId],
  )
  expect((await read(account)).requests).toHaveLength(0)
})

test('the first steps follow the data of the account', async () => {
  const account = await hookline.account()
  const other = await hookline.account()
  const steps = async ({ key }: TestAccount) => (await call(`${hookline.url}/api/onboarding`, { key })).json
  const none = { shown: true, webhook_created: false, test_delivered: false, signature_verified: false }
  expect(await steps(account)).toMatchObject(none)

  const { url } = await read(account)
  await register(account, url)
  expect(await steps(account)).toMatchObject({ ...none, webhook_created: true })
  // Not a test event.
  await gateway.event(account.accountId)
  await expect.poll(async () => (await steps(account)).test_delivered, { timeout: 30_000 }).toBe(true)

  const withKey = { method: 'POST', key: account.key, json: { signature_verified: true } }
  expect((await call(`${hookline.url}/api/onboarding`, withKey)).json).toMatchObject({ code: 908 })
  const user = await signIn(new URL(url).origin, account)
  await user.call('/api/onboarding', { method: 'POST', json: { signature_verified: true } })
  expect(await steps(account)).toMatchObject({ shown: true, test_delivered: true, signature_verified: true })
  await user.call('/api/onboarding', { method: 'POST', json: { dismissed: true } })
  expect(await steps(account)).toMatchObject({ shown: false })
  expect(await steps(other)).toMatchObject(none)

  await hookline.database.query(`UPDATE accounts SET created_at = now() - interval '31 days' WHERE id = $1`, [
    other.accountId,
  ])
  expect(await steps(other)).toMatchObject(none)
  await register(other, 'https://example.com/x')
  expect(await steps(other)).toMatchObject({ shown: false, webhook_created: true })
})
