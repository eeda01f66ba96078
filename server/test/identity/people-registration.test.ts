/** Self-registration of accounts, if the operator enables it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let open: ServiceProcess
let account: TestAccount
beforeAll(async () => {
  hookline = await startDashboardService()
  open = await hookline.startAnother({ PORT: '0', SELF_REGISTRATION: 'true', LOGIN_ATTEMPTS: '100' }, 'api')
  account = await hookline.account()
})
afterAll(() => hookline.close())

const requested = {
  account_name: 'Example Ltd',
  alias: 'newcomer',
  email: 'newcomer@example.com',
  password: 'a good password',
}

function register(json: object, url = open.url, headers: Record<string, string> = {}): Promise<CallResponse> {
  return call(`${url}/api/registration`, {
    method: 'POST',
    json,
    headers: { origin: hookline.url, ...headers },
  })
}

function accounts(): Promise<object[]> {
  return hookline.database.query('SELECT id FROM accounts')
}

/** Returns the fastest of five calls in milliseconds, which is the least affected by load. */
async function fastestMs(json: object): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < 5; attempt++) {
    const startedAt = performance.now()
    await register(json)
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

test('registration is disabled by default', async () => {
  const { status, json } = await register(requested, hookline.url)
  expect([status, json.code]).toEqual([404, 1110])
  expect((await call(`${hookline.url}/api/dashboard-config`)).json.config.registration).toBe(false)
  expect((await call(`${open.url}/api/dashboard-config`)).json.config.registration).toBe(true)
  expect(await hookline.database.query("SELECT 1 FROM logins WHERE alias = 'newcomer'")).toEqual([])
})

test('registration creates an account with a login and starts a session', async () => {
  const planted = `hookline=${'A'.repeat(43)}`
  const created = await register(requested, open.url, { cookie: planted })
  expect(created.status).toBe(200)
  expect(created.json).toMatchObject({
    success: true,
    // The email stays null, because this installation cannot send the confirmation.
    login: { alias: 'newcomer', email: null, unconfirmed_email: null, second_factor: false },
    account: { name: 'Example Ltd' },
  })
  expect(created.json.account.id).not.toBe(account.accountId)
  const cookie = created.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).not.toBe(planted)
  const as = (path: string) => call(`${hookline.url}${path}`, { headers: { cookie } })
  expect((await as('/api/session')).json.csrf_token).toBe(created.json.csrf_token)
  expect((await as('/api/keys')).json.keys).toEqual([])
  const { entries } = (await as('/api/audit')).json
  expect(entries.map(({ actor, action }: { actor: string; action: string }) => [actor, action])).toEqual([
    [`login:${created.json.login.id}`, 'session.start'],
    ['visitor', 'login.create'],
    ['visitor', 'account.create'],
  ])
  expect(JSON.stringify(entries)).not.toContain(requested.password)
})

test('an existing alias is rejected and nothing is created', async () => {
  const before = await accounts()
  const onAlias = await register({
    ...requested,
    alias: account.alias.toUpperCase(),
    email: 'free@example.com',
  })
  expect([onAlias.status, onAlias.json.code]).toEqual([400, 1012])
  expect(onAlias.headers.getSetCookie()).toEqual([])
  expect(await accounts()).toEqual(before)
})

test('the response does not reveal whether the email exists', async () => {
  const taken = await register({ ...requested, alias: 'with-taken', email: account.email.toUpperCase() })
  const free = await register({ ...requested, alias: 'with-free', email: 'free@example.com' })
  expect(taken.status).toBe(200)
  expect(taken.json.login).toEqual({ ...free.json.login, id: expect.any(Number), alias: 'with-taken' })
})

test('the password is hashed before the alias is checked, so the time does not reveal an existing alias', async () => {
  const unhashed = await fastestMs({ ...requested, password: 'short' })
  expect(await fastestMs({ ...requested, alias: account.alias })).toBeGreaterThan(2 * unhashed)
})

test('of two concurrent registrations of one alias, one succeeds', async () => {
  const registrations = ['one', 'two'].map((name) =>
    register({ ...requested, alias: 'rival', email: `${name}@rival.example` }),
  )
  const statuses = (await Promise.all(registrations)).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
})

test.each([
  [{ account_name: '' }, 'account_name'],
  [{ account_name: 'x'.repeat(101) }, 'account_name'],
  [{ account_name: 7 }, 'account_name'],
  [{ alias: 'with space' }, 'alias'],
  [{ alias: 'a@b' }, 'alias'],
  [{ alias: '<script>' }, 'alias'],
  [{ alias: 'x'.repeat(65) }, 'alias'],
  [{ email: 'nonsense' }, 'email'],
  [{ email: 'me,victim@example.com' }, 'email'],
  [{ password: 'too short' }, 'password'],
])('%j is rejected', async (change, fieldName) => {
  const { json } = await register({ ...requested, alias: 'other', email: 'other@example.com', ...change })
  expect(json).toEqual({
    success: false,
    code: 1012,
    error_message: expect.stringContaining(fieldName),
    field: fieldName,
  })
})

test('registration is rate limited per address', async () => {
  const narrow = await hookline.startAnother(
    { PORT: '0', SELF_REGISTRATION: 'true', LOGIN_ATTEMPTS: '2' },
    'api',
  )
  await hookline.database.query('DELETE FROM login_attempts')
  const codes: number[] = []
  for (let attempt = 0; attempt < 3; attempt++)
    codes.push((await register({ ...requested, alias: account.alias }, narrow.url)).json.code)
  expect(codes).toEqual([1012, 1012, 907])
})
