/**
 * Secrets of users are never stored in plain text: passwords, cookies, CSRF tokens, links, secrets and codes of the
 * second factor, keys, the SMTP password. The tests use each secret normally and in failing requests, then search the
 * output of the process, all tables and the PostgreSQL log.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appCode, fromBase32 } from '../support/authenticator.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { plantSecret, searchFor } from '../support/planted-secrets.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'
import { dumpDatabase, followPostgresLog } from '../support/stored-data.ts'

vi.setConfig({ testTimeout: 120_000 })

let mailServer: MailServer
let hookline: TestService
let readPostgresLog: () => Promise<string>
beforeAll(async () => {
  readPostgresLog = await followPostgresLog()
  mailServer = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'hookline@mail.example',
    LOG_LEVEL: 'debug',
    LOGIN_ATTEMPTS: '0',
    SELF_REGISTRATION: 'true',
  })
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

const secrets: string[] = []
let errorResponses = ''
const constraint = `canary_${randomBytes(6).toString('hex')}`

function recordSecrets(...planted: string[]): string {
  for (const secret of planted) expect(secret.length, 'searchable length').toBeGreaterThanOrEqual(12)
  secrets.push(...planted)
  return planted[0] ?? ''
}

const password = () => recordSecrets(plantSecret('password').text)

const token = () => recordSecrets(randomBytes(32).toString('base64url'))

async function expectStatus(status: number, response: CallResponse): Promise<CallResponse> {
  expect(response.status, response.text).toBe(status)
  if (status >= 400) errorResponses += `${JSON.stringify([...response.headers])}${response.text}\n`
  return response
}

function postAnonymously(
  path: string,
  json: object,
  headers: Record<string, string> = {},
): Promise<CallResponse> {
  return call(`${hookline.url}${path}`, {
    method: 'POST',
    json,
    headers: { origin: hookline.url, ...headers },
  })
}

/** Returns the tokens of the links in emails to an address. */
function linksTo(address: string): string[] {
  return mailServer.mailsTo(address).flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])
}

/** Returns the bytes of a base32 secret in hex and base64. */
function bytesOf(secret: string): string[] {
  const bytes = fromBase32(secret)
  return [bytes.toString('hex'), bytes.toString('base64')]
}

/** Signs in a new user and records all of the user's secrets. */
async function newUser() {
  const userAccount = await hookline.account()
  const user = await signIn(hookline.url, userAccount)
  recordSecrets(userAccount.password, user.cookie.split('=')[1] ?? '', user.csrfToken)
  return { userAccount, user }
}

test('secrets are used in successful requests', async () => {
  const { userAccount, user } = await newUser()
  const post = (path: string, json: object) => user.call(path, { method: 'POST', json })
  const { secret: key, key: created } = (
    await expectStatus(200, await post('/api/keys', { name: 'x', scopes: ['all'] }))
  ).json
  recordSecrets(key)
  await expectStatus(200, await post(`/api/keys/${created.id}/view`, { password: userAccount.password }))
  const setup = await expectStatus(200, await post('/api/second-factor', { password: userAccount.password }))
  const secret = recordSecrets(setup.json.secret, ...bytesOf(setup.json.secret))
  const confirmed = await expectStatus(
    200,
    await post('/api/second-factor/confirm', { code: appCode(secret) }),
  )
  const codes: string[] = confirmed.json.recovery_codes
  recordSecrets(...codes, ...codes.map((code) => code.replaceAll('-', '')))
  const signedIn = await postAnonymously('/api/session', {
    login: userAccount.alias,
    password: userAccount.password,
    code: codes[0],
  })
  await expectStatus(200, signedIn)
  recordSecrets(
    signedIn.json.csrf_token,
    /=([\w-]{43});/.exec(signedIn.headers.getSetCookie()[0] ?? '')?.[1] ?? '',
  )
  const changed = await post('/api/password', {
    current_password: userAccount.password,
    new_password: password(),
  })
  await expectStatus(200, changed)
  recordSecrets(
    changed.json.csrf_token,
    /=([\w-]{43});/.exec(changed.headers.getSetCookie()[0] ?? '')?.[1] ?? '',
  )

  await expectStatus(200, await postAnonymously('/api/password-resets', { login: userAccount.email }))
  await expect.poll(() => linksTo(userAccount.email), { timeout: 15_000 }).toHaveLength(1)
  const link = recordSecrets(...linksTo(userAccount.email))
  await expectStatus(
    200,
    await postAnonymously('/api/password-resets/confirm', { token: link, new_password: password() }),
  )
  const newcomer = { account_name: 'x', alias: 'newcomer', email: 'new@example.com', password: password() }
  await expectStatus(200, await postAnonymously('/api/registration', newcomer))
  recordSecrets(mailServer.password)

  // An unused link stays in the database until it expires.
  const { userAccount: otherAccount } = await newUser()
  await expectStatus(200, await postAnonymously('/api/password-resets', { login: otherAccount.alias }))
  await expect.poll(() => linksTo(otherAccount.email), { timeout: 15_000 }).toHaveLength(1)
  recordSecrets(...linksTo(otherAccount.email))
})

test('secrets are sent in invalid requests', async () => {
  const { userAccount, user } = await newUser()
  const post = (path: string, json: object) => user.call(path, { method: 'POST', json })
  await expectStatus(
    401,
    await postAnonymously('/api/session', { login: userAccount.alias, password: password() }),
  )
  await expectStatus(401, await postAnonymously('/api/session', { login: password(), password: password() }))
  await expectStatus(
    400,
    await postAnonymously('/api/session', { login: userAccount.alias, password: [password()] }),
  )
  await expectStatus(
    400,
    await postAnonymously('/api/session', { login: userAccount.alias, password: `${password()}\0` }),
  )
  await expectStatus(
    400,
    await postAnonymously(`/api/session?password=${encodeURIComponent(password())}`, { password: 'x' }),
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
    await postAnonymously('/api/password-resets/confirm', { token: token(), new_password: password() }),
  )
  await expectStatus(403, await post('/api/second-factor', { password: password() }))
  await expectStatus(403, await post(`/api/keys/${userAccount.keyId}/view`, { password: password() }))
  await expectStatus(404, await user.call(`/api/${token()}`))
  await expectStatus(404, await user.call(`/api/keys/2000000000?x=${token()}`, { method: 'DELETE' }))
  for (const headers of [
    { cookie: `hookline=${token()}` },
    { cookie: `__Host-hookline=${token()}` },
    { cookie: user.cookie, 'x-csrf-token': token(), origin: hookline.url },
  ] as Array<Record<string, string>>)
    await expectStatus(
      'x-csrf-token' in headers ? 403 : 401,
      await call(`${hookline.url}/api/session`, { method: 'DELETE', headers }),
    )
  const malformed = await call(`${hookline.url}/api/session`, {
    method: 'POST',
    headers: { origin: hookline.url, 'content-type': 'application/json' },
    body: `{"password":${JSON.stringify(password())}`,
  })
  await expectStatus(400, malformed)
})

test('secrets are sent while the database rejects writes', async () => {
  const { userAccount, user } = await newUser()
  const post = (path: string, json: object) => user.call(path, { method: 'POST', json })
  const tables = ['sessions', 'keys', 'password_resets', 'recovery_codes', 'logins', 'audit']
  const setup = await expectStatus(200, await post('/api/second-factor', { password: userAccount.password }))
  const secret = recordSecrets(setup.json.secret, ...bytesOf(setup.json.secret))
  for (const table of tables)
    await hookline.database.query(
      `ALTER TABLE ${table} ADD CONSTRAINT ${constraint}_${table} CHECK (false) NOT VALID`,
    )
  try {
    await expectStatus(
      500,
      await postAnonymously('/api/session', { login: userAccount.alias, password: userAccount.password }),
    )
    await expectStatus(500, await post('/api/keys', { name: 'x', scopes: ['all'] }))
    await expectStatus(
      500,
      await post(`/api/keys/${userAccount.keyId}/view`, { password: userAccount.password }),
    )
    await expectStatus(500, await post('/api/second-factor/confirm', { code: appCode(secret) }))
    const json = { current_password: userAccount.password, new_password: password() }
    await expectStatus(500, await post('/api/password', json))
    const newcomer = { account_name: 'x', alias: 'late', email: 'late@example.com', password: password() }
    await expectStatus(500, await postAnonymously('/api/registration', newcomer))
    await expectStatus(200, await postAnonymously('/api/password-resets', { login: userAccount.alias }))
    await expectStatus(
      401,
      await postAnonymously('/api/session', { login: userAccount.alias, password: password() }),
    )
    await expect.poll(readPostgresLog, { timeout: 15_000 }).toContain(`"${constraint}_password_resets"`)
  } finally {
    for (const table of tables)
      await hookline.database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}_${table}`)
  }
})

test('no secret is found in output, tables, PostgreSQL log or error responses', async () => {
  await hookline.service.stop()
  expect(secrets.length).toBeGreaterThan(50)
  const search = searchFor(secrets)
  const printed = hookline.service.output()
  expect(printed.match(/"msg":"request"/g)?.length).toBeGreaterThan(35)
  expect(printed).toContain('"msg":"background task failed"')
  expect(search(printed), 'printed').toEqual([])

  const dump = await dumpDatabase(hookline.database)
  for (const table of ['sessions', 'logins', 'keys', 'recovery_codes', 'password_resets', 'audit'])
    expect(dump, table).toMatch(new RegExp(`^${table}: `, 'm'))
  expect(search(dump), 'tables').toEqual([])

  const log = await readPostgresLog()
  for (const table of ['sessions', 'keys', 'password_resets', 'logins'])
    expect(log, table).toContain(`violates check constraint "${constraint}_${table}"`)
  expect(search(log), "PostgreSQL's log").toEqual([])

  expect(errorResponses.match(/"success":false/g)?.length).toBeGreaterThan(20)
  expect(search(errorResponses), 'failures').toEqual([])
})
