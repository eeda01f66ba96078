/**
 * No secret of a person is written anywhere in clear: passwords, cookies, page tokens, links, secrets and codes of the
 * second factor, keys, the mail server's password. Each goes its usual way and into failures on the way; afterwards none
 * may be found in what the process printed, in any table or in PostgreSQL's log.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appCode, fromBase32 } from './authenticator.ts'
import { call, type CallAnswer } from './call.ts'
import { makeCanary, searchFor } from './canaries.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestWorld } from './service.ts'
import { dumpDatabase, followPostgresLog } from './written-down.ts'

vi.setConfig({ testTimeout: 120_000 })

let mailServer: MailServer
let world: TestWorld
let readPostgresLog: () => Promise<string>
beforeAll(async () => {
  readPostgresLog = await followPostgresLog()
  mailServer = await startMailServer()
  world = await startAreaWorld({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'hookline@mail.example',
    LOG_LEVEL: 'debug',
    LOGIN_ATTEMPTS: '0',
    SELF_REGISTRATION: 'true',
  })
})
afterAll(async () => {
  await world.close()
  await mailServer.close()
})

const secrets: string[] = []
let failures = ''
const constraint = `canary_${randomBytes(6).toString('hex')}`

function remember(...found: string[]): string {
  for (const secret of found) expect(secret.length, 'can be searched for').toBeGreaterThanOrEqual(12)
  secrets.push(...found)
  return found[0] ?? ''
}

const password = () => remember(makeCanary('password').text)

const token = () => remember(randomBytes(32).toString('base64url'))

async function expectStatus(status: number, answer: CallAnswer): Promise<CallAnswer> {
  expect(answer.status, answer.text).toBe(status)
  if (status >= 400) failures += `${JSON.stringify([...answer.headers])}${answer.text}\n`
  return answer
}

function open(path: string, json: object, headers: Record<string, string> = {}): Promise<CallAnswer> {
  return call(`${world.url}${path}`, { method: 'POST', json, headers: { origin: world.url, ...headers } })
}

/** The tokens of the links in somebody's mail. */
function linksTo(address: string): string[] {
  return mailServer.mailsTo(address).flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])
}

/** The bytes behind a secret in base32, as programs write them. */
function bytesOf(secret: string): string[] {
  const bytes = fromBase32(secret)
  return [bytes.toString('hex'), bytes.toString('base64')]
}

/** A person whose every secret is remembered. */
async function newPerson() {
  const owner = await world.account()
  const person = await signIn(world.url, owner)
  remember(owner.password, person.cookie.split('=')[1] ?? '', person.csrfToken)
  return { owner, person }
}

test('secrets go their usual way', async () => {
  const { owner, person } = await newPerson()
  const post = (path: string, json: object) => person.call(path, { method: 'POST', json })
  const { secret: key, key: made } = (
    await expectStatus(200, await post('/api/keys', { name: 'x', scopes: ['all'] }))
  ).json
  remember(key)
  await expectStatus(200, await post(`/api/keys/${made.id}/view`, { password: owner.password }))
  const begun = await expectStatus(200, await post('/api/second-factor', { password: owner.password }))
  const secret = remember(begun.json.secret, ...bytesOf(begun.json.secret))
  const confirmed = await expectStatus(
    200,
    await post('/api/second-factor/confirm', { code: appCode(secret) }),
  )
  const codes: string[] = confirmed.json.recovery_codes
  remember(...codes, ...codes.map((code) => code.replaceAll('-', '')))
  const entered = await open('/api/session', { login: owner.alias, password: owner.password, code: codes[0] })
  await expectStatus(200, entered)
  remember(entered.json.csrf_token, /=([\w-]{43});/.exec(entered.headers.getSetCookie()[0] ?? '')?.[1] ?? '')
  const changed = await post('/api/password', { current_password: owner.password, new_password: password() })
  await expectStatus(200, changed)
  remember(changed.json.csrf_token, /=([\w-]{43});/.exec(changed.headers.getSetCookie()[0] ?? '')?.[1] ?? '')

  await expectStatus(200, await open('/api/password-resets', { login: owner.email }))
  await expect.poll(() => linksTo(owner.email), { timeout: 15_000 }).toHaveLength(1)
  const link = remember(...linksTo(owner.email))
  await expectStatus(
    200,
    await open('/api/password-resets/confirm', { token: link, new_password: password() }),
  )
  const newcomer = { account_name: 'x', alias: 'newcomer', email: 'new@example.com', password: password() }
  await expectStatus(200, await open('/api/registration', newcomer))
  remember(mailServer.password)

  // A link that nobody opens stays until it has run out.
  const { owner: another } = await newPerson()
  await expectStatus(200, await open('/api/password-resets', { login: another.alias }))
  await expect.poll(() => linksTo(another.email), { timeout: 15_000 }).toHaveLength(1)
  remember(...linksTo(another.email))
})

test('secrets go astray', async () => {
  const { owner, person } = await newPerson()
  const post = (path: string, json: object) => person.call(path, { method: 'POST', json })
  await expectStatus(401, await open('/api/session', { login: owner.alias, password: password() }))
  await expectStatus(401, await open('/api/session', { login: password(), password: password() }))
  await expectStatus(400, await open('/api/session', { login: owner.alias, password: [password()] }))
  await expectStatus(400, await open('/api/session', { login: owner.alias, password: `${password()}\0` }))
  await expectStatus(
    400,
    await open(`/api/session?password=${encodeURIComponent(password())}`, { password: 'x' }),
  )
  await expectStatus(
    403,
    await post('/api/password', { current_password: password(), new_password: password() }),
  )
  await expectStatus(
    400,
    await post('/api/password', { current_password: password(), new_password: 'short' }),
  )
  await expectStatus(
    400,
    await open('/api/password-resets/confirm', { token: token(), new_password: password() }),
  )
  await expectStatus(403, await post('/api/second-factor', { password: password() }))
  await expectStatus(403, await post(`/api/keys/${owner.keyId}/view`, { password: password() }))
  await expectStatus(404, await person.call(`/api/${token()}`))
  await expectStatus(404, await person.call(`/api/keys/2000000000?x=${token()}`, { method: 'DELETE' }))
  for (const headers of [
    { cookie: `hookline=${token()}` },
    { cookie: `__Host-hookline=${token()}` },
    { cookie: person.cookie, 'x-csrf-token': token(), origin: world.url },
  ] as Array<Record<string, string>>)
    await expectStatus(
      'x-csrf-token' in headers ? 403 : 401,
      await call(`${world.url}/api/session`, { method: 'DELETE', headers }),
    )
  const malformed = await call(`${world.url}/api/session`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: `{"password":${JSON.stringify(password())}`,
  })
  await expectStatus(400, malformed)
})

test('secrets meet a database that refuses them', async () => {
  const { owner, person } = await newPerson()
  const post = (path: string, json: object) => person.call(path, { method: 'POST', json })
  const tables = ['sessions', 'keys', 'password_resets', 'recovery_codes', 'logins', 'audit']
  const begun = await expectStatus(200, await post('/api/second-factor', { password: owner.password }))
  const secret = remember(begun.json.secret, ...bytesOf(begun.json.secret))
  for (const table of tables)
    await world.database.query(
      `ALTER TABLE ${table} ADD CONSTRAINT ${constraint}_${table} CHECK (false) NOT VALID`,
    )
  try {
    await expectStatus(500, await open('/api/session', { login: owner.alias, password: owner.password }))
    await expectStatus(500, await post('/api/keys', { name: 'x', scopes: ['all'] }))
    await expectStatus(500, await post(`/api/keys/${owner.keyId}/view`, { password: owner.password }))
    await expectStatus(500, await post('/api/second-factor/confirm', { code: appCode(secret) }))
    const json = { current_password: owner.password, new_password: password() }
    await expectStatus(500, await post('/api/password', json))
    const newcomer = { account_name: 'x', alias: 'late', email: 'late@example.com', password: password() }
    await expectStatus(500, await open('/api/registration', newcomer))
    await expectStatus(200, await open('/api/password-resets', { login: owner.alias }))
    await expectStatus(401, await open('/api/session', { login: owner.alias, password: password() }))
    await expect.poll(readPostgresLog, { timeout: 15_000 }).toContain(`"${constraint}_password_resets"`)
  } finally {
    for (const table of tables)
      await world.database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}_${table}`)
  }
})

test('and none is found', async () => {
  await world.service.stop()
  expect(secrets.length).toBeGreaterThan(50)
  const search = searchFor(secrets)
  const printed = world.service.output()
  expect(printed.match(/"msg":"request"/g)?.length).toBeGreaterThan(35)
  expect(printed).toContain('"msg":"background work failed"')
  expect(search(printed), 'printed').toEqual([])

  const dump = await dumpDatabase(world.database)
  for (const table of ['sessions', 'logins', 'keys', 'recovery_codes', 'password_resets', 'audit'])
    expect(dump, table).toMatch(new RegExp(`^${table}: `, 'm'))
  expect(search(dump), 'tables').toEqual([])

  const log = await readPostgresLog()
  for (const table of ['sessions', 'keys', 'password_resets', 'logins'])
    expect(log, table).toContain(`violates check constraint "${constraint}_${table}"`)
  expect(search(log), "PostgreSQL's log").toEqual([])

  expect(failures.match(/"success":false/g)?.length).toBeGreaterThan(20)
  expect(search(failures), 'failures').toEqual([])
})
