/** The dashboard API for users: keys, sessions, password, profile, audit log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { barrier } from '../support/barrier.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount
let user: SignedIn

beforeAll(async () => {
  hookline = await startDashboardService({ OPERATOR_CONTACT: 'support@example.com' })
  account = await hookline.account()
  user = await signIn(hookline.url, account)
})
afterAll(() => hookline.close())

const done = { success: true, code: null }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

function post(path: string, json: object, session = user) {
  return session.call(path, { method: 'POST', json })
}

function remove(path: string, json?: object, session = user) {
  return session.call(path, { method: 'DELETE', ...(json && { json }) })
}

async function newUser(): Promise<{ account: TestAccount; user: SignedIn }> {
  const created = await hookline.account()
  return { account: created, user: await signIn(hookline.url, created) }
}

test('the dashboard configuration is public', async () => {
  const { status, json } = await call(`${hookline.url}/api/dashboard-config`)
  expect(status).toBe(200)
  expect(json).toEqual({
    ...done,
    config: {
      registration: false,
      is_signed_in: false,
      password_reset: 'operator',
      operator_contact: 'support@example.com',
      scopes: expect.arrayContaining([{ scope: 'hooks:read', description: 'View webhooks and consumers' }]),
    },
  })
})

describe('API keys', () => {
  test('a new key works immediately within its scopes and allowed IP addresses', async () => {
    const created = await post('/api/keys', {
      name: '  Billing  ',
      scopes: ['hooks:read', 'hooks:read'],
      expires_at: '2099-01-31T12:00:00+01:00',
      allowed_ips: ['127.0.0.1', '2001:db8::1', '192.0.2.0/24'],
    })
    expect(created.status).toBe(200)
    expect(created.json).toEqual({
      ...done,
      key: {
        id: expect.any(Number),
        name: 'Billing',
        prefix: created.json.secret.slice(0, 8),
        scopes: ['hooks:read'],
        allowed_ips: ['127.0.0.1', '2001:db8::1', '192.0.2.0/24'],
        expires_at: '2099-01-31T11:00:00.000Z',
        signed_calls_required: false,
        manageable: true,
        revoked_at: null,
        last_used_at: null,
        last_used_method: null,
        created_at: time,
        revealable: true,
      },
      secret: expect.stringMatching(/^hlk_\w{36}$/),
    })
    const key: string = created.json.secret
    expect((await call(`${hookline.url}/api/hooks`, { key })).status).toBe(200)
    const rejected = await call(`${hookline.url}/api/hooks`, { key, method: 'DELETE', form: { id: '1' } })
    expect(rejected.json.code).toBe(902)
    await expect
      .poll(async () => (await findKey(created.json.key.id))?.last_used_method, { timeout: 15_000 })
      .toBe('header-key')

    const otherIp = await post('/api/keys', { name: 'x', scopes: ['all'], allowed_ips: ['192.0.2.7'] })
    expect((await call(`${hookline.url}/api/hooks`, { key: otherIp.json.secret })).json.code).toBe(903)
  })

  test('keys are listed newest first, revoked keys last', async () => {
    const { user: userAccount } = await newUser()
    const ids: number[] = []
    for (const name of ['one', 'two', 'three'])
      ids.push((await post('/api/keys', { name, scopes: ['all'] }, userAccount)).json.key.id)
    const [one, two, three] = ids
    expect((await remove(`/api/keys/${three}`, undefined, userAccount)).json).toEqual(done)
    const listed: Array<{ id: number; name: string; revoked_at: string | null }> = (
      await userAccount.call('/api/keys')
    ).json.keys
    expect(listed.map(({ name }) => name)).toEqual(['two', 'one', 'test', 'three'])
    expect(listed.map(({ id }) => id)).toEqual([two, one, expect.any(Number), three])
    expect(listed.map(({ revoked_at }) => revoked_at)).toEqual([null, null, null, time])
  })

  test('viewing a key requires the password and is audited', async () => {
    const created = await post('/api/keys', { name: 'again', scopes: ['all'] })
    const { id } = created.json.key
    const wrong = await post(`/api/keys/${id}/view`, { password: 'not the password' })
    expect([wrong.status, wrong.json.code]).toEqual([403, 910])
    expect(await findAuditEntries('key.view', `key:${id}`)).toEqual([])

    const viewed = await post(`/api/keys/${id}/view`, { password: account.password })
    expect(viewed.json).toEqual({ ...done, secret: created.json.secret })
    expect(await findAuditEntries('key.view', `key:${id}`)).toEqual([
      expect.objectContaining({ actor: `login:${account.loginId}`, detail: { ip: '127.0.0.1' } }),
    ])
  })

  test('a revoked key stops immediately and cannot be viewed or revoked again', async () => {
    const created = await post('/api/keys', { name: 'gone', scopes: ['all'] })
    const { id } = created.json.key
    expect((await remove(`/api/keys/${id}`)).status).toBe(200)
    expect((await call(`${hookline.url}/api/hooks`, { key: created.json.secret })).status).toBe(401)
    expect((await remove(`/api/keys/${id}`)).json.code).toBe(1102)
    expect((await post(`/api/keys/${id}/view`, { password: account.password })).json.code).toBe(1102)
  })

  test('concurrent creates never exceed the key limit', async () => {
    const { account: userAccount, user: session } = await newUser()
    await hookline.database.query(
      `INSERT INTO keys (account_id, name, prefix, digest, sealed, scopes)
       SELECT $1, 'many', 'hlk_many', sha256(n::text::bytea), '', '{all}' FROM generate_series(1, 97) AS n`,
      [userAccount.accountId],
    )
    // Three creates wait at the lock, which is the maximum of concurrent calls per account.
    const responses = await barrier(hookline, 'LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE', 3, () =>
      Promise.all(
        Array.from({ length: 5 }, () => post('/api/keys', { name: 'last', scopes: ['all'] }, session)),
      ),
    )
    // 97 inserted keys and the initial key of the account.
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.json.code).toBe(1203)
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
  ])('%j is rejected', async (input, code, expectedText) => {
    const { json } = await post('/api/keys', input)
    expect(json).toEqual({
      success: false,
      code,
      error_message: expect.stringContaining(expectedText),
      field: expect.stringMatching(/^(name|scopes|expires_at|allowed_ips)$/),
    })
  })

  test('more than 50 networks are rejected with the limit', async () => {
    const input = { name: 'x', scopes: ['all'], allowed_ips: Array(51).fill('192.0.2.7') }
    expect((await post('/api/keys', input)).json).toMatchObject({
      success: false,
      code: 1012,
      field: 'allowed_ips',
      details: { max: 50 },
    })
  })

  test.each(['0', '-1', 'abc', '2147483648', '99999999999', '1.5', '%00'])(
    'the ID %s returns 400 or 404',
    async (id) => {
      expect([400, 404]).toContain((await remove(`/api/keys/${id}`)).status)
    },
  )
})

async function findKey(id: number): Promise<{ last_used_method: string | null } | undefined> {
  const { keys } = (await user.call('/api/keys')).json
  return keys.find((key: { id: number }) => key.id === id)
}

describe('sessions', () => {
  test('sessions are listed with IP and user agent, most recently used first, current one marked', async () => {
    const { account: userAccount, user: first } = await newUser()
    await hookline.database.query(
      "UPDATE sessions SET last_used_at = now() - interval '2 hours', ip = '192.0.2.9' WHERE login_id = $1",
      [userAccount.loginId],
    )
    const second = await signIn(hookline.url, userAccount)
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

  test('sessions are revoked individually or all others together', async () => {
    const { account: userAccount, user: first } = await newUser()
    const second = await signIn(hookline.url, userAccount)
    const third = await signIn(hookline.url, userAccount)
    const secondId: number = (await second.call('/api/session')).json.session.id
    expect((await remove(`/api/sessions/${secondId}`, undefined, first)).json).toEqual(done)
    expect((await second.call('/api/session')).status).toBe(401)
    expect((await third.call('/api/session')).status).toBe(200)
    expect((await remove(`/api/sessions/${secondId}`, undefined, first)).json.code).toBe(1102)

    expect((await remove('/api/sessions', undefined, first)).json).toEqual({ ...done, revoked: 1 })
    expect((await third.call('/api/session')).status).toBe(401)
    expect((await first.call('/api/session')).status).toBe(200)
    expect((await remove('/api/sessions', undefined, first)).json).toEqual({ ...done, revoked: 0 })
  })

  test('a second sign-in in the same browser revokes the first session', async () => {
    const { account: userAccount, user: first } = await newUser()
    const secondSignIn = await call(`${hookline.url}/api/session`, {
      method: 'POST',
      json: { login: userAccount.alias, password: userAccount.password },
      headers: { origin: hookline.url, cookie: first.cookie },
    })
    expect(secondSignIn.status).toBe(200)
    expect((await first.call('/api/session')).status).toBe(401)
  })
})

describe('the password', () => {
  test('a password change requires the current password and revokes all other sessions', async () => {
    const { account: userAccount, user: first } = await newUser()
    const other = await signIn(hookline.url, userAccount)
    const change = { current_password: userAccount.password, new_password: 'another password' }
    const changed = await post('/api/password', change, first)
    expect(changed.status).toBe(200)
    expect((await other.call('/api/session')).status).toBe(401)
    expect((await first.call('/api/session')).status).toBe(401)

    const cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const read = await call(`${hookline.url}/api/session`, { headers: { cookie } })
    expect(read.json).toMatchObject({
      login: { id: userAccount.loginId },
      csrf_token: changed.json.csrf_token,
    })
    await expect(signIn(hookline.url, userAccount)).rejects.toThrow('900')
    await signIn(hookline.url, { ...userAccount, password: 'another password' })
  })

  test.each([
    ['a wrong current password', 'not the password', 'another password', 403, 910],
    ['a new password that is too short', undefined, 'nine char', 400, 1012],
    ['a new password that is too long', undefined, 'x'.repeat(1_025), 400, 1012],
    ['a current password that is far too long', 'x'.repeat(2_000), 'another password', 403, 910],
  ])('the password is not changed with %s', async (_what, current, requested, status, code) => {
    const { account: userAccount, user: session } = await newUser()
    const json = { current_password: current ?? userAccount.password, new_password: requested }
    const response = await post('/api/password', json, session)
    expect([response.status, response.json.code]).toEqual([status, code])
    expect((await session.call('/api/session')).status).toBe(200)
    await signIn(hookline.url, userAccount)
  })

  test('a password set by the operator revokes every session', async () => {
    const { account: userAccount, user: session } = await newUser()
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const args = ['login', 'set-password', userAccount.alias, '--password', 'from the operator']
    expect((await runAdmin(env, args)).code).toBe(0)
    expect((await session.call('/api/session')).status).toBe(401)
  })
})

describe('the profile', () => {
  test('the account is renamed', async () => {
    const { account: userAccount, user: session } = await newUser()
    expect((await post('/api/account', { name: 'Example & Söhne' }, session)).json).toEqual(done)
    expect((await session.call('/api/session')).json.account.name).toBe('Example & Söhne')
    const [entry] = (await session.call('/api/audit')).json.entries
    expect(entry).toMatchObject({
      action: 'account.rename',
      subject: `account:${userAccount.accountId}`,
      detail: { from: userAccount.alias, to: 'Example & Söhne' },
    })
  })

  test('an email change requires the password and a mail server', async () => {
    const { account: userAccount, user: session } = await newUser()
    const email = `new-${userAccount.email}`
    const wrong = await post('/api/login', { email, password: 'not the password' }, session)
    expect(wrong.json.code).toBe(910)
    const unverifiable = await post('/api/login', { email, password: userAccount.password }, session)
    expect([unverifiable.status, unverifiable.json.code]).toEqual([409, 1130])
    expect((await session.call('/api/session')).json.login.email).toBe(userAccount.email)
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
  ])('the email %j is rejected', async (email) => {
    const response = await post('/api/login', { email, password: account.password })
    expect(response.json.code).toBe(1012)
  })
})

test('used deprecated credentials are listed with last day and count', async () => {
  const { account: userAccount, user: session } = await newUser()
  expect((await session.call('/api/deprecated-uses')).json).toEqual({ ...done, uses: [] })
  await hookline.database.query(
    `INSERT INTO deprecated_uses (account_id, kind, day, uses) VALUES
       ($1, 'parameter-key', current_date - 40, 7), ($1, 'parameter-key', current_date - 29, 3),
       ($1, 'parameter-key', current_date - 2, 4), ($1, 'login-password', current_date - 31, 9)`,
    [userAccount.accountId],
  )
  const [{ recent, old } = { recent: '', old: '' }] = await hookline.database.query<{
    recent: string
    old: string
  }>('SELECT (current_date - 2)::text AS recent, (current_date - 31)::text AS old')
  expect((await session.call('/api/deprecated-uses')).json.uses).toEqual([
    { kind: 'parameter-key', last_day: recent, uses_30_days: 7 },
    { kind: 'login-password', last_day: old, uses_30_days: 0 },
  ])
})

describe('the audit log', () => {
  test('the audit log is paginated newest first, each entry once', async () => {
    const { user: session } = await newUser()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await post('/api/account', { name }, session)
    const names: string[] = []
    let next: number | null = null
    let pages = 0
    do {
      const page: {
        entries: Array<{ id: number; action: string; detail: { to: string } }>
        next: number | null
      } = (await session.call(`/api/audit?limit=2${next === null ? '' : `&before=${next}`}`)).json
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

  test('entries name the actor: login, key or app', async () => {
    const { account: userAccount, user: session } = await newUser()
    const { accountId } = userAccount
    await hookline.database.query(
      `INSERT INTO apps (id, account_id, name, is_public, redirect_uris) VALUES ('app-7', $1, 'Their app', true, '{}')`,
      [(await hookline.account()).accountId],
    )
    for (const actor of [
      `key:${userAccount.keyId}`,
      'app:app-7',
      'operator',
      'key:2000000000',
      `login:${account.loginId}`,
    ])
      await hookline.database.query(
        "INSERT INTO audit (account_id, actor, action, subject) VALUES ($1, $2, 'test', $2)",
        [accountId, actor],
      )
    const { entries } = (await session.call('/api/audit?limit=6')).json
    expect(
      entries.map((entry: { actor: string; actor_name: string }) => [entry.actor, entry.actor_name]),
    ).toEqual([
      // The login belongs to another account, so its name is hidden.
      [`login:${account.loginId}`, null],
      ['key:2000000000', null],
      ['operator', null],
      ['app:app-7', 'Their app'],
      [`key:${userAccount.keyId}`, 'test'],
      [`login:${userAccount.loginId}`, userAccount.alias],
    ])
    expect(entries[0]).toMatchObject({ subject: `login:${account.loginId}`, member: null })
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'before=0',
    'before=-1',
    'before=x',
    'before=9999999999999999',
  ])('%s is rejected', async (query) => {
    expect((await user.call(`/api/audit?${query}`)).json.code).toBe(1012)
  })

  test('failed sign-ins are audited at most once per minute', async () => {
    const { account: userAccount, user: session } = await newUser()
    for (let attempt = 0; attempt < 3; attempt++) {
      const json = { login: userAccount.alias, password: 'not the password' }
      await call(`${hookline.url}/api/session`, { method: 'POST', json, headers: { origin: hookline.url } })
      await call(`${hookline.url}/api/hooks?u=${userAccount.email}&p=not-the-password`)
    }
    const failedSignIns = async () =>
      (await session.call('/api/audit')).json.entries.filter(
        ({ action }: { action: string }) => action === 'session.fail',
      )
    await expect.poll(failedSignIns).toHaveLength(1)
    expect(await failedSignIns()).toEqual([
      {
        id: expect.any(Number),
        at: time,
        actor: 'visitor',
        actor_name: null,
        action: 'session.fail',
        subject: `login:${userAccount.loginId}`,
        member: userAccount.alias,
        webhook: null,
        detail: { ip: '127.0.0.1' },
      },
    ])

    await hookline.database.query(
      "UPDATE logins SET failure_audited_at = now() - interval '61 seconds' WHERE id = $1",
      [userAccount.loginId],
    )
    await call(`${hookline.url}/api/hooks?u=${userAccount.alias}&p=not-the-password`)
    await expect.poll(failedSignIns).toHaveLength(2)
  })
})

interface AuditEntry {
  actor: string
  action: string
  subject: string
  detail: object
}

async function findAuditEntries(action: string, subject: string): Promise<AuditEntry[]> {
  const { entries } = (await user.call('/api/audit?limit=200')).json
  return entries.filter((entry: AuditEntry) => entry.action === action && entry.subject === subject)
}
