/** Rules for credentials: errors, deprecation, last use, disabled kinds, client IP and changes across processes. */
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { setSuspended } from '../../src/identity/accounts/accounts.ts'
import { revokeKey } from '../../src/identity/keys/revoke-key.ts'
import { createToken } from '../../src/identity/keys/token.ts'
import { call } from '../support/http-call.ts'
import { createAccessToken } from '../support/oauth-client.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'
import { type Values, expectOutcome, send, callFrom } from '../support/credential-call.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
beforeAll(async () => {
  // The login throttle has separate tests in password-throttle.test.ts.
  hookline = await startTestService({ LOGIN_ATTEMPTS: '0' })
})
afterAll(() => hookline.close())

describe('authentication errors', () => {
  test('the error for an API key sent as a bearer token names X-Api-Key', async () => {
    const { key } = await hookline.account()
    const response = await send(hookline.url, 'GET', 'Authorization: Bearer {key}', { key })
    expect(response).toMatchObject({ status: 401, json: { code: 900 } })
    expect(response.json.error_message).toContain('X-Api-Key')
    expect(response.json.error_message).not.toContain(key)
  })

  test('an invalid token returns invalid_token in WWW-Authenticate (RFC 6750)', async () => {
    const response = await send(hookline.url, 'GET', 'Authorization: Bearer abc.def', {})
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hookline", error="invalid_token"')
  })

  test('a call without credentials gets a plain challenge (RFC 6750)', async () => {
    const response = await send(hookline.url, 'GET', '', {})
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hookline"')
  })

  test('the error distinguishes revoked, expired and unknown keys', async () => {
    const { accountId, key, keyId } = await hookline.account()
    const expired = await hookline.key(accountId, { expiresAt: new Date(Date.now() - 1_000) })
    await revokeKey(hookline.db, 'operator', keyId)
    const hooks = `${hookline.url}/api/hooks`
    expect((await call(hooks, { key })).json.error_message).toMatch(/revoked/)
    expect((await call(hooks, { key: expired.key })).json.error_message).toMatch(/expired/)
    expect((await call(hooks, { key: createToken('hlk') })).json.error_message).toMatch(/Unknown API key/)
  })

  test('a key stops working at its expiry time', async () => {
    const { accountId } = await hookline.account()
    const expiresAt = Date.now() + 5_000
    const { key } = await hookline.key(accountId, { expiresAt: new Date(expiresAt) })
    const statusesBefore: number[] = []
    const statusesAfter: number[] = []
    while (statusesAfter.length === 0) {
      const sentAt = Date.now()
      const { status } = await call(`${hookline.url}/api/hooks`, { key })
      if (Date.now() < expiresAt) statusesBefore.push(status)
      // Skips calls in flight at the expiry time.
      if (sentAt > expiresAt) statusesAfter.push(status)
      await sleep(50)
    }
    expect(new Set(statusesBefore)).toEqual(new Set([200]))
    expect(statusesAfter).toEqual([401])
  })
})

describe('deprecated credentials', () => {
  let account: TestAccount
  let values: Values
  beforeAll(async () => {
    account = await hookline.account()
    values = { key: account.key, alias: account.alias, password: account.password }
  })

  test.each([
    ['Authorization: basic {key}', false],
    ['X-Api-Key: {key}', false],
    ['Authorization: basic {key} + X-Api-Key: {key}', false],
    ['?p={key}', true],
    ['?u={alias}&p={key}', true],
    ['?u={alias}&p={password}', true],
    ['X-Api-Key: {key} + ?p={key}', true],
  ] as Array<[string, boolean]>)('%s is marked as deprecated: %s', async (sent, isDeprecated) => {
    const fine = await send(hookline.url, 'GET', sent, values)
    const rejected = await send(hookline.url, 'POST', sent, values, {
      target_url: 'nonsense',
      event_type: 'all',
    })
    expect([fine.status, rejected.status]).toEqual([200, 400])
    for (const { headers } of [fine, rejected]) {
      // RFC 9745: a Unix timestamp in seconds, here of the first version.
      expect(headers.get('deprecation')).toBe(isDeprecated ? '@1794700800' : null)
      if (!isDeprecated) expect(headers.get('link')).toBeNull()
      else expect(headers.get('link')).toMatch(/^<http:\/\/localhost:8080\/docs[^>]*>; rel="deprecation"/)
    }
  })

  test.each([
    ['?p={key}', 200],
    ['?p=hlk_x', 401],
    ['?u={alias}&p=wrong', 401],
    ['X-Api-Key: x + ?p={key}', 400],
    ['/api/sms + ?p={key}', 404],
    ['?p=%zz', 400],
    ['/api/%zz + ?p={key}', 400],
  ] as Array<[string, number]>)('responses are not cacheable: %s is %s', async (sent, status) => {
    const response = await send(hookline.url, 'GET', sent, values)
    expect(response.status).toBe(status)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('deprecated uses are counted per account and kind', async () => {
    const { accountId, key, alias, password } = await hookline.account()
    const other = await hookline.account()
    const hooks = `${hookline.url}/api/hooks`
    const [{ today } = {}] = await hookline.database.query<{ today: string }>(
      'SELECT current_date::text AS today',
    )
    await call(hooks, { key })
    await call(hooks, { headers: { authorization: `basic ${key}` } })
    for (let use = 0; use < 5; use++) await call(`${hooks}?p=${key}`)
    await call(hooks, { method: 'DELETE', form: { p: key } })
    for (let use = 0; use < 3; use++) await call(`${hooks}?u=${alias}&p=${password}`)
    await call(`${hooks}?u=${alias}&p=wrong`)
    await call(`${hooks}?p=${other.key}`)

    const counts = () =>
      hookline.database.query(
        // Around midnight the uses span two days.
        `SELECT kind, sum(uses)::integer AS uses, min(day) >= $2 AND max(day) <= current_date AS today
         FROM deprecated_uses WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
        [accountId, today],
      )
    await expect.poll(counts, { timeout: 30_000, interval: 200 }).toEqual([
      { kind: 'login-password', uses: 3, today: true },
      { kind: 'parameter-key', uses: 6, today: true },
    ])

    await call(`${hooks}?p=${key}`)
    await expect
      .poll(counts, { timeout: 30_000, interval: 200 })
      .toContainEqual({ kind: 'parameter-key', uses: 7, today: true })
  })
})

describe('last use', () => {
  test.each([
    ['header-key', 'X-Api-Key: {key}'],
    ['basic-key', 'Authorization: basic {key}'],
    ['parameter-key', '?p={key}'],
  ] as Array<[string, string]>)(
    'the last use of a key stores its time and the method %s',
    async (method, sent) => {
      const { accountId, key, keyId } = await hookline.account()
      const unused = await hookline.key(accountId)
      const before = Date.now()
      await send(hookline.url, 'GET', sent, { key })
      const after = Date.now()
      const lastUse = (id: number) =>
        hookline.database.query<{ at: Date | null; method: string | null }>(
          'SELECT last_used_at AS at, last_used_method AS method FROM keys WHERE id = $1',
          [id],
        )
      await expect
        .poll(async () => (await lastUse(keyId))[0]?.method, { timeout: 30_000, interval: 200 })
        .toBe(method)
      const at = (await lastUse(keyId))[0]?.at?.getTime()
      expect(at).toBeGreaterThanOrEqual(before)
      expect(at).toBeLessThanOrEqual(after)
      expect(await lastUse(unused.keyId)).toEqual([{ at: null, method: null }])
    },
  )
})

describe('disabled credential kinds', () => {
  const sentAs: Record<string, string> = {
    'basic-key': 'Authorization: basic {key}',
    'header-key': 'X-Api-Key: {key}',
    'parameter-key': '?p={key}',
    'login-password': '?u={alias}&p={password}',
    bearer: 'Authorization: Bearer {token}',
  }
  const whenOn: Record<string, string> = {
    'basic-key': '200',
    'header-key': '200',
    'parameter-key': '200',
    'login-password': '200',
    bearer: '200',
  }

  test.each(Object.keys(sentAs))('%s is rejected and all other kinds work', async (off) => {
    const account = await hookline.account()
    const { key, alias, password } = account
    const token = await createAccessToken(hookline, account)
    const values = { key, alias, password, token, unknown: createToken('hlk') }
    const service = await hookline.startAnother({ CREDENTIALS_OFF: off, LOGIN_ATTEMPTS: '0' })
    for (const [kind, sent] of Object.entries(sentAs)) {
      const response = await send(service.url, 'GET', sent, values)
      expectOutcome(response, kind === off ? '401/906' : (whenOn[kind] ?? ''), `${kind} with ${off} off`)
    }
    if (off === 'parameter-key') {
      const alsoOff = ['?u={alias}&p={key}', '?p={unknown}', 'X-Api-Key: {key} + ?p={key}']
      for (const sent of alsoOff) expectOutcome(await send(service.url, 'GET', sent, values), '401/906', sent)
    }
    await service.stop()
  })

  test('several kinds can be disabled', async () => {
    const account = await hookline.account()
    const { key, alias, password } = account
    const values = { key, alias, password, token: await createAccessToken(hookline, account) }
    const service = await hookline.startAnother({ CREDENTIALS_OFF: 'parameter-key, login-password' })
    const responses = await Promise.all(
      Object.values(sentAs).map((sent) => send(service.url, 'GET', sent, values)),
    )
    expect(responses.map(({ status, json }) => `${status}/${json.code}`)).toEqual([
      '200/null',
      '200/null',
      '401/906',
      '401/906',
      '200/null',
    ])
    await service.stop()
  })

  test('an unknown kind prevents the service from starting', async () => {
    await expect(hookline.startAnother({ CREDENTIALS_OFF: 'passwords' })).rejects.toThrow(
      /CREDENTIALS_OFF contains "passwords"/,
    )
  })
})

describe('client IP behind a proxy', () => {
  let trusting: ServiceProcess
  let restricted: string
  let open: string
  let login: string
  beforeAll(async () => {
    trusting = await hookline.startAnother({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', LOGIN_ATTEMPTS: '0' })
    const account = await hookline.account()
    open = account.key
    login = `u=${account.alias}&p=${account.password}`
    restricted = (await hookline.key(account.accountId, { allowedIps: ['203.0.113.0/24', '2001:db8::/32'] }))
      .key
  })

  test.each([
    [[], '403/903'],
    [['203.0.113.9'], '200'],
    [['203.0.114.9'], '403/903'],
    [['2001:db8::1'], '200'],
    [['2001:db9::1'], '403/903'],
    [['2001:0DB8:0:0:0:0:0:1'], '200'],
    [['::ffff:203.0.113.9'], '200'],
    [['::ffff:203.0.114.9'], '403/903'],
    // The last untrusted address counts, because a client can forge all addresses before it.
    [['203.0.113.9, 198.51.100.1'], '403/903'],
    [['198.51.100.1, 203.0.113.9'], '200'],
    [['203.0.113.9, 10.1.2.3'], '200'],
    [['nonsense, 203.0.113.9'], '200'],
    [['203.0.113.9, nonsense'], '403/903'],
    [['203.0.113.9', '198.51.100.1'], '403/903'],
    [['198.51.100.1', '203.0.113.9'], '200'],
  ] as Array<[string[], string]>)(
    'X-Forwarded-For %j from a trusted proxy: %s',
    async (forwarded, outcome) => {
      expectOutcome(await callFrom(trusting.url, forwarded, restricted), outcome, forwarded.join(' | '))
    },
  )

  test('X-Forwarded-For is ignored from an untrusted proxy', async () => {
    expectOutcome(await callFrom(hookline.url, ['203.0.113.9'], restricted), '403/903', 'no proxy is trusted')
    const other = await hookline.startAnother({ TRUSTED_PROXIES: '10.0.0.0/8' })
    expectOutcome(
      await callFrom(other.url, ['203.0.113.9'], restricted),
      '403/903',
      'another proxy is trusted',
    )
    await other.stop()
  })

  test.each(['X-Real-IP', 'Forwarded', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'])(
    'the header %s is ignored',
    async (name) => {
      const value = name === 'Forwarded' ? 'for=203.0.113.9' : '203.0.113.9'
      const sent = `X-Api-Key: {key} + ${name}: ${value}`
      expectOutcome(await send(trusting.url, 'GET', sent, { key: restricted }), '403/903', name)
    },
  )

  test.each(['[2001:db8::1]', '[2001:db8::1]:1234', '203.0.113.9:1234'])(
    'X-Forwarded-For may contain brackets and a port: %s',
    async (address) => {
      expectOutcome(await callFrom(trusting.url, [address], restricted), '200', address)
    },
  )

  test.each([
    '',
    ' ',
    ',',
    ',,,',
    '-',
    'unknown',
    '_hidden',
    '203.0.113.9/24',
    'fe80::1%eth0',
    '2001:db9::1%1',
    '2001:db8::1::2',
    '999.1.1.1',
    '0x7f.1',
    '2130706433',
    "' OR 1=1 --",
    '%00',
    'ÿ',
    'x'.repeat(4_000),
    Array.from({ length: 500 }, () => '10.0.0.1').join(','),
  ])('an invalid X-Forwarded-For is ignored: %j', async (nonsense) => {
    const title = nonsense.slice(0, 40)
    expectOutcome(await callFrom(trusting.url, [nonsense], restricted), '403/903', `restricted key, ${title}`)
    expectOutcome(await callFrom(trusting.url, [nonsense], open), '200', `open key, ${title}`)
    const sent = `X-Forwarded-For: ${nonsense} + ?${login}`
    expectOutcome(await send(trusting.url, 'GET', sent, {}), '200', `login, ${title}`)
  })

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  )
  test.skipIf(!hasIpv6)('a dual-stack listener reports IPv4 clients as IPv4', async () => {
    const { accountId } = await hookline.account()
    const { key } = await hookline.key(accountId, { allowedIps: ['127.0.0.1'] })
    const both = await hookline.startAnother({ HOST: '::' })
    const url = `http://127.0.0.1:${new URL(both.url).port}`
    expectOutcome(await callFrom(url, [], key), '200', 'listening on ::')
    await both.stop()
  })
})

describe('across processes', () => {
  let second: ServiceProcess
  beforeAll(async () => {
    second = await hookline.startAnother({ LOGIN_ATTEMPTS: '0' })
  })

  test('a revoked key is rejected immediately in every location', async () => {
    const { key, keyId } = await hookline.account()
    const sent: string[] = ['X-Api-Key: {key}', 'Authorization: basic {key}', '?p={key}']
    for (const part of sent) expect((await send(second.url, 'GET', part, { key })).status).toBe(200)
    await revokeKey(hookline.db, 'operator', keyId)
    for (const part of sent) expectOutcome(await send(second.url, 'GET', part, { key }), '401/900', part)
    const later = await Promise.all(
      [...sent, ...sent, ...sent].map((part) => send(second.url, 'GET', part, { key })),
    )
    expect(later.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 401))
  })

  test('suspending and resuming an account takes effect immediately', async () => {
    const { accountId, key, alias, password } = await hookline.account()
    const values = { key, alias, password }
    const sent: string[] = ['X-Api-Key: {key}', '?u={alias}&p={password}']
    for (const part of sent) expect((await send(second.url, 'GET', part, values)).status).toBe(200)
    await setSuspended(hookline.db, 'operator', accountId, true)
    for (const part of sent)
      expectOutcome(await send(second.url, 'GET', part, values), '403/904', 'suspended')
    await setSuspended(hookline.db, 'operator', accountId, false)
    for (const part of sent) expect((await send(second.url, 'GET', part, values)).status).toBe(200)
  })

  test('a wrong password does not reveal that the account is suspended', async () => {
    const { accountId, alias } = await hookline.account()
    await setSuspended(hookline.db, 'operator', accountId, true)
    const response = await call(`${hookline.url}/api/hooks?u=${alias}&p=wrong-password`)
    expect([response.status, response.json.code]).toEqual([401, 900])
  })
})
