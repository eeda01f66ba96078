/**
 * Attacks on sessions: another site in the same browser, a stolen cookie, another account, guessing. The calls come from
 * the route table, so that new routes are covered automatically.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { apiRoutes } from '../../src/http/api-routes.ts'
import { createLogin } from '../../src/identity/accounts/logins.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { pruneExpiredSessions } from '../../src/identity/sessions/sessions.ts'
import { call, type CallResponse, type CallOptions } from '../support/http-call.ts'
import { barrier } from '../support/barrier.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let second: ServiceProcess
let account: TestAccount
let other: TestAccount

beforeAll(async () => {
  hookline = await startDashboardService()
  // Uses the same BASE_URL, as behind a load balancer.
  second = await hookline.startAnother({ PORT: '0' }, 'api')
  // High IDs cannot be confused with other numbers in a response.
  for (const table of ['keys', 'sessions'])
    await hookline.database.query(`ALTER TABLE ${table} ALTER COLUMN id RESTART WITH 471100`)
  account = await hookline.account()
  other = await hookline.account()
})
afterAll(() => hookline.close())

const contract = '/api/hooks'
const routes = apiRoutes
  .filter(({ path }) => path !== contract)
  .map(({ verb, path, operation }) => ({ verb, path: path.replace(':id', '1'), access: operation.access }))
/** Excludes the live tail, which never ends and has separate tests. */
const readable = routes
  .filter(({ verb, path }) => verb === 'GET' && path !== '/api/events/stream')
  .map(({ path }) => path)
const sessionRoutes = routes.filter(({ access }) => access === 'session')
const unsafeSessionRoutes = sessionRoutes.filter(({ verb }) => verb !== 'GET')
const unsafePublicRoutes = routes.filter(({ verb, access }) => access === 'anyone' && verb !== 'GET')

function startSession(
  input: Partial<CallOptions> & { json?: object } = {},
  url = hookline.url,
): Promise<CallResponse> {
  const json = { login: account.alias, password: account.password }
  return call(`${url}/api/session`, {
    method: 'POST',
    json,
    ...input,
    headers: { origin: hookline.url, ...input.headers },
  })
}

function cookieIn(response: CallResponse): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function statusWith(cookie: string, url = hookline.url): Promise<number> {
  return (await call(`${url}/api/session`, { headers: { cookie } })).status
}

test('the route table contains calls of each kind', () => {
  expect(sessionRoutes.length).toBeGreaterThan(15)
  expect(unsafeSessionRoutes.length).toBeGreaterThan(10)
  expect(unsafePublicRoutes.length).toBeGreaterThan(3)
})

describe('a session', () => {
  test('a sign-in always creates a new session and never adopts a given cookie', async () => {
    const planted = `hookline=${'A'.repeat(43)}`
    const response = await startSession({ headers: { cookie: planted } })
    expect(response.status).toBe(200)
    expect(cookieIn(response)).toMatch(/^hookline=[\w-]{43}$/)
    expect(cookieIn(response)).not.toBe(planted)
    expect(await statusWith(planted)).toBe(401)
    expect(await statusWith(cookieIn(response))).toBe(200)
  })

  test("an attacker's session in the victim's browser is replaced", async () => {
    const attacker = await signIn(hookline.url, other)
    const response = await startSession({ headers: { cookie: attacker.cookie } })
    expect(cookieIn(response)).not.toBe(attacker.cookie)
    expect(await statusWith(attacker.cookie)).toBe(401)
    expect(response.json.login.id).toBe(account.loginId)
  })

  test('a password change replaces session ID, cookie and CSRF token', async () => {
    const userAccount = await hookline.account()
    const before = await signIn(hookline.url, userAccount)
    const { session } = (await before.call('/api/session')).json
    const json = { current_password: userAccount.password, new_password: 'another password' }
    const changed = await before.call('/api/password', { method: 'POST', json })
    expect(changed.json.session.id).not.toBe(session.id)
    expect(cookieIn(changed)).not.toBe(before.cookie)
    expect(changed.json.csrf_token).not.toBe(before.csrfToken)
    expect(await statusWith(before.cookie)).toBe(401)
  })

  test('a sign-in with the old password during a password change fails', async () => {
    const userAccount = await hookline.account()
    // The change is not committed yet, so sign-ins still read the old password.
    const change = `UPDATE logins SET password_hash = 'another' WHERE id = ${userAccount.loginId}`
    const late = await barrier(hookline, change, 1, () =>
      startSession({ json: { login: userAccount.alias, password: userAccount.password } }),
    )
    expect(late.json.code).toBe(900)
    expect(await rows('SELECT 1 FROM sessions WHERE login_id = $1', userAccount.loginId)).toEqual([])
  })

  test.each([
    ['has expired', "expires_at = now() - interval '1 second'", 401],
    ['was not used for seven days', "last_used_at = now() - interval '7 days 1 second'", 401],
    ['was used within seven days', "last_used_at = now() - interval '6 days 23 hours'", 200],
  ])('every process checks the validity of a session that %s', async (_what, change, status) => {
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    await hookline.database.query(`UPDATE sessions SET ${change} WHERE login_id = $1`, [userAccount.loginId])
    expect(await statusWith(user.cookie)).toBe(status)
    expect(await statusWith(user.cookie, second.url)).toBe(status)
    if (status === 200) return
    const [entry] = (await (await signIn(hookline.url, userAccount)).call('/api/sessions')).json.sessions
    expect(entry.is_current).toBe(true)
  })

  test('use of a session resets its idle time', async () => {
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    await hookline.database.query(
      "UPDATE sessions SET last_used_at = now() - interval '6 days' WHERE login_id = $1",
      [userAccount.loginId],
    )
    await user.call('/api/session')
    const [row] = await rows<{ age: number }>(
      'SELECT extract(epoch FROM now() - last_used_at)::float8 AS age FROM sessions WHERE login_id = $1',
      userAccount.loginId,
    )
    expect(row?.age).toBeLessThan(60)
  })

  test('only expired sessions are pruned', async () => {
    const userAccount = await hookline.account()
    const current = await signIn(hookline.url, userAccount)
    const { session } = (await current.call('/api/session')).json
    await signIn(hookline.url, userAccount)
    await hookline.database.query('UPDATE sessions SET expires_at = now() WHERE login_id = $1 AND id <> $2', [
      userAccount.loginId,
      session.id,
    ])
    await pruneExpiredSessions(hookline.db)
    expect(await rows('SELECT id FROM sessions WHERE login_id = $1', userAccount.loginId)).toEqual([
      { id: session.id },
    ])
  })

  test('suspending the account invalidates its sessions', async () => {
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      userAccount.accountId,
    ])
    expect(await statusWith(user.cookie)).toBe(401)
    expect(
      (await startSession({ json: { login: userAccount.alias, password: userAccount.password } })).json.code,
    ).toBe(904)
  })

  test.each([
    ['sign-out', (user: SignedIn) => user.call('/api/session', { method: 'DELETE' })],
    [
      'revocation by ID',
      async (user: SignedIn) => {
        const { session } = (await user.call('/api/session')).json
        return (await signIn(hookline.url, account)).call(`/api/sessions/${session.id}`, { method: 'DELETE' })
      },
    ],
    [
      'revocation of all other sessions',
      async () => (await signIn(hookline.url, account)).call('/api/sessions', { method: 'DELETE' }),
    ],
  ])('%s ends the session on every process within a second', async (_how, revoke) => {
    const user = await signIn(hookline.url, account)
    expect(await statusWith(user.cookie, second.url)).toBe(200)
    expect((await revoke(user)).status).toBe(200)
    const revokedAt = Date.now()
    expect(await statusWith(user.cookie, second.url)).toBe(401)
    expect(await statusWith(user.cookie)).toBe(401)
    expect(Date.now() - revokedAt).toBeLessThan(1_000)
  })

  test('two session cookies in one request are rejected', async () => {
    const user = await signIn(hookline.url, account)
    const planted = await signIn(hookline.url, other)
    for (const cookie of [`${user.cookie}; ${planted.cookie}`, `${planted.cookie}; ${user.cookie}`])
      expect(await statusWith(cookie)).toBe(401)
  })
})

describe('the cookie', () => {
  test('on HTTP the cookie is host-only and HttpOnly', async () => {
    const [cookie] = (await startSession()).headers.getSetCookie()
    expect(cookie).toMatch(/^hookline=[\w-]{43}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Lax$/)
    const days = (Date.parse(/Expires=([^;]+)/.exec(cookie ?? '')?.[1] ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
  })

  test('on HTTPS the cookie is Secure and has the __Host- prefix', async () => {
    const https = await hookline.startAnother({ PORT: '0', BASE_URL: 'https://hookline.example' }, 'api')
    const response = await startSession({ headers: { origin: 'https://hookline.example' } }, https.url)
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-hookline=[\w-]{43}; Expires=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
    // A cookie without the prefix could come from an HTTP page of the same host.
    const token = cookieIn(response).split('=')[1] ?? ''
    expect(await statusWith(`hookline=${token}`, https.url)).toBe(401)
    expect(await statusWith(`__Host-hookline=${token}`, https.url)).toBe(200)
    const signedOut = await call(`${https.url}/api/session`, {
      method: 'DELETE',
      headers: {
        cookie: cookieIn(response),
        origin: 'https://hookline.example',
        'x-csrf-token': response.json.csrf_token,
      },
    })
    expect(signedOut.headers.getSetCookie()).toEqual([
      '__Host-hookline=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  test.each([
    ['a truncated token', (cookie: string) => cookie.slice(0, -1)],
    ['a longer token', (cookie: string) => `${cookie}A`],
    ['swapped case', (cookie: string) => swapCase(cookie)],
    ['quotes', (cookie: string) => cookie.replace(/=(.*)/, '="$1"')],
    ['an empty value', () => 'hookline='],
    ['SQL', () => "hookline=' OR '1'='1"],
  ])('a cookie with %s is rejected', async (_what, change) => {
    const { cookie } = await signIn(hookline.url, account)
    expect(await statusWith(change(cookie))).toBe(401)
  })
})

const foreignOrigins = ['https://evil.example', 'null', 'http://127.0.0.1', 'http://localhost:8080', '']

describe.each(unsafeSessionRoutes)('$verb $path with the cookie', ({ verb, path }) => {
  let user: SignedIn
  beforeAll(async () => {
    user = await signIn(hookline.url, account)
  })

  async function callWith(headers: Record<string, string>, body: Partial<CallOptions> = { json: {} }) {
    const { cookie } = user
    return call(`${hookline.url}${path}`, { method: verb, ...body, headers: { cookie, ...headers } })
  }

  test('the CSRF token of this session is required', async () => {
    const stranger = await signIn(hookline.url, other)
    const sibling = await signIn(hookline.url, account)
    for (const token of [
      undefined,
      '',
      'x',
      stranger.csrfToken,
      sibling.csrfToken,
      `${user.csrfToken} `.repeat(2),
    ]) {
      const response = await callWith({
        origin: hookline.url,
        ...(token !== undefined && { 'x-csrf-token': token }),
      })
      expect([response.status, response.json.code], String(token)).toEqual([403, 909])
    }
  })

  test('the origin of the service is required', async () => {
    for (const origin of [
      undefined,
      ...foreignOrigins,
      hookline.url.replace('http:', 'https:'),
      `${hookline.url}.evil`,
    ]) {
      const response = await callWith({
        'x-csrf-token': user.csrfToken,
        ...(origin !== undefined && { origin }),
      })
      expect([response.status, response.json.code], String(origin)).toEqual([403, 909])
    }
  })

  test('content types of HTML forms are rejected', async () => {
    const proof = { origin: hookline.url, 'x-csrf-token': user.csrfToken }
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/plain; x=application/json',
      'application/json-seq',
    ]) {
      const response = await callWith({ ...proof, 'content-type': type }, { body: '{"name":"x"}' })
      expect([response.status, response.json.code], type).toEqual([415, 1002])
    }
  })

  test('the rejected calls did not end the session', async () => {
    expect((await user.call('/api/session')).status).toBe(200)
  })
})

describe.each(unsafePublicRoutes)('$verb $path without a session', ({ verb, path }) => {
  test('calls from other origins are rejected', async () => {
    for (const origin of [undefined, ...foreignOrigins]) {
      const response = await call(`${hookline.url}${path}`, {
        method: verb,
        json: { login: account.alias, password: account.password },
        ...(origin !== undefined && { headers: { origin } }),
      })
      expect([response.status, response.json.code], String(origin)).toEqual([403, 909])
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  test('content types of HTML forms are rejected', async () => {
    const response = await call(`${hookline.url}${path}`, {
      method: verb,
      headers: { origin: hookline.url, 'content-type': 'text/plain' },
      body: JSON.stringify({ login: account.alias, password: account.password }),
    })
    expect(response.status).toBe(415)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe.each(sessionRoutes)('$verb $path', ({ verb, path }) => {
  test('API credentials are rejected', async () => {
    const credentials: Array<[string, Partial<CallOptions>]> = [
      ['', { key: account.key }],
      ['', { headers: { authorization: `basic ${account.key}` } }],
      [`?p=${account.key}`, {}],
      [`?u=${account.alias}&p=${account.password}`, {}],
    ]
    for (const [query, options] of credentials) {
      const response = await call(`${hookline.url}${path}${query}`, { method: verb, ...options })
      expect([response.status, response.json.code]).toEqual([403, 908])
    }
  })

  test('calls without credentials are rejected', async () => {
    const response = await call(`${hookline.url}${path}`, { method: verb })
    expect([response.status, response.json.code]).toEqual([401, 900])
  })
})

test('no GET changes anything', async () => {
  const user = await signIn(hookline.url, account)
  const gets = [
    ...readable,
    '/api/hooks?action=subscribe&target_url=https://example.com/&event_type=all',
    `/api/account?name=x&_method=POST`,
    '/api/session?_method=DELETE',
  ]
  const before = await readState()
  for (const path of gets) await user.call(path)
  for (const action of ['subscribe', 'unsubscribe']) {
    const query = `action=${action}&target_url=https://example.com/&event_type=all`
    const rejected = await user.call(`/api/hooks?${query}`)
    expect([rejected.status, rejected.json.code]).toEqual([403, 909])
    const head = await user.call(`/api/hooks?${query}`, { method: 'HEAD' })
    expect(head.status).toBe(405)
  }
  for (const path of gets) await user.call(path, { headers: { 'x-http-method-override': 'DELETE' } })
  expect(await readState()).toEqual(before)
})

describe('a GET with the cookie that another site causes', () => {
  const paths = routes
    .filter(({ verb, access }) => verb === 'GET' && access !== 'anyone')
    .map(({ path }) => path)

  test.each(['cross-site', 'same-site'])('is rejected if its Sec-Fetch-Site is %s', async (site) => {
    const user = await signIn(hookline.url, account)
    const countAudited = async () =>
      (await rows('SELECT FROM audit WHERE account_id = $1', account.accountId)).length
    const audited = await countAudited()
    for (const path of [...paths, contract, '/api/events/1?reveal=true']) {
      const { status, json } = await call(`${hookline.url}${path}`, {
        headers: { cookie: user.cookie, 'sec-fetch-site': site },
      })
      expect([status, json.code], path).toEqual([403, 909])
    }
    expect(await countAudited()).toBe(audited)
  })

  test.each(['same-origin', 'none'])('is accepted if its Sec-Fetch-Site is %s', async (site) => {
    const user = await signIn(hookline.url, account)
    const headers = { cookie: user.cookie, 'sec-fetch-site': site }
    expect((await call(`${hookline.url}/api/events/export?reveal=true`, { headers })).status).toBe(200)
  })
})

describe('the cookie and the API', () => {
  test('the cookie authenticates contract calls, and changes require the CSRF proof', async () => {
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    const form = { target_url: 'https://example.com/by-cookie', event_type: 'sms_mo' }
    expect((await call(`${hookline.url}${contract}`, { headers: { cookie: user.cookie } })).status).toBe(200)
    const bare = { method: 'POST', form, headers: { cookie: user.cookie } }
    expect((await call(`${hookline.url}${contract}`, bare)).json.code).toBe(909)
    // The verb decides, so a POST with action=read requires the proof too.
    const reading = { method: 'POST', form: { action: 'read' }, headers: { cookie: user.cookie } }
    expect((await call(`${hookline.url}${contract}`, reading)).json.code).toBe(909)
    const created = await user.call(contract, { method: 'POST', form })
    expect(created.json.success).toBe(true)
    expect((await user.call(contract)).json.hooks).toHaveLength(1)
    const deleted = await user.call(contract, { method: 'DELETE', form: { id: String(created.json.id) } })
    expect(deleted.json.success).toBe(true)
    expect((await user.call(contract, { headers: { origin: 'https://evil.example' } })).status).toBe(200)
  })

  test('an explicit credential takes precedence over the cookie', async () => {
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, account)
    const form = { target_url: 'https://example.com/explicit', event_type: 'sms_mo' }
    const { cookie } = user
    const created = await call(`${hookline.url}${contract}`, {
      method: 'POST',
      key: userAccount.key,
      form,
      headers: { cookie },
    })
    expect(created.json.success).toBe(true)
    const listed = async (key: string) =>
      (await call(`${hookline.url}${contract}`, { key, headers: { cookie } })).json.hooks.length
    expect(await listed(userAccount.key)).toBe(1)
    expect(await listed(account.key)).toBe(0)
    const broken = await call(`${hookline.url}${contract}`, { key: 'hlk_broken', headers: { cookie } })
    expect(broken.status).toBe(401)
    const userOnly = await call(`${hookline.url}/api/keys`, { key: userAccount.key, headers: { cookie } })
    expect(userOnly.json.code).toBe(908)
  })
})

describe('resources of another account', () => {
  test.each([
    ['revoking a key', 'DELETE', (id: number) => `/api/keys/${id}`, undefined],
    ['viewing a key', 'POST', (id: number) => `/api/keys/${id}/view`, 'password'],
  ])('%s gets the same response as an unknown ID', async (_what, method, path, secret) => {
    const user = await signIn(hookline.url, account)
    const before = await readAccountState(other)
    const json = secret === undefined ? {} : { password: account.password }
    const otherResponse = await user.call(path(other.keyId), { method, json })
    const unknownResponse = await user.call(path(2_000_000_000), { method, json })
    expect([otherResponse.status, otherResponse.json.code]).toEqual([404, 1102])
    expect(otherResponse.text.replaceAll(String(other.keyId), 'N')).toBe(
      unknownResponse.text.replaceAll('2000000000', 'N'),
    )
    expect(await readAccountState(other)).toEqual(before)
  })

  test('revoking a session of another account or login gets the same response as an unknown ID', async () => {
    const user = await signIn(hookline.url, account)
    const otherResponse = await signIn(hookline.url, other)
    const { id } = (await otherResponse.call('/api/session')).json.session
    const otherSessionResponse = await user.call(`/api/sessions/${id}`, { method: 'DELETE' })
    const unknownSessionResponse = await user.call('/api/sessions/2000000000', { method: 'DELETE' })
    expect([otherSessionResponse.status, otherSessionResponse.json.code]).toEqual([404, 1102])
    expect(otherSessionResponse.text.replaceAll(String(id), 'N')).toBe(
      unknownSessionResponse.text.replaceAll('2000000000', 'N'),
    )
    await user.call('/api/sessions', { method: 'DELETE' })
    expect(await statusWith(otherResponse.cookie)).toBe(200)

    const colleague = { alias: 'colleague', email: 'colleague@example.com', password: 'of the colleague' }
    await createLogin(hookline.db, createPasswords(), 'operator', account.accountId, colleague)
    const colleagueSession = await signIn(hookline.url, colleague)
    const colleagueSessionId = (await colleagueSession.call('/api/session')).json.session.id
    const rejected = await user.call(`/api/sessions/${colleagueSessionId}`, { method: 'DELETE' })
    expect(rejected.json.code).toBe(1102)
    await user.call('/api/sessions', { method: 'DELETE' })
    expect(await statusWith(colleagueSession.cookie)).toBe(200)
  })

  test('lists contain no keys, sessions or audit entries of another account', async () => {
    const user = await signIn(hookline.url, account)
    await hookline.database.query(
      `INSERT INTO deprecated_uses (account_id, kind, day, uses) VALUES ($1, 'parameter-key', current_date, 1)
       ON CONFLICT DO NOTHING`,
      [other.accountId],
    )
    await signIn(hookline.url, other)
    const lists = await Promise.all(
      ['keys', 'sessions', 'audit?limit=200'].map((path) => user.call(`/api/${path}`)),
    )
    const [keys, sessions, audit] = lists.map(({ json }) => json)
    const otherSessions = await rows<{ id: number }>(
      'SELECT id FROM sessions WHERE login_id = $1',
      other.loginId,
    )
    const otherAudit = await rows<{ id: string }>(
      'SELECT id FROM audit WHERE account_id = $1',
      other.accountId,
    )
    expect(otherSessions.length).toBeGreaterThan(0)
    expect(otherAudit.length).toBeGreaterThan(0)
    expect(ids(keys.keys).has(other.keyId)).toBe(false)
    expect(ids(keys.keys).has(account.keyId)).toBe(true)
    for (const { id } of otherSessions) expect(ids(sessions.sessions).has(id)).toBe(false)
    for (const { id } of otherAudit) expect(ids(audit.entries).has(Number(id))).toBe(false)
    const [newest = { id: '0' }] = otherAudit.toReversed()
    const paged = (await user.call(`/api/audit?limit=200&before=${Number(newest.id) + 1}`)).json
    for (const { id } of otherAudit) expect(ids(paged.entries).has(Number(id))).toBe(false)
  })
})

describe('existence of a login', () => {
  const unknown = { login: 'nobody-at-all', password: 'not the password' }

  test('failed sign-ins for existing and unknown logins get identical responses', async () => {
    const existingResponse = await startSession({ json: wrongPassword(account) })
    const unknownResponse = await startSession({ json: unknown })
    expect([existingResponse.status, existingResponse.json.code]).toEqual([401, 900])
    expect(unknownResponse.text).toBe(existingResponse.text)
    expect(stableHeaders(unknownResponse)).toEqual(stableHeaders(existingResponse))
  })

  test('failed sign-ins are always hashed and never wait for the audit log', async () => {
    const unhashed = await fastestMs(unknown, { origin: 'https://evil.example' })
    expect(await fastestMs(unknown)).toBeGreaterThan(2 * unhashed)
    expect(await fastestMs(wrongPassword(account))).toBeGreaterThan(2 * unhashed)

    await hookline.database.query('BEGIN')
    try {
      await hookline.database.query('LOCK TABLE audit IN ACCESS EXCLUSIVE MODE')
      // Statements time out after five seconds, so a response that needs the table would be a 503.
      expect((await startSession({ json: wrongPassword(account) })).json.code).toBe(900)
      expect((await startSession({ json: unknown })).json.code).toBe(900)
    } finally {
      await hookline.database.query('ROLLBACK')
    }
    await hookline.database.query('DELETE FROM login_attempts')
  })
})

describe('guessing', () => {
  test('password guesses are throttled at sign-in and at password prompts', async () => {
    const narrow = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '6' }, 'api')
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    const headers = { cookie: user.cookie, origin: hookline.url, 'x-csrf-token': user.csrfToken }
    const guess = {
      password: 'not the password',
      current_password: 'not the password',
      email: 'a@example.com',
    }
    const guesses = [
      ['POST', '/api/session', { ...guess, login: userAccount.alias }],
      ['POST', `/api/keys/${userAccount.keyId}/view`, guess],
      ['POST', '/api/password', { ...guess, new_password: 'another password' }],
      ['POST', '/api/second-factor', guess],
      ['DELETE', '/api/second-factor', guess],
      ['POST', '/api/passkeys/options', guess],
      ['DELETE', '/api/passkeys/1', guess],
      ['POST', '/api/login', guess],
    ] as const
    const codes: number[] = []
    for (const [method, path, json] of guesses)
      codes.push((await call(`${narrow.url}${path}`, { method, json, headers })).json.code)
    // A session has a separate allowance that sign-in attempts cannot exhaust.
    expect(codes).toEqual([900, 910, 910, 910, 910, 910, 910, 907])
    // The right password is rejected too while throttled.
    const right = await call(`${narrow.url}/api/keys/${userAccount.keyId}/view`, {
      method: 'POST',
      json: { password: userAccount.password },
      headers,
    })
    expect([right.status, right.json.code]).toEqual([429, 907])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800)
    await hookline.database.query('DELETE FROM login_attempts')
  })

  test('email guesses are throttled', async () => {
    const narrow = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '2' }, 'api')
    const userAccount = await hookline.account()
    const user = await signIn(hookline.url, userAccount)
    const headers = { cookie: user.cookie, origin: hookline.url, 'x-csrf-token': user.csrfToken }
    const codes: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      const json = { email: account.email, password: userAccount.password }
      codes.push((await call(`${narrow.url}/api/login`, { method: 'POST', json, headers })).json.code)
    }
    expect(codes).toEqual([1130, 1130, 907])
  })
})

describe('user input', () => {
  const script = '<script>alert(1)</script><img src=x onerror=alert(2)>'

  test('HTML in input is returned unchanged in JSON that browsers do not render', async () => {
    const userAccount = await hookline.account()
    const signedIn = await call(`${hookline.url}/api/session`, {
      method: 'POST',
      json: { login: userAccount.alias, password: userAccount.password },
      headers: { origin: hookline.url, 'user-agent': script },
    })
    const headers = {
      cookie: cookieIn(signedIn),
      origin: hookline.url,
      'x-csrf-token': signedIn.json.csrf_token,
      accept: 'text/html',
    }
    const callAs = (path: string, input: Partial<CallOptions> = {}) =>
      call(`${hookline.url}${path}`, { ...input, headers })
    await callAs('/api/account', { method: 'POST', json: { name: script } })
    await callAs('/api/keys', { method: 'POST', json: { name: script, scopes: ['all'] } })

    const responses = await Promise.all(
      ['session', 'keys', 'sessions', 'audit'].map((path) => callAs(`/api/${path}`)),
    )
    const [session, keys, sessions, audit] = responses.map(({ json }) => json)
    expect(session.account.name).toBe(script)
    expect(keys.keys[0].name).toBe(script)
    expect(sessions.sessions[0].user_agent).toBe(script)
    expect(audit.entries[0].detail.name).toBe(script)
    expect(audit.entries[1].detail.to).toBe(script)
    const reflecting = await callAs(
      `/api/account?${encodeURIComponent(script)}=1&${encodeURIComponent(script)}=2`,
      {
        method: 'POST',
        json: { name: 'x' },
      },
    )
    expect(reflecting.text).toContain('alert(1)')
    for (const response of [...responses, reflecting]) {
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('a long User-Agent is truncated', async () => {
    const userAccount = await hookline.account()
    const signedIn = await startSession({
      json: { login: userAccount.alias, password: userAccount.password },
      headers: { 'user-agent': 'x'.repeat(4_000) },
    })
    expect(signedIn.status).toBe(200)
    const [row] = await rows<{ length: number }>(
      'SELECT length(user_agent) AS length FROM sessions WHERE login_id = $1',
      userAccount.loginId,
    )
    expect(row?.length).toBe(300)
  })

  test.each(['login', 'password', 'code'])(
    'a NUL in %s is rejected with a validation error',
    async (name) => {
      const json = { login: 'x', password: 'x', code: 'x', [name]: 'x\0' }
      expect((await startSession({ json })).json.code).toBe(1012)
    },
  )
})

test('no response can be framed, cached or read by another site', async () => {
  const user = await signIn(hookline.url, account)
  for (const path of [...readable, '/api/nothing', '/']) {
    const { headers } = await user.call(path)
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control'), path).toContain('no-')
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    expect(headers.get('access-control-allow-origin'), path).toBeNull()
  }
  const preflight = await call(`${hookline.url}/api/session`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
  })
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

async function rows<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(text, values)
}

function swapCase(text: string): string {
  return text.replace(/(?<==.*)[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** Returns all data that a call could change, without columns that every call updates and records of exports. */
async function readState(): Promise<object[]> {
  const tables: object[] = []
  for (const table of [
    'accounts',
    'logins',
    'recovery_codes',
    'passkeys',
    'used_challenges',
    'password_resets',
    'hooks',
    `(SELECT * FROM audit WHERE action <> 'event.export') AS audit`,
    'apps',
    'grants',
    '(SELECT id, name, scopes, revoked_at FROM keys) AS keys',
    '(SELECT id, expires_at FROM sessions) AS sessions',
  ])
    tables.push(await rows(`SELECT * FROM ${table} ORDER BY 1, 2`))
  return tables
}

async function readAccountState({ accountId }: TestAccount) {
  return {
    keys: await rows('SELECT * FROM keys WHERE account_id = $1 ORDER BY id', accountId),
    audit: await rows('SELECT * FROM audit WHERE account_id = $1 ORDER BY id', accountId),
  }
}

/** Returns the header lines without those that differ in every response. */
function stableHeaders({ headers }: CallResponse): Array<[string, string]> {
  return [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
}

function ids(list: Array<{ id: number }>): Set<number> {
  return new Set(list.map(({ id }) => id))
}

function wrongPassword({ alias }: TestAccount) {
  return { login: alias, password: 'not the password' }
}

/** Returns the fastest of eight calls in milliseconds, which is the least affected by load. */
async function fastestMs(json: object, headers: Record<string, string> = {}): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) {
    const startedAt = performance.now()
    await startSession({ json, headers })
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

test('a user can revoke a key that has exhausted the call rate of the account', async () => {
  const flooded = await hookline.account()
  const user = await signIn(hookline.url, flooded)
  const calls = {
    call_counts: () => call(`${hookline.url}${contract}`, { key: flooded.key }),
    people_call_counts: () => user.call('/api/keys'),
  }
  // Retries in case a new minute has just started.
  const untilRejected = (table: keyof typeof calls): Promise<void> =>
    expect
      .poll(async () => {
        await hookline.database.query(
          `INSERT INTO ${table} VALUES ($1, date_trunc('minute', now()), 3000)
           ON CONFLICT (account_id) DO UPDATE SET minute = excluded.minute, calls = excluded.calls`,
          [flooded.accountId],
        )
        return (await calls[table]()).status
      })
      .toBe(429)
  await untilRejected('call_counts')
  expect((await user.call(`/api/keys/${flooded.keyId}`, { method: 'DELETE' })).status).toBe(200)
  await untilRejected('people_call_counts')
})
