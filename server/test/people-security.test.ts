/**
 * What somebody could try who is not the person they say: another site in the same browser, a thief of a cookie, another
 * customer, a guesser. Who may call what is taken from the table of routes, so that a new call is tried here too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { apiRoutes } from '../src/http/api-routes.ts'
import { createLogin } from '../src/identity/accounts/logins.ts'
import { createPasswords } from '../src/identity/accounts/passwords.ts'
import { forgetEndedSessions } from '../src/identity/sessions/sessions.ts'
import { call, type CallAnswer, type CallOptions } from './call.ts'
import { holdUp } from './hold-up.ts'
import { signIn, type SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let second: ServiceProcess
let account: TestAccount
let other: TestAccount

beforeAll(async () => {
  world = await startAreaWorld()
  // Reached under the same address, as behind a balancer.
  second = await world.startAnother({ PORT: '0' }, 'api')
  // Ids that no other number in an answer can be taken for.
  for (const table of ['keys', 'sessions'])
    await world.database.query(`ALTER TABLE ${table} ALTER COLUMN id RESTART WITH 471100`)
  account = await world.account()
  other = await world.account()
})
afterAll(() => world.close())

const contract = '/api/hooks'
const own = apiRoutes
  .filter(({ path }) => path !== contract)
  .map(({ verb, path, operation }) => ({ verb, path: path.replace(':id', '1'), access: operation.access }))
/** A live tail has no end to wait for; its answers have tests of their own. */
const readable = own
  .filter(({ verb, path }) => verb === 'GET' && path !== '/api/events/stream')
  .map(({ path }) => path)
const personal = own.filter(({ access }) => access === 'person')
const unsafe = personal.filter(({ verb }) => verb !== 'GET')
const openAndUnsafe = own.filter(({ verb, access }) => access === 'anyone' && verb !== 'GET')

function enter(given: Partial<CallOptions> & { json?: object } = {}, url = world.url): Promise<CallAnswer> {
  const json = { login: account.alias, password: account.password }
  return call(`${url}/api/session`, {
    method: 'POST',
    json,
    ...given,
    headers: { origin: world.url, ...given.headers },
  })
}

function cookieIn(answer: CallAnswer): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function statusWith(cookie: string, url = world.url): Promise<number> {
  return (await call(`${url}/api/session`, { headers: { cookie } })).status
}

test('there are calls to try', () => {
  expect(personal.length).toBeGreaterThan(15)
  expect(unsafe.length).toBeGreaterThan(10)
  expect(openAndUnsafe.length).toBeGreaterThan(3)
})

describe('a session', () => {
  test('is always a new one: what a browser brings along is never adopted', async () => {
    const planted = `hookline=${'A'.repeat(43)}`
    const answer = await enter({ headers: { cookie: planted } })
    expect(answer.status).toBe(200)
    expect(cookieIn(answer)).toMatch(/^hookline=[\w-]{43}$/)
    expect(cookieIn(answer)).not.toBe(planted)
    expect(await statusWith(planted)).toBe(401)
    expect(await statusWith(cookieIn(answer))).toBe(200)
  })

  test("planted by somebody else does not become the victim's", async () => {
    const attacker = await signIn(world.url, other)
    const answer = await enter({ headers: { cookie: attacker.cookie } })
    expect(cookieIn(answer)).not.toBe(attacker.cookie)
    expect(await statusWith(attacker.cookie)).toBe(401)
    expect(answer.json.login.id).toBe(account.loginId)
  })

  test('changes with the password, in id, cookie and page token', async () => {
    const owner = await world.account()
    const before = await signIn(world.url, owner)
    const { session } = (await before.call('/api/session')).json
    const json = { current_password: owner.password, new_password: 'another password' }
    const changed = await before.call('/api/password', { method: 'POST', json })
    expect(changed.json.session.id).not.toBe(session.id)
    expect(cookieIn(changed)).not.toBe(before.cookie)
    expect(changed.json.csrf_token).not.toBe(before.csrfToken)
    expect(await statusWith(before.cookie)).toBe(401)
  })

  test('that starts with the old password while it is being changed does not outlive the change', async () => {
    const owner = await world.account()
    // The change has begun and is not committed: sign-ins still see the old password.
    const change = `UPDATE logins SET password_hash = 'another' WHERE id = ${owner.loginId}`
    const late = await holdUp(world, change, 1, () =>
      enter({ json: { login: owner.alias, password: owner.password } }),
    )
    expect(late.json.code).toBe(900)
    expect(await rows('SELECT 1 FROM sessions WHERE login_id = $1', owner.loginId)).toEqual([])
  })

  test.each([
    ['has expired', "expires_at = now() - interval '1 second'", 401],
    ['was not used for seven days', "last_used_at = now() - interval '7 days 1 second'", 401],
    ['was used within seven days', "last_used_at = now() - interval '6 days 23 hours'", 200],
  ])('that %s is answered accordingly, on every process', async (_what, change, status) => {
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    await world.database.query(`UPDATE sessions SET ${change} WHERE login_id = $1`, [owner.loginId])
    expect(await statusWith(person.cookie)).toBe(status)
    expect(await statusWith(person.cookie, second.url)).toBe(status)
    if (status === 200) return
    const [entry] = (await (await signIn(world.url, owner)).call('/api/sessions')).json.sessions
    expect(entry.is_current).toBe(true)
  })

  test('in use does not run idle', async () => {
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    await world.database.query(
      "UPDATE sessions SET last_used_at = now() - interval '6 days' WHERE login_id = $1",
      [owner.loginId],
    )
    await person.call('/api/session')
    const [row] = await rows<{ age: number }>(
      'SELECT extract(epoch FROM now() - last_used_at)::float8 AS age FROM sessions WHERE login_id = $1',
      owner.loginId,
    )
    expect(row?.age).toBeLessThan(60)
  })

  test('that has run out is forgotten in time, and no other', async () => {
    const owner = await world.account()
    const kept = await signIn(world.url, owner)
    const { session } = (await kept.call('/api/session')).json
    await signIn(world.url, owner)
    await world.database.query('UPDATE sessions SET expires_at = now() WHERE login_id = $1 AND id <> $2', [
      owner.loginId,
      session.id,
    ])
    await forgetEndedSessions(world.db)
    expect(await rows('SELECT id FROM sessions WHERE login_id = $1', owner.loginId)).toEqual([
      { id: session.id },
    ])
  })

  test('stops with its account', async () => {
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    await world.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [owner.accountId])
    expect(await statusWith(person.cookie)).toBe(401)
    expect((await enter({ json: { login: owner.alias, password: owner.password } })).json.code).toBe(904)
  })

  test.each([
    ['signing out', (person: SignedIn) => person.call('/api/session', { method: 'DELETE' })],
    [
      'ending it by its id',
      async (person: SignedIn) => {
        const { session } = (await person.call('/api/session')).json
        return (await signIn(world.url, account)).call(`/api/sessions/${session.id}`, { method: 'DELETE' })
      },
    ],
    [
      'ending all others',
      async () => (await signIn(world.url, account)).call('/api/sessions', { method: 'DELETE' }),
    ],
  ])('ends by %s on every process within a second', async (_how, end) => {
    const person = await signIn(world.url, account)
    expect(await statusWith(person.cookie, second.url)).toBe(200)
    expect((await end(person)).status).toBe(200)
    const endedAt = Date.now()
    expect(await statusWith(person.cookie, second.url)).toBe(401)
    expect(await statusWith(person.cookie)).toBe(401)
    expect(Date.now() - endedAt).toBeLessThan(1_000)
  })

  test('counts for nothing when two cookies have its name: one of them is planted', async () => {
    const person = await signIn(world.url, account)
    const planted = await signIn(world.url, other)
    for (const cookie of [`${person.cookie}; ${planted.cookie}`, `${planted.cookie}; ${person.cookie}`])
      expect(await statusWith(cookie)).toBe(401)
  })
})

describe('the cookie', () => {
  test('on plain http is for our host alone, and no script reads it', async () => {
    const [cookie] = (await enter()).headers.getSetCookie()
    expect(cookie).toMatch(/^hookline=[\w-]{43}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Lax$/)
    const days = (Date.parse(/Expires=([^;]+)/.exec(cookie ?? '')?.[1] ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
  })

  test('on https is Secure too, and bound to the host by its name', async () => {
    const https = await world.startAnother({ PORT: '0', BASE_URL: 'https://hookline.example' }, 'api')
    const answer = await enter({ headers: { origin: 'https://hookline.example' } }, https.url)
    const [cookie] = answer.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-hookline=[\w-]{43}; Expires=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
    // One that a plain page of the same host could have set does not count.
    const token = cookieIn(answer).split('=')[1] ?? ''
    expect(await statusWith(`hookline=${token}`, https.url)).toBe(401)
    expect(await statusWith(`__Host-hookline=${token}`, https.url)).toBe(200)
    const out = await call(`${https.url}/api/session`, {
      method: 'DELETE',
      headers: {
        cookie: cookieIn(answer),
        origin: 'https://hookline.example',
        'x-csrf-token': answer.json.csrf_token,
      },
    })
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-hookline=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  test.each([
    ['a cut token', (cookie: string) => cookie.slice(0, -1)],
    ['a longer token', (cookie: string) => `${cookie}A`],
    ['another case', (cookie: string) => swapCase(cookie)],
    ['quotes', (cookie: string) => cookie.replace(/=(.*)/, '="$1"')],
    ['an empty value', () => 'hookline='],
    ['SQL', () => "hookline=' OR '1'='1"],
  ])('with %s is nobody', async (_what, change) => {
    const { cookie } = await signIn(world.url, account)
    expect(await statusWith(change(cookie))).toBe(401)
  })
})

const foreignOrigins = ['https://evil.example', 'null', 'http://127.0.0.1', 'http://localhost:8080', '']

describe.each(unsafe)('$verb $path with the cookie', ({ verb, path }) => {
  let person: SignedIn
  beforeAll(async () => {
    person = await signIn(world.url, account)
  })

  async function tryWith(headers: Record<string, string>, body: Partial<CallOptions> = { json: {} }) {
    const { cookie } = person
    return call(`${world.url}${path}`, { method: verb, ...body, headers: { cookie, ...headers } })
  }

  test('needs the token of its own page', async () => {
    const stranger = await signIn(world.url, other)
    const sibling = await signIn(world.url, account)
    for (const token of [
      undefined,
      '',
      'x',
      stranger.csrfToken,
      sibling.csrfToken,
      `${person.csrfToken} `.repeat(2),
    ]) {
      const answer = await tryWith({
        origin: world.url,
        ...(token !== undefined && { 'x-csrf-token': token }),
      })
      expect([answer.status, answer.json.code], String(token)).toEqual([403, 909])
    }
  })

  test('needs our own origin', async () => {
    for (const origin of [
      undefined,
      ...foreignOrigins,
      world.url.replace('http:', 'https:'),
      `${world.url}.evil`,
    ]) {
      const answer = await tryWith({
        'x-csrf-token': person.csrfToken,
        ...(origin !== undefined && { origin }),
      })
      expect([answer.status, answer.json.code], String(origin)).toEqual([403, 909])
    }
  })

  test('is not made by what a form can send', async () => {
    const proof = { origin: world.url, 'x-csrf-token': person.csrfToken }
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/plain; x=application/json',
      'application/json-seq',
    ]) {
      const answer = await tryWith({ ...proof, 'content-type': type }, { body: '{"name":"x"}' })
      expect([answer.status, answer.json.code], type).toEqual([415, 1002])
    }
  })

  test('did nothing of all this', async () => {
    expect((await person.call('/api/session')).status).toBe(200)
  })
})

describe.each(openAndUnsafe)('$verb $path, open to anybody,', ({ verb, path }) => {
  test('is called from our own pages alone', async () => {
    for (const origin of [undefined, ...foreignOrigins]) {
      const answer = await call(`${world.url}${path}`, {
        method: verb,
        json: { login: account.alias, password: account.password },
        ...(origin !== undefined && { headers: { origin } }),
      })
      expect([answer.status, answer.json.code], String(origin)).toEqual([403, 909])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('is not made by what a form can send', async () => {
    const answer = await call(`${world.url}${path}`, {
      method: verb,
      headers: { origin: world.url, 'content-type': 'text/plain' },
      body: JSON.stringify({ login: account.alias, password: account.password }),
    })
    expect(answer.status).toBe(415)
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe.each(personal)('$verb $path', ({ verb, path }) => {
  test('is refused to every credential of the API', async () => {
    const credentials: Array<[string, Partial<CallOptions>]> = [
      ['', { key: account.key }],
      ['', { headers: { authorization: `basic ${account.key}` } }],
      [`?p=${account.key}`, {}],
      [`?u=${account.alias}&p=${account.password}`, {}],
    ]
    for (const [query, given] of credentials) {
      const answer = await call(`${world.url}${path}${query}`, { method: verb, ...given })
      expect([answer.status, answer.json.code]).toEqual([403, 908])
    }
  })

  test('is refused to nobody in particular', async () => {
    const answer = await call(`${world.url}${path}`, { method: verb })
    expect([answer.status, answer.json.code]).toEqual([401, 900])
  })
})

test('no GET changes anything', async () => {
  const person = await signIn(world.url, account)
  const gets = [
    ...readable,
    '/api/hooks?action=subscribe&target_url=https://example.com/&event_type=all',
    `/api/account?name=x&_method=POST`,
    '/api/session?_method=DELETE',
  ]
  const before = await state()
  for (const path of gets) await person.call(path)
  for (const path of gets) await person.call(path, { headers: { 'x-http-method-override': 'DELETE' } })
  expect(await state()).toEqual(before)
})

describe('the cookie and the API', () => {
  test('the cookie is a credential of the contract, with the proof of the page where something changes', async () => {
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    const form = { target_url: 'https://example.com/by-cookie', event_type: 'sms_mo' }
    expect((await call(`${world.url}${contract}`, { headers: { cookie: person.cookie } })).status).toBe(200)
    const bare = { method: 'POST', form, headers: { cookie: person.cookie } }
    expect((await call(`${world.url}${contract}`, bare)).json.code).toBe(909)
    // What reads by its meaning is asked for the proof too: the verb decides.
    const reading = { method: 'POST', form: { action: 'read' }, headers: { cookie: person.cookie } }
    expect((await call(`${world.url}${contract}`, reading)).json.code).toBe(909)
    const made = await person.call(contract, { method: 'POST', form })
    expect(made.json.success).toBe(true)
    expect((await person.call(contract)).json.hooks).toHaveLength(1)
    const gone = await person.call(contract, { method: 'DELETE', form: { id: String(made.json.id) } })
    expect(gone.json.success).toBe(true)
    expect((await person.call(contract, { headers: { origin: 'https://evil.example' } })).status).toBe(200)
  })

  test('beside an explicit credential the cookie is ignored, for good and for bad', async () => {
    const owner = await world.account()
    const person = await signIn(world.url, account)
    const form = { target_url: 'https://example.com/explicit', event_type: 'sms_mo' }
    const { cookie } = person
    const made = await call(`${world.url}${contract}`, {
      method: 'POST',
      key: owner.key,
      form,
      headers: { cookie },
    })
    expect(made.json.success).toBe(true)
    const listed = async (key: string) =>
      (await call(`${world.url}${contract}`, { key, headers: { cookie } })).json.hooks.length
    expect(await listed(owner.key)).toBe(1)
    expect(await listed(account.key)).toBe(0)
    const broken = await call(`${world.url}${contract}`, { key: 'hlk_broken', headers: { cookie } })
    expect(broken.status).toBe(401)
    const personOnly = await call(`${world.url}/api/keys`, { key: owner.key, headers: { cookie } })
    expect(personOnly.json.code).toBe(908)
  })
})

describe("another account's", () => {
  test.each([
    ['key to revoke', 'DELETE', (id: number) => `/api/keys/${id}`, undefined],
    ['key to view', 'POST', (id: number) => `/api/keys/${id}/view`, 'password'],
  ])('%s is answered like one that nobody has', async (_what, method, path, secret) => {
    const person = await signIn(world.url, account)
    const before = await stateOf(other)
    const json = secret === undefined ? {} : { password: account.password }
    const theirs = await person.call(path(other.keyId), { method, json })
    const nobodys = await person.call(path(2_000_000_000), { method, json })
    expect([theirs.status, theirs.json.code]).toEqual([404, 1102])
    expect(theirs.text.replaceAll(String(other.keyId), 'N')).toBe(nobodys.text.replaceAll('2000000000', 'N'))
    expect(await stateOf(other)).toEqual(before)
  })

  test('session is answered like one that nobody has, also one of a colleague', async () => {
    const person = await signIn(world.url, account)
    const theirs = await signIn(world.url, other)
    const { id } = (await theirs.call('/api/session')).json.session
    const onTheirs = await person.call(`/api/sessions/${id}`, { method: 'DELETE' })
    const onNobodys = await person.call('/api/sessions/2000000000', { method: 'DELETE' })
    expect([onTheirs.status, onTheirs.json.code]).toEqual([404, 1102])
    expect(onTheirs.text.replaceAll(String(id), 'N')).toBe(onNobodys.text.replaceAll('2000000000', 'N'))
    await person.call('/api/sessions', { method: 'DELETE' })
    expect(await statusWith(theirs.cookie)).toBe(200)

    const colleague = { alias: 'colleague', email: 'colleague@example.com', password: 'of the colleague' }
    await createLogin(world.db, await createPasswords(), 'operator', account.accountId, colleague)
    const theirOwn = await signIn(world.url, colleague)
    const ofColleague = (await theirOwn.call('/api/session')).json.session.id
    const refused = await person.call(`/api/sessions/${ofColleague}`, { method: 'DELETE' })
    expect(refused.json.code).toBe(1102)
    await person.call('/api/sessions', { method: 'DELETE' })
    expect(await statusWith(theirOwn.cookie)).toBe(200)
  })

  test('keys, sessions, audit log and deprecated uses stand in no list', async () => {
    const person = await signIn(world.url, account)
    await world.database.query(
      `INSERT INTO deprecated_uses (account_id, kind, day, uses) VALUES ($1, 'parameter-key', current_date, 1)
       ON CONFLICT DO NOTHING`,
      [other.accountId],
    )
    await signIn(world.url, other)
    const lists = await Promise.all(
      ['keys', 'sessions', 'audit?limit=200'].map((path) => person.call(`/api/${path}`)),
    )
    const [keys, sessions, audit] = lists.map(({ json }) => json)
    const theirSessions = await rows<{ id: number }>(
      'SELECT id FROM sessions WHERE login_id = $1',
      other.loginId,
    )
    const theirAudit = await rows<{ id: string }>(
      'SELECT id FROM audit WHERE account_id = $1',
      other.accountId,
    )
    expect(theirSessions.length).toBeGreaterThan(0)
    expect(theirAudit.length).toBeGreaterThan(0)
    expect(ids(keys.keys).has(other.keyId)).toBe(false)
    expect(ids(keys.keys).has(account.keyId)).toBe(true)
    for (const { id } of theirSessions) expect(ids(sessions.sessions).has(id)).toBe(false)
    for (const { id } of theirAudit) expect(ids(audit.entries).has(Number(id))).toBe(false)
    const [newest = { id: '0' }] = theirAudit.toReversed()
    const paged = (await person.call(`/api/audit?limit=200&before=${Number(newest.id) + 1}`)).json
    for (const { id } of theirAudit) expect(ids(paged.entries).has(Number(id))).toBe(false)
  })
})

describe('whether a login exists', () => {
  const unknown = { login: 'nobody-at-all', password: 'not the password' }

  test('is not told by the answer to a failed sign-in', async () => {
    const onKnown = await enter({ json: wrong(account) })
    const onUnknown = await enter({ json: unknown })
    expect([onKnown.status, onKnown.json.code]).toEqual([401, 900])
    expect(onUnknown.text).toBe(onKnown.text)
    expect(lines(onUnknown)).toEqual(lines(onKnown))
  })

  test('is not told by its time: both are hashed, and neither waits for the audit log', async () => {
    const unhashed = await fastest(unknown, { origin: 'https://evil.example' })
    expect(await fastest(unknown)).toBeGreaterThan(2 * unhashed)
    expect(await fastest(wrong(account))).toBeGreaterThan(2 * unhashed)

    await world.database.query('BEGIN')
    try {
      await world.database.query('LOCK TABLE audit IN ACCESS EXCLUSIVE MODE')
      // A statement is given up after five seconds: an answer that needed the table would be a 503.
      expect((await enter({ json: wrong(account) })).json.code).toBe(900)
      expect((await enter({ json: unknown })).json.code).toBe(900)
    } finally {
      await world.database.query('ROLLBACK')
    }
    await world.database.query('DELETE FROM login_attempts')
  })
})

describe('guessing', () => {
  test('passwords is slowed down at the sign-in, and where a password is asked again', async () => {
    const narrow = await world.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '4' }, 'api')
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    const headers = { cookie: person.cookie, origin: world.url, 'x-csrf-token': person.csrfToken }
    const guess = {
      password: 'not the password',
      current_password: 'not the password',
      email: 'a@example.com',
    }
    const guesses = [
      ['POST', '/api/session', { ...guess, login: owner.alias }],
      ['POST', `/api/keys/${owner.keyId}/view`, guess],
      ['POST', '/api/password', { ...guess, new_password: 'another password' }],
      ['POST', '/api/second-factor', guess],
      ['DELETE', '/api/second-factor', guess],
      ['POST', '/api/login', guess],
    ] as const
    const codes: number[] = []
    for (const [method, path, json] of guesses)
      codes.push((await call(`${narrow.url}${path}`, { method, json, headers })).json.code)
    // Who is signed in has an allowance that strangers at the sign-in cannot use up.
    expect(codes).toEqual([900, 910, 910, 910, 910, 907])
    // Now even the right one is not looked at.
    const right = await call(`${narrow.url}/api/keys/${owner.keyId}/view`, {
      method: 'POST',
      json: { password: owner.password },
      headers,
    })
    expect([right.status, right.json.code]).toEqual([429, 907])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800)
    await world.database.query('DELETE FROM login_attempts')
  })

  test('of emails is slowed down', async () => {
    const narrow = await world.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '2' }, 'api')
    const owner = await world.account()
    const person = await signIn(world.url, owner)
    const headers = { cookie: person.cookie, origin: world.url, 'x-csrf-token': person.csrfToken }
    const codes: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      const json = { email: account.email, password: owner.password }
      codes.push((await call(`${narrow.url}/api/login`, { method: 'POST', json, headers })).json.code)
    }
    expect(codes).toEqual([1130, 1130, 907])
  })
})

describe('text that people type', () => {
  const script = '<script>alert(1)</script><img src=x onerror=alert(2)>'

  test('comes back as it was typed, in JSON that no browser shows as a page', async () => {
    const owner = await world.account()
    const entered = await call(`${world.url}/api/session`, {
      method: 'POST',
      json: { login: owner.alias, password: owner.password },
      headers: { origin: world.url, 'user-agent': script },
    })
    const headers = {
      cookie: cookieIn(entered),
      origin: world.url,
      'x-csrf-token': entered.json.csrf_token,
      accept: 'text/html',
    }
    const as = (path: string, given: Partial<CallOptions> = {}) =>
      call(`${world.url}${path}`, { ...given, headers })
    await as('/api/account', { method: 'POST', json: { name: script } })
    await as('/api/keys', { method: 'POST', json: { name: script, scopes: ['all'] } })

    const answers = await Promise.all(
      ['session', 'keys', 'sessions', 'audit'].map((path) => as(`/api/${path}`)),
    )
    const [session, keys, sessions, audit] = answers.map(({ json }) => json)
    expect(session.account.name).toBe(script)
    expect(keys.keys[0].name).toBe(script)
    expect(sessions.sessions[0].user_agent).toBe(script)
    expect(audit.entries[0].detail.name).toBe(script)
    expect(audit.entries[1].detail.to).toBe(script)
    const reflecting = await as(
      `/api/account?${encodeURIComponent(script)}=1&${encodeURIComponent(script)}=2`,
      {
        method: 'POST',
        json: { name: 'x' },
      },
    )
    expect(reflecting.text).toContain('alert(1)')
    for (const answer of [...answers, reflecting]) {
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('of a browser is cut, not refused', async () => {
    const owner = await world.account()
    const entered = await enter({
      json: { login: owner.alias, password: owner.password },
      headers: { 'user-agent': 'x'.repeat(4_000) },
    })
    expect(entered.status).toBe(200)
    const [row] = await rows<{ length: number }>(
      'SELECT length(user_agent) AS length FROM sessions WHERE login_id = $1',
      owner.loginId,
    )
    expect(row?.length).toBe(300)
  })

  test.each(['login', 'password', 'code'])(
    'with a NUL as %s is refused, not an error of ours',
    async (name) => {
      const json = { login: 'x', password: 'x', code: 'x', [name]: 'x\0' }
      expect((await enter({ json })).json.code).toBe(1012)
    },
  )
})

test('no answer can be framed, cached or read by another site', async () => {
  const person = await signIn(world.url, account)
  for (const path of [...readable, '/api/nothing', '/']) {
    const { headers } = await person.call(path)
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control'), path).toContain('no-')
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    expect(headers.get('access-control-allow-origin'), path).toBeNull()
  }
  const preflight = await call(`${world.url}/api/session`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
  })
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

async function rows<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(text, values)
}

function swapCase(text: string): string {
  return text.replace(/(?<==.*)[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** All that a call could change, less what every call notes. */
async function state(): Promise<object[]> {
  const tables: object[] = []
  for (const what of [
    'accounts',
    'logins',
    'recovery_codes',
    'password_resets',
    'hooks',
    'audit',
    'apps',
    'grants',
    '(SELECT id, name, scopes, revoked_at FROM keys) AS keys',
    '(SELECT id, expires_at FROM sessions) AS sessions',
  ])
    tables.push(await rows(`SELECT * FROM ${what} ORDER BY 1, 2`))
  return tables
}

async function stateOf({ accountId }: TestAccount) {
  return {
    keys: await rows('SELECT * FROM keys WHERE account_id = $1 ORDER BY id', accountId),
    audit: await rows('SELECT * FROM audit WHERE account_id = $1 ORDER BY id', accountId),
  }
}

/** Header lines without those that differ from answer to answer by their nature. */
function lines({ headers }: CallAnswer): Array<[string, string]> {
  return [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
}

function ids(list: Array<{ id: number }>): Set<number> {
  return new Set(list.map(({ id }) => id))
}

function wrong({ alias }: TestAccount) {
  return { login: alias, password: 'not the password' }
}

/** Milliseconds of the fastest of some, which a busy machine held up least. */
async function fastest(json: object, headers: Record<string, string> = {}): Promise<number> {
  const times: number[] = []
  for (let tries = 0; tries < 8; tries++) {
    const startedAt = performance.now()
    await enter({ json, headers })
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}
