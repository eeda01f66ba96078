/** What people do in the developer area: keys, sessions, password, profile, the audit log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from './admin-tool.ts'
import { call } from './call.ts'
import { holdUp } from './hold-up.ts'
import { signIn, type SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let account: TestAccount
let person: SignedIn

beforeAll(async () => {
  world = await startAreaWorld({ OPERATOR_CONTACT: 'support@example.com' })
  account = await world.account()
  person = await signIn(world.url, account)
})
afterAll(() => world.close())

const done = { success: true, code: null }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

function post(path: string, json: object, by = person) {
  return by.call(path, { method: 'POST', json })
}

function remove(path: string, json?: object, by = person) {
  return by.call(path, { method: 'DELETE', ...(json && { json }) })
}

async function newPerson(): Promise<{ account: TestAccount; person: SignedIn }> {
  const made = await world.account()
  return { account: made, person: await signIn(world.url, made) }
}

test('pages learn what is offered before anybody is signed in', async () => {
  const { status, json } = await call(`${world.url}/api/area`)
  expect(status).toBe(200)
  expect(json).toEqual({
    ...done,
    area: {
      registration: false,
      is_signed_in: false,
      password_reset: 'operator',
      operator_contact: 'support@example.com',
      scopes: expect.arrayContaining([{ scope: 'hooks:read', words: 'See webhooks' }]),
    },
  })
})

describe('API keys', () => {
  test('are made with scopes, an end and networks, and work at once as far as these allow', async () => {
    const made = await post('/api/keys', {
      name: '  Billing  ',
      scopes: ['hooks:read', 'hooks:read'],
      expires_at: '2099-01-31T12:00:00+01:00',
      allowed_ips: ['127.0.0.1', '2001:db8::1', '192.0.2.0/24'],
    })
    expect(made.status).toBe(200)
    expect(made.json).toEqual({
      ...done,
      key: {
        id: expect.any(Number),
        name: 'Billing',
        prefix: made.json.secret.slice(0, 8),
        scopes: ['hooks:read'],
        allowed_ips: ['127.0.0.1', '2001:db8::1', '192.0.2.0/24'],
        expires_at: '2099-01-31T11:00:00.000Z',
        revoked_at: null,
        last_used_at: null,
        last_used_method: null,
        created_at: time,
      },
      secret: expect.stringMatching(/^hlk_\w{36}$/),
    })
    const key: string = made.json.secret
    expect((await call(`${world.url}/api/hooks`, { key })).status).toBe(200)
    const refused = await call(`${world.url}/api/hooks`, { key, method: 'DELETE', form: { id: '1' } })
    expect(refused.json.code).toBe(902)
    await expect
      .poll(async () => (await keyOf(made.json.key.id))?.last_used_method, { timeout: 15_000 })
      .toBe('header-key')

    const elsewhere = await post('/api/keys', { name: 'x', scopes: ['all'], allowed_ips: ['192.0.2.7'] })
    expect((await call(`${world.url}/api/hooks`, { key: elsewhere.json.secret })).json.code).toBe(903)
  })

  test('are listed newest first, revoked ones last', async () => {
    const { person: owner } = await newPerson()
    const ids: number[] = []
    for (const name of ['one', 'two', 'three'])
      ids.push((await post('/api/keys', { name, scopes: ['all'] }, owner)).json.key.id)
    const [one, two, three] = ids
    expect((await remove(`/api/keys/${three}`, undefined, owner)).json).toEqual(done)
    const listed: Array<{ id: number; name: string; revoked_at: string | null }> = (
      await owner.call('/api/keys')
    ).json.keys
    expect(listed.map(({ name }) => name)).toEqual(['two', 'one', 'test', 'three'])
    expect(listed.map(({ id }) => id)).toEqual([two, one, expect.any(Number), three])
    expect(listed.map(({ revoked_at }) => revoked_at)).toEqual([null, null, null, time])
  })

  test('are viewed again by whoever gives the password, and that is written down', async () => {
    const made = await post('/api/keys', { name: 'again', scopes: ['all'] })
    const { id } = made.json.key
    const wrong = await post(`/api/keys/${id}/view`, { password: 'not the password' })
    expect([wrong.status, wrong.json.code]).toEqual([403, 910])
    expect(await auditOf('key.view', `key:${id}`)).toEqual([])

    const viewed = await post(`/api/keys/${id}/view`, { password: account.password })
    expect(viewed.json).toEqual({ ...done, secret: made.json.secret })
    expect(await auditOf('key.view', `key:${id}`)).toEqual([
      expect.objectContaining({ actor: `login:${account.loginId}`, detail: { ip: '127.0.0.1' } }),
    ])
  })

  test('stop at once when they are revoked, and are neither viewed nor revoked again', async () => {
    const made = await post('/api/keys', { name: 'gone', scopes: ['all'] })
    const { id } = made.json.key
    expect((await remove(`/api/keys/${id}`)).status).toBe(200)
    expect((await call(`${world.url}/api/hooks`, { key: made.json.secret })).status).toBe(401)
    expect((await remove(`/api/keys/${id}`)).json.code).toBe(1102)
    expect((await post(`/api/keys/${id}/view`, { password: account.password })).json.code).toBe(1102)
  })

  test('can be so many and no more, however many are asked for at once', async () => {
    const { account: owner, person: by } = await newPerson()
    await world.database.query(
      `INSERT INTO keys (account_id, name, prefix, digest, sealed, scopes)
       SELECT $1, 'many', 'hlk_many', sha256(n::text::bytea), '', '{all}' FROM generate_series(1, 97) AS n`,
      [owner.accountId],
    )
    // None can be written until three have come as far as they can: of one account's calls, no more run at once.
    const answers = await holdUp(world, 'LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE', 3, () =>
      Promise.all(Array.from({ length: 5 }, () => post('/api/keys', { name: 'last', scopes: ['all'] }, by))),
    )
    // 97 and the one that every account here has.
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe(1203)
  })

  test.each([
    [{ scopes: ['all'] }, 1010, 'name'],
    [{ name: '', scopes: ['all'] }, 1012, 'name'],
    [{ name: ' \t ', scopes: ['all'] }, 1012, 'name'],
    [{ name: 'x'.repeat(101), scopes: ['all'] }, 1012, 'name'],
    [{ name: 'line\nbreak', scopes: ['all'] }, 1012, 'name'],
    [{ name: 'nul\0', scopes: ['all'] }, 1012, 'name'],
    [{ name: 'half \ud800', scopes: ['all'] }, 1012, 'name'],
    [{ name: 'turned \u202e round', scopes: ['all'] }, 1012, 'name'],
    [{ name: 7, scopes: ['all'] }, 1012, 'name'],
    [{ name: 'x' }, 1010, 'scopes'],
    [{ name: 'x', scopes: [] }, 1012, 'scopes'],
    [{ name: 'x', scopes: 'all' }, 1012, 'scopes'],
    [{ name: 'x', scopes: ['everything'] }, 1012, 'scopes'],
    [{ name: 'x', scopes: ['all'], expires_at: 'tomorrow' }, 1012, 'expires_at'],
    [{ name: 'x', scopes: ['all'], expires_at: '2020-01-01T00:00:00Z' }, 1012, 'expires_at'],
    [{ name: 'x', scopes: ['all'], allowed_ips: '127.0.0.1' }, 1012, 'allowed_ips'],
    [{ name: 'x', scopes: ['all'], allowed_ips: ['localhost'] }, 1012, 'allowed_ips'],
    [{ name: 'x', scopes: ['all'], allowed_ips: ['10'] }, 1012, 'allowed_ips'],
    [{ name: 'x', scopes: ['all'], allowed_ips: ['127.0.0.1\0'] }, 1012, 'allowed_ips'],
    [{ name: 'x', scopes: ['all'], allowed_ips: ['192.0.2.7/24'] }, 1012, '192.0.2.7/24'],
    [{ name: 'x', scopes: ['all'], allowed_ips: ['192.0.2.7/33'] }, 1012, '192.0.2.7/33'],
    [{ name: 'x', scopes: ['all'], allowed_ips: Array(51).fill('192.0.2.7') }, 1012, 'allowed_ips'],
  ])('%j is refused', async (given, code, named) => {
    const { json } = await post('/api/keys', given)
    expect(json).toEqual({ success: false, code, error_message: expect.stringContaining(named) })
  })

  test.each(['0', '-1', 'abc', '2147483648', '99999999999', '1.5', '%00'])(
    'the id %s is refused or not found, never an error of ours',
    async (id) => {
      expect([400, 404]).toContain((await remove(`/api/keys/${id}`)).status)
    },
  )
})

async function keyOf(id: number): Promise<{ last_used_method: string | null } | undefined> {
  const { keys } = (await person.call('/api/keys')).json
  return keys.find((key: { id: number }) => key.id === id)
}

describe('sessions', () => {
  test('are listed with where they came from, the one used last first, and the current one marked', async () => {
    const { account: owner, person: first } = await newPerson()
    await world.database.query(
      "UPDATE sessions SET last_used_at = now() - interval '2 hours', ip = '192.0.2.9' WHERE login_id = $1",
      [owner.loginId],
    )
    const second = await signIn(world.url, owner)
    const { sessions } = (await second.call('/api/sessions')).json
    expect(sessions).toEqual([
      {
        id: expect.any(Number),
        is_current: true,
        created_at: time,
        last_used_at: time,
        expires_at: time,
        ip: '127.0.0.1',
        user_agent: 'node',
      },
      expect.objectContaining({ is_current: false, ip: '192.0.2.9' }),
    ])
    const days = (Date.parse(sessions[0].expires_at) - Date.parse(sessions[0].created_at)) / 86_400_000
    expect(days).toBe(30)
    expect((await first.call('/api/session')).status).toBe(200)
  })

  test('are ended one by one or all others at once', async () => {
    const { account: owner, person: first } = await newPerson()
    const second = await signIn(world.url, owner)
    const third = await signIn(world.url, owner)
    const secondId: number = (await second.call('/api/session')).json.session.id
    expect((await remove(`/api/sessions/${secondId}`, undefined, first)).json).toEqual(done)
    expect((await second.call('/api/session')).status).toBe(401)
    expect((await third.call('/api/session')).status).toBe(200)
    expect((await remove(`/api/sessions/${secondId}`, undefined, first)).json.code).toBe(1102)

    expect((await remove('/api/sessions', undefined, first)).json).toEqual({ ...done, ended: 1 })
    expect((await third.call('/api/session')).status).toBe(401)
    expect((await first.call('/api/session')).status).toBe(200)
    expect((await remove('/api/sessions', undefined, first)).json).toEqual({ ...done, ended: 0 })
  })

  test('a browser has one sign-in: a second one ends the first', async () => {
    const { account: owner, person: first } = await newPerson()
    const again = await call(`${world.url}/api/session`, {
      method: 'POST',
      json: { login: owner.alias, password: owner.password },
      headers: { origin: world.url, cookie: first.cookie },
    })
    expect(again.status).toBe(200)
    expect((await first.call('/api/session')).status).toBe(401)
  })
})

describe('the password', () => {
  test('is changed by whoever knows it, and everybody else is signed out', async () => {
    const { account: owner, person: first } = await newPerson()
    const other = await signIn(world.url, owner)
    const change = { current_password: owner.password, new_password: 'another password' }
    const changed = await post('/api/password', change, first)
    expect(changed.status).toBe(200)
    expect((await other.call('/api/session')).status).toBe(401)
    expect((await first.call('/api/session')).status).toBe(401)

    const cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const read = await call(`${world.url}/api/session`, { headers: { cookie } })
    expect(read.json).toMatchObject({ login: { id: owner.loginId }, csrf_token: changed.json.csrf_token })
    await expect(signIn(world.url, owner)).rejects.toThrow('900')
    await signIn(world.url, { ...owner, password: 'another password' })
  })

  test.each([
    ['the wrong one', 'not the password', 'another password', 403, 910],
    ['a new one that is too short', undefined, 'nine char', 400, 1012],
    ['a new one that is too long', undefined, 'x'.repeat(1_025), 400, 1012],
    ['a present one that is far too long', 'x'.repeat(2_000), 'another password', 403, 910],
  ])('is not changed with %s', async (_what, current, wanted, status, code) => {
    const { account: owner, person: by } = await newPerson()
    const json = { current_password: current ?? owner.password, new_password: wanted }
    const answer = await post('/api/password', json, by)
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect((await by.call('/api/session')).status).toBe(200)
    await signIn(world.url, owner)
  })

  test('that the operator sets ends every session too', async () => {
    const { account: owner, person: by } = await newPerson()
    const env = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
    const set = ['login', 'set-password', owner.alias, '--password', 'from the operator']
    expect((await runAdmin(env, set)).code).toBe(0)
    expect((await by.call('/api/session')).status).toBe(401)
  })
})

describe('the profile', () => {
  test('the account is renamed', async () => {
    const { account: owner, person: by } = await newPerson()
    expect((await post('/api/account', { name: 'Example & Söhne' }, by)).json).toEqual(done)
    expect((await by.call('/api/session')).json.account.name).toBe('Example & Söhne')
    const [entry] = (await by.call('/api/audit')).json.entries
    expect(entry).toMatchObject({
      action: 'account.rename',
      subject: `account:${owner.accountId}`,
      detail: { from: owner.alias, to: 'Example & Söhne' },
    })
  })

  test('the email is not changed without the password, nor without mail that could verify it', async () => {
    const { account: owner, person: by } = await newPerson()
    const email = `new-${owner.email}`
    const wrong = await post('/api/login', { email, password: 'not the password' }, by)
    expect(wrong.json.code).toBe(910)
    const unverifiable = await post('/api/login', { email, password: owner.password }, by)
    expect([unverifiable.status, unverifiable.json.code]).toEqual([409, 1130])
    expect((await by.call('/api/session')).json.login.email).toBe(owner.email)
  })

  test.each([
    'nonsense',
    'two@at@example.com',
    'victim@example.com,me@example.com',
    'me,victim@example.com',
    '<victim@example.com>',
    '"a b"@example.com',
    'a\r\nBcc:@example.com',
    'a\u200b@example.com',
    `${'x'.repeat(65)}@example.com`,
  ])('the address %j is refused', async (email) => {
    const answer = await post('/api/login', { email, password: account.password })
    expect(answer.json.code).toBe(1012)
  })
})

test('deprecated credentials that were used are shown with their last day and their number', async () => {
  const { account: owner, person: by } = await newPerson()
  expect((await by.call('/api/deprecated-uses')).json).toEqual({ ...done, uses: [] })
  await world.database.query(
    `INSERT INTO deprecated_uses (account_id, kind, day, uses) VALUES
       ($1, 'parameter-key', current_date - 40, 7), ($1, 'parameter-key', current_date - 29, 3),
       ($1, 'parameter-key', current_date - 2, 4), ($1, 'login-password', current_date - 31, 9)`,
    [owner.accountId],
  )
  const [{ recent, old } = { recent: '', old: '' }] = await world.database.query<{
    recent: string
    old: string
  }>('SELECT (current_date - 2)::text AS recent, (current_date - 31)::text AS old')
  expect((await by.call('/api/deprecated-uses')).json.uses).toEqual([
    { kind: 'parameter-key', last_day: recent, uses_30_days: 7 },
    { kind: 'login-password', last_day: old, uses_30_days: 0 },
  ])
})

describe('the audit log', () => {
  test('is read newest first, page by page, each entry once', async () => {
    const { person: by } = await newPerson()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await post('/api/account', { name }, by)
    const names: string[] = []
    let next: number | null = null
    let pages = 0
    do {
      const page: {
        entries: Array<{ id: number; action: string; detail: { to: string } }>
        next: number | null
      } = (await by.call(`/api/audit?limit=2${next === null ? '' : `&before=${next}`}`)).json
      expect(page.entries.length).toBeLessThanOrEqual(2)
      names.push(
        ...page.entries.map(({ action, detail }) => (action === 'account.rename' ? detail.to : action)),
      )
      next = page.next
      pages++
    } while (next !== null)
    expect(names).toEqual([
      'e',
      'd',
      'c',
      'b',
      'a',
      'session.start',
      'key.create',
      'login.create',
      'account.create',
    ])
    expect(pages).toBe(5)
  })

  test('names who acted: login, key, app or nobody in particular', async () => {
    const { account: owner, person: by } = await newPerson()
    const { accountId } = owner
    await world.database.query(
      `INSERT INTO apps (id, account_id, name, is_public, redirect_uris) VALUES ('app-7', $1, 'Their app', true, '{}')`,
      [(await world.account()).accountId],
    )
    for (const actor of [
      `key:${owner.keyId}`,
      'app:app-7',
      'operator',
      'key:2000000000',
      `login:${account.loginId}`,
    ])
      await world.database.query(
        "INSERT INTO audit (account_id, actor, action, subject) VALUES ($1, $2, 'test', 'x')",
        [accountId, actor],
      )
    const { entries } = (await by.call('/api/audit?limit=6')).json
    expect(
      entries.map((entry: { actor: string; actor_name: string }) => [entry.actor, entry.actor_name]),
    ).toEqual([
      // Of another account, so its name is not told.
      [`login:${account.loginId}`, null],
      ['key:2000000000', null],
      ['operator', null],
      ['app:app-7', 'Their app'],
      [`key:${owner.keyId}`, 'test'],
      [`login:${owner.loginId}`, owner.alias],
    ])
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'before=0',
    'before=-1',
    'before=x',
    'before=9999999999999999',
  ])('%s is refused', async (query) => {
    expect((await person.call(`/api/audit?${query}`)).json.code).toBe(1012)
  })

  test('has every sign-in, and of failed ones at most one a minute', async () => {
    const { account: owner, person: by } = await newPerson()
    for (let tries = 0; tries < 3; tries++) {
      const json = { login: owner.alias, password: 'not the password' }
      await call(`${world.url}/api/session`, { method: 'POST', json, headers: { origin: world.url } })
      await call(`${world.url}/api/hooks?u=${owner.email}&p=not-the-password`)
    }
    const failures = async () =>
      (await by.call('/api/audit')).json.entries.filter(
        ({ action }: { action: string }) => action === 'session.fail',
      )
    await expect.poll(failures).toHaveLength(1)
    expect(await failures()).toEqual([
      {
        id: expect.any(Number),
        at: time,
        actor: 'visitor',
        actor_name: null,
        action: 'session.fail',
        subject: `login:${owner.loginId}`,
        detail: { ip: '127.0.0.1' },
      },
    ])

    await world.database.query(
      "UPDATE logins SET failure_audited_at = now() - interval '61 seconds' WHERE id = $1",
      [owner.loginId],
    )
    await call(`${world.url}/api/hooks?u=${owner.alias}&p=not-the-password`)
    await expect.poll(failures).toHaveLength(2)
  })
})

interface Entry {
  actor: string
  action: string
  subject: string
  detail: object
}

async function auditOf(action: string, subject: string): Promise<Entry[]> {
  const { entries } = (await person.call('/api/audit?limit=200')).json
  return entries.filter((entry: Entry) => entry.action === action && entry.subject === subject)
}
