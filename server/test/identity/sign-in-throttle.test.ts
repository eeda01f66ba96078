/**
 * Sign-in throttling under attack: strangers on many networks try to lock out users, to find existing logins, or to
 * exhaust the hashing capacity. Callers come from different networks through a trusted proxy.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { post, registerApp } from '../support/oauth-client.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

// Hash floods take long on a slow machine.
vi.setConfig({ testTimeout: 120_000 })

/** The smallest allowance; the wider ones are multiples of it. */
const limit = 1

let hookline: TestService
let narrow: ServiceProcess
let second: ServiceProcess
beforeAll(async () => {
  hookline = await startDashboardService({ TRUSTED_PROXIES: '127.0.0.1' })
  const settings = { PORT: '0', LOGIN_ATTEMPTS: String(limit) }
  narrow = await hookline.startAnother(settings, 'api')
  second = await hookline.startAnother(settings, 'api')
})
afterAll(() => hookline.close())
beforeEach(() => hookline.database.query('DELETE FROM login_attempts'))

interface Guess {
  login: string
  password?: string
  ip: string
  url?: string
  cookie?: string
}

/** Signs in as a browser does. */
function startSession({ login, password = 'not the password', ip, url = narrow.url, cookie }: Guess) {
  return call(`${url}/api/session`, {
    method: 'POST',
    json: { login, password },
    headers: { origin: hookline.url, 'x-forwarded-for': ip, ...(cookie !== undefined && { cookie }) },
  })
}

/** Calls the API with `u` and `p`. */
function callApi({ login, password = 'not the password', ip, url = narrow.url }: Guess) {
  return call(`${url}/api/hooks?${new URLSearchParams({ u: login, p: password }).toString()}`, {
    headers: { 'x-forwarded-for': ip },
  })
}

async function statusesOf(guesses: Iterable<Guess>): Promise<number[]> {
  const statuses: number[] = []
  for (const guess of guesses) statuses.push((await startSession(guess)).status)
  return statuses
}

function* repeat(times: number, guess: (index: number) => Guess): Generator<Guess> {
  for (let index = 0; index < times; index++) yield guess(index)
}

function ipv4(index: number): string {
  return `198.19.${index >> 8}.${index & 255}`
}

/** Returns everything that a stranger can see of a response. */
function visible({ status, text, headers }: CallResponse) {
  const lines = [...headers].filter(([name]) => !['date', 'x-request-id', 'retry-after'].includes(name))
  const retryAfter = headers.get('retry-after')
  // Rounded, because Retry-After depends on the current second.
  return { status, text, lines, wait: retryAfter === null ? null : Math.ceil(Number(retryAfter) / 60) }
}

describe('login names', () => {
  test('an attempt never counts for another login, even with a similar name', async () => {
    const { alias, password, loginId } = await hookline.account()
    for (const login of [`#${loginId}`, `${loginId}`, `login:${loginId}`, `["name","${alias}"]`])
      expect(await statusesOf(repeat(limit * 10 + 1, (n) => ({ login, ip: ipv4(n) })))).toContain(429)
    expect((await startSession({ login: alias, password, ip: '198.18.0.1' })).status).toBe(200)
  })

  test('alias, email and unknown name get identical responses before and after the limit', async () => {
    const { alias, email } = await hookline.account()
    const unknownLogin = `user-${randomBytes(6).toString('hex')}`
    const responsesByKind: Record<string, unknown[]> = { known: [], unknown: [] }
    for (const [kind, names, ip] of [
      ['known', [alias, email], '198.18.0.2'],
      ['unknown', [unknownLogin, `${unknownLogin}@example.com`], '198.18.0.3'],
    ] as const)
      for (const login of names)
        for (let attempt = 0; attempt < limit + 2; attempt++)
          responsesByKind[kind]?.push(visible(await startSession({ login, ip })))
    expect(responsesByKind.known).toEqual(responsesByKind.unknown)
    const statuses = responsesByKind.known?.map((response) => (response as { status: number }).status)
    expect(statuses).toEqual([401, 429, 429, 401, 429, 429])
  })

  test('alias, email and unknown name get identical responses after a flood from many networks', async () => {
    const { alias, email } = await hookline.account()
    const unknownLogin = `user-${randomBytes(6).toString('hex')}`
    const flood = (login: string, from: number) =>
      statusesOf(repeat(limit * 10 + 2, (n) => ({ login, ip: ipv4(from + n) })))
    const expected = [...Array.from({ length: limit * 10 }, () => 401), 429, 429]
    expect(await flood(alias, 0)).toEqual(expected)
    expect(await flood(email, 100)).toEqual(expected)
    expect(await flood(unknownLogin, 200)).toEqual(expected)
  })

  test('existing and unknown logins get identical throttled responses from a known network', async () => {
    const { alias, password } = await hookline.account()
    const unknownLogin = `user-${randomBytes(6).toString('hex')}`
    expect((await startSession({ login: alias, password, ip: '198.18.0.4' })).status).toBe(200)
    for (const login of [alias, unknownLogin])
      await statusesOf(repeat(limit * 10, (n) => ({ login, ip: ipv4(n) })))
    await hookline.database.query("UPDATE login_attempts SET started_at = date_trunc('minute', now())")
    const existing = await startSession({ login: alias, ip: '198.18.0.4' })
    const unknownResponse = await startSession({ login: unknownLogin, ip: '198.18.0.4' })
    expect(existing.status).toBe(429)
    expect(visible(existing)).toEqual(visible(unknownResponse))
  })
})

describe('IPv6 prefixes', () => {
  test.each([
    ['a /64', (n: number) => `2001:db8:1:1::${n + 1}`, limit],
    ['a /56', (n: number) => `2001:db8:2:1${(n + 16).toString(16)}::1`, limit * 2],
    ['a /48', (n: number) => `2001:db8:3:${(n + 1).toString(16)}00::1`, limit * 4],
  ])('attempts for one name are limited per prefix: %s', async (_what, ip, allowed) => {
    const login = `nobody-${randomBytes(4).toString('hex')}`
    const statuses = await statusesOf(repeat(allowed + 2, (n) => ({ login, ip: ip(n) })))
    expect(statuses).toEqual([...Array.from({ length: allowed }, () => 401), 429, 429])
  })

  test.each([
    ['a /64', (n: number) => `2001:db8:4:1::${n + 1}`, limit * 5],
    ['a /56', (n: number) => `2001:db8:5:1${(n + 16).toString(16)}::1`, limit * 10],
    ['a /48', (n: number) => `2001:db8:6:${(n + 1).toString(16)}00::1`, limit * 20],
  ])('attempts for many names are limited per prefix: %s', async (_what, ip, allowed) => {
    const guesses = repeat(allowed + 2, (n) => ({ login: `nobody-${n}`, ip: ip(n) }))
    expect(await statusesOf(guesses)).toEqual([...Array.from({ length: allowed }, () => 401), 429, 429])
  })

  test('one prefix cannot exhaust the global limit of a login', async () => {
    const { alias, password } = await hookline.account()
    await statusesOf(
      repeat(limit * 12, (n) => ({ login: alias, ip: `2001:db8:7:${(n + 1).toString(16)}00::1` })),
    )
    expect((await startSession({ login: alias, password, ip: '2001:db8:8::1' })).status).toBe(200)
  })
})

describe('a user under attack', () => {
  test('a user signs in with a known browser from any network while strangers guess', async () => {
    const account = await hookline.account()
    const cookie = await signInFrom(account, '198.18.1.1')
    await attack(account)
    const credentials = { login: account.email, password: account.password, ip: '198.18.1.2' }
    expect((await startSession(credentials)).status, 'without the cookie').toBe(429)
    expect((await startSession({ ...credentials, cookie })).status, 'with the cookie').toBe(200)
  })

  test('a user signs in from a known network while strangers guess', async () => {
    const account = await hookline.account()
    await signInFrom(account, '198.18.1.3')
    await attack(account)
    const credentials = { login: account.alias, password: account.password }
    expect((await startSession({ ...credentials, ip: '198.18.1.3' })).status).toBe(200)
    expect((await callApi({ ...credentials, ip: '198.18.1.3' })).status).toBe(200)
    expect((await startSession({ ...credentials, ip: '198.18.1.4' })).status).toBe(429)
  })

  test('an API call with login and password makes the network known', async () => {
    const account = await hookline.account()
    const credentials = { login: account.alias, password: account.password, ip: '198.18.1.5' }
    expect((await callApi(credentials)).status).toBe(200)
    await attack(account)
    expect((await callApi(credentials)).status).toBe(200)
  })
})

describe('a device cookie', () => {
  test('a device cookie has a separate, limited allowance', async () => {
    const { alias, password } = await hookline.account()
    const cookie = cookieNamed(
      await startSession({ login: alias, password, ip: '198.18.2.1' }),
      'hookline-device',
    )
    const guesses = repeat(limit + 1, (n) => ({ login: alias, ip: ipv4(n), cookie }))
    expect(await statusesOf(guesses)).toEqual([401, 429])
    expect((await startSession({ login: alias, password, ip: '198.18.2.2', cookie })).status).toBe(429)
  })

  test('a device cookie is not a credential and does not apply to another login', async () => {
    const userAccount = await hookline.account()
    const other = await hookline.account()
    const signedIn = await startSession({
      login: userAccount.alias,
      password: userAccount.password,
      ip: '198.18.2.3',
    })
    const cookie = cookieNamed(signedIn, 'hookline-device')
    expect((await call(`${narrow.url}/api/session`, { headers: { cookie } })).status).toBe(401)
    expect((await startSession({ login: userAccount.alias, ip: '198.18.2.3', cookie })).status).toBe(401)
    const guesses = repeat(limit * 10 + 1, (n) => ({ login: other.alias, ip: ipv4(n), cookie }))
    expect((await statusesOf(guesses)).at(-1)).toBe(429)
  })

  test('a device cookie is renewed at sign-in, is HttpOnly and is revoked by a password change', async () => {
    const account = await hookline.account()
    const credentials = { login: account.alias, password: account.password, ip: '198.18.2.4' }
    const first = await startSession(credentials)
    const next = await startSession({ ...credentials, cookie: cookieNamed(first, 'hookline-device') })
    expect(cookieNamed(next, 'hookline-device')).not.toBe(cookieNamed(first, 'hookline-device'))
    const line = next.headers.getSetCookie().find((cookieLine) => cookieLine.startsWith('hookline-device='))
    expect(line).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(Date.parse(/Expires=([^;]+)/.exec(line ?? '')?.[1] ?? '')).toBeLessThan(
      Date.now() + 91 * 86_400_000,
    )

    const user = await signIn(hookline.url, account)
    const changed = await user.call('/api/password', {
      method: 'POST',
      json: { current_password: account.password, new_password: 'another password' },
    })
    await statusesOf(repeat(limit * 10, (n) => ({ login: account.alias, ip: ipv4(n) })))
    const after = { ...credentials, password: 'another password', ip: '198.18.2.5' }
    const old = cookieNamed(next, 'hookline-device')
    expect((await startSession({ ...after, cookie: old })).status, 'issued before the change').toBe(429)
    const renewed = cookieNamed(changed, 'hookline-device')
    expect((await startSession({ ...after, cookie: renewed })).status, 'issued by the change').toBe(200)
  })

  test('a device cookie with an invalid signature is ignored', async () => {
    const { alias, password, loginId } = await hookline.account()
    await statusesOf(repeat(limit * 10, (n) => ({ login: alias, ip: ipv4(n) })))
    const id = 'A'.repeat(22)
    const signature = 'A'.repeat(43)
    for (const value of ['', 'x', `${loginId}.2.3.4`, `${loginId}.${id}.9999999999.${signature}`]) {
      const cookie = `hookline-device=${value}`
      expect((await startSession({ login: alias, password, ip: '198.18.2.6', cookie })).status, value).toBe(
        429,
      )
    }
  })
})

describe('concurrent calls', () => {
  test('concurrent calls with the right password all succeed', async () => {
    const { alias, password } = await hookline.account()
    const calls = repeat(60, () => ({ login: alias, password, ip: '198.18.3.1', url: hookline.url }))
    const responses = await Promise.all([...calls].map(callApi))
    expect(countStatuses(responses)).toEqual({ 200: 60 })
  })

  test('concurrent calls with the right password all succeed on two processes with a small limit', async () => {
    const { alias, password } = await hookline.account()
    const calls = repeat(10, (n) => ({
      login: alias,
      password,
      ip: '198.18.3.2',
      url: n % 2 ? narrow.url : second.url,
    }))
    expect(countStatuses(await Promise.all([...calls].map(callApi)))).toEqual({ 200: 10 })
  })

  test('concurrent wrong passwords on two processes never exceed the limit', async () => {
    const { alias } = await hookline.account()
    const guesses = repeat(50, (n) => ({
      login: alias,
      password: `wrong ${n}`,
      ip: '198.18.3.3',
      url: n % 2 ? narrow.url : second.url,
    }))
    expect(countStatuses(await Promise.all([...guesses].map(callApi)))).toEqual({
      401: limit,
      429: 50 - limit,
    })
  })

  test('concurrent calls of an app to the token endpoint are not throttled', async () => {
    const publisher = await signIn(hookline.url, await hookline.account())
    const app = await registerApp(hookline, publisher)
    const grant = { grant_type: 'refresh_token', refresh_token: 'none' }
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => post(hookline, 'token', grant, app)),
    )
    expect(countStatuses(responses)).toEqual({ 400: 100 })
    expect(new Set(responses.map(({ json }) => json.error))).toEqual(new Set(['invalid_grant']))
  })

  test('the allowance of a crashed process is released', async () => {
    const doomed = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: String(limit) }, 'api')
    const { alias, password } = await hookline.account()
    const credentials = { login: alias, password, ip: '198.18.3.4' }
    // The attempts reserve their allowance and are killed before they settle.
    const calls = [...repeat(limit, () => ({ ...credentials, url: doomed.url }))].map((guess) =>
      callApi(guess),
    )
    const ended = Promise.allSettled(calls)
    await expect.poll(inFlight, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
    doomed.child.kill('SIGKILL')
    await ended
    expect(await inFlight(), 'remaining reservations').toBeGreaterThan(0)
    await hookline.database.query(`
      UPDATE login_attempts SET in_flight =
        (SELECT coalesce(jsonb_object_agg(key, value::text::float8 - 60), '{}') FROM jsonb_each(in_flight))
    `)
    const retries = repeat(limit, () => credentials)
    expect(countStatuses(await Promise.all([...retries].map(callApi)))).toEqual({ 200: limit })
  })
})

test('64 strangers on changing networks do not lock out users', async () => {
  const accounts = await Promise.all(Array.from({ length: 24 }, () => hookline.account()))
  const kinds = ['device', 'network', 'new'] as const
  const calls = accounts.map(({ alias, password }, index) => ({
    kind: kinds[index % kinds.length] ?? 'new',
    login: alias,
    password,
    ip: `198.18.4.${index}`,
  }))
  // Users sign in on another process first, so that this process has to hash every password.
  const attempts = await Promise.all(
    calls.map(async ({ kind, ...credentials }) => {
      if (kind === 'new') return credentials
      const signedIn = await startSession(credentials)
      expect(signedIn.status).toBe(200)
      const elsewhere = credentials.ip.replace('198.18.4', '198.18.5')
      return kind === 'network'
        ? credentials
        : { ...credentials, ip: elsewhere, cookie: cookieNamed(signedIn, 'hookline-device') }
    }),
  )
  const stopped = new AbortController()
  let strangerCalls = 0
  const strangers = Array.from({ length: 64 }, async () => {
    while (!stopped.signal.aborted) {
      const index = strangerCalls++
      await startSession({ login: `nobody-${index}`, ip: ipv4(index), url: hookline.url })
    }
  })
  try {
    await expect.poll(() => strangerCalls, { timeout: 30_000 }).toBeGreaterThan(100)
    const responses = await Promise.all(
      attempts.map((credentials) => startSession({ ...credentials, url: hookline.url })),
    )
    expect(countStatuses(responses)).toEqual({ 200: 24 })
  } finally {
    stopped.abort()
    await Promise.all(strangers)
  }
})

/** Guesses from more networks than the global limit of a login allows. */
async function attack({ alias, email }: TestAccount): Promise<void> {
  for (const login of [alias, email])
    await Promise.all([...repeat(limit * 10 + 5, (n) => ({ login, ip: ipv4(n) }))].map(startSession))
  expect((await startSession({ login: alias, ip: '198.18.9.9' })).status).toBe(429)
}

async function signInFrom(account: TestAccount, ip: string): Promise<string> {
  const signedIn = await startSession({ login: account.alias, password: account.password, ip })
  expect(signedIn.status).toBe(200)
  return cookieNamed(signedIn, 'hookline-device')
}

async function inFlight(): Promise<number> {
  const [row] = await hookline.database.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM login_attempts WHERE in_flight <> '{}'",
  )
  return row?.count ?? 0
}

function cookieNamed({ headers }: CallResponse, name: string): string {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return pairs.find((pair) => pair.startsWith(`${name}=`)) ?? ''
}

function countStatuses(responses: ReadonlyArray<{ status: number }>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
