/** Opening an account without the operator, where the operator allows it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { call, type CallAnswer } from './call.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let open: ServiceProcess
let account: TestAccount
beforeAll(async () => {
  world = await startAreaWorld()
  open = await world.startAnother({ PORT: '0', SELF_REGISTRATION: 'true', LOGIN_ATTEMPTS: '100' }, 'api')
  account = await world.account()
})
afterAll(() => world.close())

const wanted = {
  account_name: 'Example Ltd',
  alias: 'newcomer',
  email: 'newcomer@example.com',
  password: 'a good password',
}

function register(json: object, url = open.url, headers: Record<string, string> = {}): Promise<CallAnswer> {
  return call(`${url}/api/registration`, { method: 'POST', json, headers: { origin: world.url, ...headers } })
}

function accounts(): Promise<object[]> {
  return world.database.query('SELECT id FROM accounts')
}

/** Milliseconds of the fastest of some, which a busy machine held up least. */
async function fastest(json: object): Promise<number> {
  const times: number[] = []
  for (let tries = 0; tries < 5; tries++) {
    const startedAt = performance.now()
    await register(json)
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

test('is not there unless the operator says so', async () => {
  const { status, json } = await register(wanted, world.url)
  expect([status, json.code]).toEqual([404, 1110])
  expect((await call(`${world.url}/api/area`)).json.area.registration).toBe(false)
  expect((await call(`${open.url}/api/area`)).json.area.registration).toBe(true)
  expect(await world.database.query("SELECT 1 FROM logins WHERE alias = 'newcomer'")).toEqual([])
})

test('makes an account of its own, with its first login, and signs it in', async () => {
  const planted = `hookline=${'A'.repeat(43)}`
  const made = await register(wanted, open.url, { cookie: planted })
  expect(made.status).toBe(200)
  expect(made.json).toMatchObject({
    success: true,
    // It is verified by mail, which this installation does not send.
    login: { alias: 'newcomer', email: null, unconfirmed_email: null, second_factor: false },
    account: { name: 'Example Ltd' },
  })
  expect(made.json.account.id).not.toBe(account.accountId)
  const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).not.toBe(planted)
  const as = (path: string) => call(`${world.url}${path}`, { headers: { cookie } })
  expect((await as('/api/session')).json.csrf_token).toBe(made.json.csrf_token)
  expect((await as('/api/keys')).json.keys).toEqual([])
  const { entries } = (await as('/api/audit')).json
  expect(entries.map(({ actor, action }: { actor: string; action: string }) => [actor, action])).toEqual([
    [`login:${made.json.login.id}`, 'session.start'],
    ['visitor', 'login.create'],
    ['visitor', 'account.create'],
  ])
  expect(JSON.stringify(entries)).not.toContain(wanted.password)
})

test('refuses an alias that is taken, and leaves nothing behind', async () => {
  const before = await accounts()
  const onAlias = await register({ ...wanted, alias: account.alias.toUpperCase(), email: 'free@example.com' })
  expect([onAlias.status, onAlias.json.code]).toEqual([400, 1012])
  expect(onAlias.headers.getSetCookie()).toEqual([])
  expect(await accounts()).toEqual(before)
})

test('does not tell whether somebody has the email', async () => {
  const taken = await register({ ...wanted, alias: 'with-taken', email: account.email.toUpperCase() })
  const free = await register({ ...wanted, alias: 'with-free', email: 'free@example.com' })
  expect(taken.status).toBe(200)
  expect(taken.json.login).toEqual({ ...free.json.login, id: expect.any(Number), alias: 'with-taken' })
})

test('takes as long for a name that is taken: the password is hashed before anybody looks', async () => {
  const unhashed = await fastest({ ...wanted, password: 'short' })
  expect(await fastest({ ...wanted, alias: account.alias })).toBeGreaterThan(2 * unhashed)
})

test('of two who want one alias at once, one gets it', async () => {
  const rivals = ['one', 'two'].map((name) =>
    register({ ...wanted, alias: 'rival', email: `${name}@rival.example` }),
  )
  const statuses = (await Promise.all(rivals)).map(({ status }) => status)
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
  [{ email: 'nonsense' }, 'e-mail'],
  [{ email: 'me,victim@example.com' }, 'e-mail'],
  [{ password: 'too short' }, 'password'],
])('%j is refused', async (change, named) => {
  const { json } = await register({ ...wanted, alias: 'other', email: 'other@example.com', ...change })
  expect(json).toEqual({ success: false, code: 1012, error_message: expect.stringContaining(named) })
})

test('is tried so often from one address', async () => {
  const narrow = await world.startAnother(
    { PORT: '0', SELF_REGISTRATION: 'true', LOGIN_ATTEMPTS: '2' },
    'api',
  )
  await world.database.query('DELETE FROM login_attempts')
  const codes: number[] = []
  for (let tries = 0; tries < 3; tries++)
    codes.push((await register({ ...wanted, alias: account.alias }, narrow.url)).json.code)
  expect(codes).toEqual([1012, 1012, 907])
})
