/**
 * Sign-in throttling under attack: strangers on many networks try to lock an owner out, to learn which logins exist, or
 * to use up the capacity for hashing. Callers come from different networks through a trusted proxy.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { call, type CallAnswer } from './call.ts'
import { post, registerApp } from './oauth-client.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

// Floods of hashes take as long as the machine needs.
vi.setConfig({ testTimeout: 120_000 })

/** The smallest allowance; the wider ones are multiples of it. */
const limit = 1

let world: TestWorld
let narrow: ServiceProcess
let second: ServiceProcess
beforeAll(async () => {
  world = await startAreaWorld({ TRUSTED_PROXIES: '127.0.0.1' })
  const settings = { PORT: '0', LOGIN_ATTEMPTS: String(limit) }
  narrow = await world.startAnother(settings, 'api')
  second = await world.startAnother(settings, 'api')
})
afterAll(() => world.close())
beforeEach(() => world.database.query('DELETE FROM login_attempts'))

interface Guess {
  login: string
  password?: string
  ip: string
  url?: string
  cookie?: string
}

/** A sign-in in a browser. */
function enter({ login, password = 'not the password', ip, url = narrow.url, cookie }: Guess) {
  return call(`${url}/api/session`, {
    method: 'POST',
    json: { login, password },
    headers: { origin: world.url, 'x-forwarded-for': ip, ...(cookie !== undefined && { cookie }) },
  })
}

/** A call of the API with `u` and `p`. */
function callApi({ login, password = 'not the password', ip, url = narrow.url }: Guess) {
  return call(`${url}/api/hooks?${new URLSearchParams({ u: login, p: password }).toString()}`, {
    headers: { 'x-forwarded-for': ip },
  })
}

async function statusesOf(guesses: Iterable<Guess>): Promise<number[]> {
  const statuses: number[] = []
  for (const guess of guesses) statuses.push((await enter(guess)).status)
  return statuses
}

function* repeat(times: number, guess: (index: number) => Guess): Generator<Guess> {
  for (let index = 0; index < times; index++) yield guess(index)
}

function ipv4(index: number): string {
  return `198.19.${index >> 8}.${index & 255}`
}

/** All that a stranger can see of a response. */
function visible({ status, text, headers }: CallAnswer) {
  const lines = [...headers].filter(([name]) => !['date', 'x-request-id', 'retry-after'].includes(name))
  const retryAfter = headers.get('retry-after')
  // The second in which it is asked does not matter.
  return { status, text, lines, wait: retryAfter === null ? null : Math.ceil(Number(retryAfter) / 60) }
}

describe('a typed name', () => {
  test('never counts for another login, whatever it looks like', async () => {
    const { alias, password, loginId } = await world.account()
    for (const login of [`#${loginId}`, `${loginId}`, `login:${loginId}`, `["name","${alias}"]`])
      expect(await statusesOf(repeat(limit * 10 + 1, (n) => ({ login, ip: ipv4(n) })))).toContain(429)
    expect((await enter({ login: alias, password, ip: '198.18.0.1' })).status).toBe(200)
  })

  test('is answered alike as alias, email or unknown name, before and after the limit', async () => {
    const { alias, email } = await world.account()
    const nobody = `user-${randomBytes(6).toString('hex')}`
    const seen: Record<string, unknown[]> = { known: [], unknown: [] }
    for (const [kind, names, ip] of [
      ['known', [alias, email], '198.18.0.2'],
      ['unknown', [nobody, `${nobody}@example.com`], '198.18.0.3'],
    ] as const)
      for (const login of names)
        for (let attempt = 0; attempt < limit + 2; attempt++)
          seen[kind]?.push(visible(await enter({ login, ip })))
    expect(seen.known).toEqual(seen.unknown)
    const statuses = seen.known?.map((response) => (response as { status: number }).status)
    expect(statuses).toEqual([401, 429, 429, 401, 429, 429])
  })

  test('is answered alike after a flood from many networks', async () => {
    const { alias, email } = await world.account()
    const nobody = `user-${randomBytes(6).toString('hex')}`
    const flood = (login: string, from: number) =>
      statusesOf(repeat(limit * 10 + 2, (n) => ({ login, ip: ipv4(from + n) })))
    const expected = [...Array.from({ length: limit * 10 }, () => 401), 429, 429]
    expect(await flood(alias, 0)).toEqual(expected)
    expect(await flood(email, 100)).toEqual(expected)
    expect(await flood(nobody, 200)).toEqual(expected)
  })

  test('is answered alike from a network where its login is known, once too many failed', async () => {
    const { alias, password } = await world.account()
    const nobody = `user-${randomBytes(6).toString('hex')}`
    expect((await enter({ login: alias, password, ip: '198.18.0.4' })).status).toBe(200)
    for (const login of [alias, nobody]) await statusesOf(repeat(limit * 10, (n) => ({ login, ip: ipv4(n) })))
    await world.database.query("UPDATE login_attempts SET started_at = date_trunc('minute', now())")
    const known = await enter({ login: alias, ip: '198.18.0.4' })
    const unknown = await enter({ login: nobody, ip: '198.18.0.4' })
    expect(known.status).toBe(429)
    expect(visible(known)).toEqual(visible(unknown))
  })
})

describe('one customer with much of IPv6', () => {
  test.each([
    ['a /64', (n: number) => `2001:db8:1:1::${n + 1}`, limit],
    ['a /56', (n: number) => `2001:db8:2:1${(n + 16).toString(16)}::1`, limit * 2],
    ['a /48', (n: number) => `2001:db8:3:${(n + 1).toString(16)}00::1`, limit * 4],
  ])('tries one name from %s a bounded number of times', async (_what, ip, allowed) => {
    const login = `nobody-${randomBytes(4).toString('hex')}`
    const statuses = await statusesOf(repeat(allowed + 2, (n) => ({ login, ip: ip(n) })))
    expect(statuses).toEqual([...Array.from({ length: allowed }, () => 401), 429, 429])
  })

  test.each([
    ['a /64', (n: number) => `2001:db8:4:1::${n + 1}`, limit * 5],
    ['a /56', (n: number) => `2001:db8:5:1${(n + 16).toString(16)}::1`, limit * 10],
    ['a /48', (n: number) => `2001:db8:6:${(n + 1).toString(16)}00::1`, limit * 20],
  ])('tries many names from %s a bounded number of times', async (_what, ip, allowed) => {
    const guesses = repeat(allowed + 2, (n) => ({ login: `nobody-${n}`, ip: ip(n) }))
    expect(await statusesOf(guesses)).toEqual([...Array.from({ length: allowed }, () => 401), 429, 429])
  })

  test('cannot use up what a login may fail from anywhere', async () => {
    const { alias, password } = await world.account()
    await statusesOf(
      repeat(limit * 12, (n) => ({ login: alias, ip: `2001:db8:7:${(n + 1).toString(16)}00::1` })),
    )
    expect((await enter({ login: alias, password, ip: '2001:db8:8::1' })).status).toBe(200)
  })
})

describe('an owner', () => {
  test('signs in with a known browser from anywhere, while strangers guess', async () => {
    const account = await world.account()
    const cookie = await signInFrom(account, '198.18.1.1')
    await attack(account)
    const own = { login: account.email, password: account.password, ip: '198.18.1.2' }
    expect((await enter(own)).status, 'without the cookie').toBe(429)
    expect((await enter({ ...own, cookie })).status, 'with the cookie').toBe(200)
  })

  test('signs in from a known network, while strangers guess', async () => {
    const account = await world.account()
    await signInFrom(account, '198.18.1.3')
    await attack(account)
    const own = { login: account.alias, password: account.password }
    expect((await enter({ ...own, ip: '198.18.1.3' })).status).toBe(200)
    expect((await callApi({ ...own, ip: '198.18.1.3' })).status).toBe(200)
    expect((await enter({ ...own, ip: '198.18.1.4' })).status).toBe(429)
  })

  test('is known where the API was called with login and password', async () => {
    const account = await world.account()
    const own = { login: account.alias, password: account.password, ip: '198.18.1.5' }
    expect((await callApi(own)).status).toBe(200)
    await attack(account)
    expect((await callApi(own)).status).toBe(200)
  })
})

describe('a device cookie', () => {
  test('has an allowance of its own, which ends', async () => {
    const { alias, password } = await world.account()
    const cookie = cookieNamed(await enter({ login: alias, password, ip: '198.18.2.1' }), 'hookline-device')
    const guesses = repeat(limit + 1, (n) => ({ login: alias, ip: ipv4(n), cookie }))
    expect(await statusesOf(guesses)).toEqual([401, 429])
    expect((await enter({ login: alias, password, ip: '198.18.2.2', cookie })).status).toBe(429)
  })

  test('is no credential and says nothing about another login', async () => {
    const owner = await world.account()
    const other = await world.account()
    const entered = await enter({ login: owner.alias, password: owner.password, ip: '198.18.2.3' })
    const cookie = cookieNamed(entered, 'hookline-device')
    expect((await call(`${narrow.url}/api/session`, { headers: { cookie } })).status).toBe(401)
    expect((await enter({ login: owner.alias, ip: '198.18.2.3', cookie })).status).toBe(401)
    const guesses = repeat(limit * 10 + 1, (n) => ({ login: other.alias, ip: ipv4(n), cookie }))
    expect((await statusesOf(guesses)).at(-1)).toBe(429)
  })

  test('is new at every sign-in, is kept from scripts and ends with the password', async () => {
    const account = await world.account()
    const own = { login: account.alias, password: account.password, ip: '198.18.2.4' }
    const first = await enter(own)
    const next = await enter({ ...own, cookie: cookieNamed(first, 'hookline-device') })
    expect(cookieNamed(next, 'hookline-device')).not.toBe(cookieNamed(first, 'hookline-device'))
    const line = next.headers.getSetCookie().find((one) => one.startsWith('hookline-device='))
    expect(line).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(Date.parse(/Expires=([^;]+)/.exec(line ?? '')?.[1] ?? '')).toBeLessThan(
      Date.now() + 91 * 86_400_000,
    )

    const person = await signIn(world.url, account)
    const changed = await person.call('/api/password', {
      method: 'POST',
      json: { current_password: account.password, new_password: 'another password' },
    })
    await statusesOf(repeat(limit * 10, (n) => ({ login: account.alias, ip: ipv4(n) })))
    const after = { ...own, password: 'another password', ip: '198.18.2.5' }
    const old = cookieNamed(next, 'hookline-device')
    expect((await enter({ ...after, cookie: old })).status, 'from before the change').toBe(429)
    const renewed = cookieNamed(changed, 'hookline-device')
    expect((await enter({ ...after, cookie: renewed })).status, 'from the change').toBe(200)
  })

  test('that nobody signed counts for nothing', async () => {
    const { alias, password, loginId } = await world.account()
    await statusesOf(repeat(limit * 10, (n) => ({ login: alias, ip: ipv4(n) })))
    const id = 'A'.repeat(22)
    const signature = 'A'.repeat(43)
    for (const value of ['', 'x', `${loginId}.2.3.4`, `${loginId}.${id}.9999999999.${signature}`]) {
      const cookie = `hookline-device=${value}`
      expect((await enter({ login: alias, password, ip: '198.18.2.6', cookie })).status, value).toBe(429)
    }
  })
})

describe('calls in parallel', () => {
  test('with the right login and password all succeed', async () => {
    const { alias, password } = await world.account()
    const calls = repeat(60, () => ({ login: alias, password, ip: '198.18.3.1', url: world.url }))
    const responses = await Promise.all([...calls].map(callApi))
    expect(countOf(responses)).toEqual({ 200: 60 })
  })

  test('with the right login and password all succeed over two processes with a small limit', async () => {
    const { alias, password } = await world.account()
    const calls = repeat(10, (n) => ({
      login: alias,
      password,
      ip: '198.18.3.2',
      url: n % 2 ? narrow.url : second.url,
    }))
    expect(countOf(await Promise.all([...calls].map(callApi)))).toEqual({ 200: 10 })
  })

  test('with a wrong password get no guess more than the limit, over two processes', async () => {
    const { alias } = await world.account()
    const guesses = repeat(50, (n) => ({
      login: alias,
      password: `wrong ${n}`,
      ip: '198.18.3.3',
      url: n % 2 ? narrow.url : second.url,
    }))
    expect(countOf(await Promise.all([...guesses].map(callApi)))).toEqual({ 401: limit, 429: 50 - limit })
  })

  test('of an app to the token endpoint are not throttled', async () => {
    const publisher = await signIn(world.url, await world.account())
    const app = await registerApp(world, publisher)
    const grant = { grant_type: 'refresh_token', refresh_token: 'none' }
    const responses = await Promise.all(Array.from({ length: 100 }, () => post(world, 'token', grant, app)))
    expect(countOf(responses)).toEqual({ 400: 100 })
    expect(new Set(responses.map(({ json }) => json.error))).toEqual(new Set(['invalid_grant']))
  })

  test('give their allowance back if the process dies', async () => {
    const doomed = await world.startAnother({ PORT: '0', LOGIN_ATTEMPTS: String(limit) }, 'api')
    const { alias, password } = await world.account()
    const own = { login: alias, password, ip: '198.18.3.4' }
    // The attempts reserve their allowance and cannot finish: settling waits for the row.
    const calls = [...repeat(limit, () => ({ ...own, url: doomed.url }))].map((guess) => callApi(guess))
    const ended = Promise.allSettled(calls)
    await expect.poll(inFlight, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
    doomed.child.kill('SIGKILL')
    await ended
    expect(await inFlight(), 'reservations left behind').toBeGreaterThan(0)
    await world.database.query(`
      UPDATE login_attempts SET in_flight =
        (SELECT coalesce(jsonb_object_agg(key, value::text::float8 - 60), '{}') FROM jsonb_each(in_flight))
    `)
    const calling = repeat(limit, () => own)
    expect(countOf(await Promise.all([...calling].map(callApi)))).toEqual({ 200: limit })
  })
})

test('64 strangers on changing networks do not keep owners out', async () => {
  const owners = await Promise.all(Array.from({ length: 24 }, () => world.account()))
  const kinds = ['device', 'network', 'new'] as const
  const calls = owners.map(({ alias, password }, index) => ({
    kind: kinds[index % kinds.length] ?? 'new',
    login: alias,
    password,
    ip: `198.18.4.${index}`,
  }))
  // They become known on another process, so that this one has to hash every password.
  const known = await Promise.all(
    calls.map(async ({ kind, ...own }) => {
      if (kind === 'new') return own
      const entered = await enter(own)
      expect(entered.status).toBe(200)
      const elsewhere = own.ip.replace('198.18.4', '198.18.5')
      return kind === 'network'
        ? own
        : { ...own, ip: elsewhere, cookie: cookieNamed(entered, 'hookline-device') }
    }),
  )
  const over = new AbortController()
  let strangerCalls = 0
  const strangers = Array.from({ length: 64 }, async () => {
    while (!over.signal.aborted) {
      const index = strangerCalls++
      await enter({ login: `nobody-${index}`, ip: ipv4(index), url: world.url })
    }
  })
  try {
    await expect.poll(() => strangerCalls, { timeout: 30_000 }).toBeGreaterThan(100)
    const responses = await Promise.all(known.map((own) => enter({ ...own, url: world.url })))
    expect(countOf(responses)).toEqual({ 200: 24 })
  } finally {
    over.abort()
    await Promise.all(strangers)
  }
})

/** From more networks than a login may fail from in all. */
async function attack({ alias, email }: TestAccount): Promise<void> {
  for (const login of [alias, email])
    await Promise.all([...repeat(limit * 10 + 5, (n) => ({ login, ip: ipv4(n) }))].map(enter))
  expect((await enter({ login: alias, ip: '198.18.9.9' })).status).toBe(429)
}

async function signInFrom(account: TestAccount, ip: string): Promise<string> {
  const entered = await enter({ login: account.alias, password: account.password, ip })
  expect(entered.status).toBe(200)
  return cookieNamed(entered, 'hookline-device')
}

async function inFlight(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM login_attempts WHERE in_flight <> '{}'",
  )
  return row?.count ?? 0
}

function cookieNamed({ headers }: CallAnswer, name: string): string {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return pairs.find((pair) => pair.startsWith(`${name}=`)) ?? ''
}

function countOf(responses: ReadonlyArray<{ status: number }>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
