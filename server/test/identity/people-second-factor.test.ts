/** Two-factor authentication: setup, sign-in, recovery codes and removal. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAdmin } from '../support/admin-tool.ts'
import { appCode } from '../support/authenticator.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { barrier } from '../support/barrier.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService
beforeAll(async () => {
  mailServer = await startMailServer()
  // Workers send the alerts.
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example' },
    'all',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

let account: TestAccount
let user: SignedIn
beforeEach(async () => {
  account = await hookline.account()
  user = await signIn(hookline.url, account)
})

const done = { success: true, code: null }

/** Returns the texts of all emails to the user so far. */
function alertsTo(): string {
  return mailServer
    .mailsTo(account.email)
    .map(({ text }) => text)
    .join()
}

function post(path: string, json: object): Promise<CallResponse> {
  return user.call(path, { method: 'POST', json })
}

function startSession(code?: string, password = account.password): Promise<CallResponse> {
  const json = { login: account.alias, password, ...(code !== undefined && { code }) }
  return call(`${hookline.url}/api/session`, { method: 'POST', json, headers: { origin: hookline.url } })
}

function outcome({ status, json }: CallResponse): [number, number | null] {
  return [status, json.code]
}

async function startSetup(): Promise<string> {
  const setup = await post('/api/second-factor', { password: account.password })
  expect(setup.status).toBe(200)
  return setup.json.secret
}

/** Enables the second factor. Returns the secret, the used code and the recovery codes. */
async function enableSecondFactor(): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const secret = await startSetup()
  const code = appCode(secret)
  const confirmed = await post('/api/second-factor/confirm', { code })
  expect(confirmed.status).toBe(200)
  return { secret, code, recoveryCodes: confirmed.json.recovery_codes }
}

async function auditEntries(action: string): Promise<object[]> {
  const { entries } = (await user.call('/api/audit')).json
  return entries.filter((entry: { action: string }) => entry.action === action)
}

/** Allows codes of the current period again. */
async function clearUsedCodes(): Promise<void> {
  await hookline.database.query('UPDATE logins SET totp_last_step = 0 WHERE id = $1', [account.loginId])
}

describe('setup', () => {
  test('setup requires the password, returns secret and URI, and has no effect before confirmation', async () => {
    const wrong = await post('/api/second-factor', { password: 'not the password' })
    expect(outcome(wrong)).toEqual([403, 910])
    const setup = await post('/api/second-factor', { password: account.password })
    expect(setup.json).toEqual({
      ...done,
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: `otpauth://totp/Hookline%20127.0.0.1:${account.alias}?secret=${setup.json.secret}&issuer=Hookline%20127.0.0.1&algorithm=SHA1&digits=6&period=30`,
    })
    expect((await user.call('/api/session')).json.login.second_factor).toBe(false)
    expect(outcome(await startSession())).toEqual([200, null])
  })

  test('a code of the authenticator app completes the setup and returns ten recovery codes', async () => {
    const secret = await startSetup()
    expect(outcome(await post('/api/second-factor/confirm', { code: wrongCode(secret) }))).toEqual([401, 912])
    expect(outcome(await startSession())).toEqual([200, null])
    // Users copy codes with a space in the middle.
    const code = appCode(secret).replace(/^.../, '$& ')
    const confirmed = await post('/api/second-factor/confirm', { code })
    expect(confirmed.status).toBe(200)
    const { recovery_codes: codes } = confirmed.json
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const recoveryCode of codes) expect(recoveryCode).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    expect((await user.call('/api/session')).json.login).toMatchObject({
      second_factor: true,
      recovery_codes_left: 10,
    })
    await expect
      .poll(alertsTo, { timeout: 15_000 })
      .toContain('Two-factor authentication with an authenticator app was turned on')
  })

  test('a restarted setup invalidates the older secret', async () => {
    const older = await startSetup()
    const newer = await startSetup()
    expect(newer).not.toBe(older)
    const withOlder = await post('/api/second-factor/confirm', { code: appCode(older) })
    // Once in about 300,000 runs both secrets have the same code.
    expect(outcome(withOlder)).toEqual([401, 912])
    expect((await post('/api/second-factor/confirm', { code: appCode(newer) })).status).toBe(200)
  })

  test('setup is rejected while a second factor exists, and the existing one still works', async () => {
    const { secret } = await enableSecondFactor()
    expect(outcome(await post('/api/second-factor', { password: account.password }))).toEqual([409, 1131])
    expect(outcome(await post('/api/second-factor/confirm', { code: appCode(secret) }))).toEqual([404, 1102])
    await clearUsedCodes()
    expect(outcome(await startSession(appCode(secret)))).toEqual([200, null])
  })

  test('a confirmation without a started setup is rejected', async () => {
    expect(outcome(await post('/api/second-factor/confirm', { code: '123456' }))).toEqual([404, 1102])
  })
})

describe('sign-in', () => {
  test('the code is required only after the right password', async () => {
    const { secret } = await enableSecondFactor()
    expect(outcome(await startSession())).toEqual([401, 911])
    expect(outcome(await startSession(''))).toEqual([401, 911])
    expect(outcome(await startSession(undefined, 'not the password'))).toEqual([401, 900])
    await clearUsedCodes()
    expect(outcome(await startSession(appCode(secret), 'not the password'))).toEqual([401, 900])
    expect(outcome(await startSession(appCode(secret)))).toEqual([200, null])
  })

  test('a sign-in without a valid code sets no cookie', async () => {
    const { secret } = await enableSecondFactor()
    for (const response of [await startSession(), await startSession(wrongCode(secret))])
      expect(response.headers.getSetCookie()).toEqual([])
  })

  test('each code is accepted once, and older codes are rejected', async () => {
    const { secret, code } = await enableSecondFactor()
    expect(outcome(await startSession(code)), 'the code of the confirmation').toEqual([401, 912])
    await clearUsedCodes()
    const next = appCode(secret, 1)
    expect(outcome(await startSession(next))).toEqual([200, null])
    expect(outcome(await startSession(next))).toEqual([401, 912])
    expect(outcome(await startSession(appCode(secret, -1)))).toEqual([401, 912])
  })

  test('of three concurrent sign-ins with one code, one succeeds', async () => {
    const { secret } = await enableSecondFactor()
    await clearUsedCodes()
    const code = appCode(secret)
    const responses = await barrier(hookline, 'LOCK TABLE logins IN SHARE ROW EXCLUSIVE MODE', 3, () =>
      Promise.all([startSession(code), startSession(code), startSession(code)]),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })

  test('codes of distant periods are rejected', async () => {
    const { secret } = await enableSecondFactor()
    for (const periods of [-3, 3]) {
      await clearUsedCodes()
      expect(outcome(await startSession(appCode(secret, periods))), String(periods)).toEqual([401, 912])
    }
  })

  test('a recovery code is accepted once, in any format, and the response has the remaining count', async () => {
    const { recoveryCodes } = await enableSecondFactor()
    const [one = '', two = ''] = recoveryCodes
    const typed = ` ${one.toUpperCase().replaceAll('-', ' ')} `
    const signedIn = await startSession(typed)
    expect(outcome(signedIn)).toEqual([200, null])
    expect(signedIn.json.login.recovery_codes_left).toBe(9)
    expect(outcome(await startSession(one))).toEqual([401, 912])
    const both = await barrier(hookline, 'LOCK TABLE recovery_codes IN SHARE MODE', 2, () =>
      Promise.all([startSession(two), startSession(two)]),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect(await auditEntries('second-factor.use-recovery-code')).toHaveLength(2)
  })

  test('a recovery code of another login is rejected', async () => {
    const { recoveryCodes } = await enableSecondFactor()
    account = await hookline.account()
    user = await signIn(hookline.url, account)
    await enableSecondFactor()
    expect(outcome(await startSession(recoveryCodes[0]))).toEqual([401, 912])
  })

  test('wrong codes are written to the audit log', async () => {
    const { secret } = await enableSecondFactor()
    await startSession(wrongCode(secret))
    await expect.poll(() => auditEntries('session.fail')).toHaveLength(1)
  })

  test('code attempts are throttled across all addresses', async () => {
    const { secret, recoveryCodes } = await enableSecondFactor()
    const narrow = await hookline.startAnother({
      PORT: '0',
      LOGIN_ATTEMPTS: '3',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const statuses: number[] = []
    for (const [index, code] of ['111111', '222222', 'wrong-wrong-code', '333333'].entries()) {
      const attempt = await call(`${narrow.url}/api/session`, {
        method: 'POST',
        json: { login: account.alias, password: account.password, code },
        headers: { origin: hookline.url, 'x-forwarded-for': `192.0.2.${index + 1}` },
      })
      statuses.push(attempt.json.code)
    }
    expect(statuses).toEqual([912, 912, 912, 907])
    // A valid code is rejected too while throttled.
    const right = await call(`${narrow.url}/api/session`, {
      method: 'POST',
      json: { login: account.alias, password: account.password, code: recoveryCodes[0] },
      headers: { origin: hookline.url, 'x-forwarded-for': '192.0.2.99' },
    })
    expect(outcome(right)).toEqual([429, 907])
    expect(secret).toHaveLength(32)
  })
})

describe('with a second factor', () => {
  test('the API rejects login and password and refers to X-Api-Key', async () => {
    const credentials = { u: account.alias, p: account.password }
    const before = await call(`${hookline.url}/api/hooks?${new URLSearchParams(credentials).toString()}`)
    expect(before.status).toBe(200)
    await enableSecondFactor()
    for (const [method, form] of [
      ['GET', credentials],
      ['POST', { ...credentials, target_url: 'https://example.com/', event_type: 'all' }],
      ['POST', { ...credentials, action: 'read' }],
    ] as const) {
      const query = method === 'GET' ? `?${new URLSearchParams(form).toString()}` : ''
      const rejected = await call(`${hookline.url}/api/hooks${query}`, {
        method,
        ...(method === 'POST' && { form }),
      })
      expect(outcome(rejected)).toEqual([401, 911])
      expect(rejected.json.error_message).toContain('X-Api-Key')
    }
    const wrong = await call(`${hookline.url}/api/hooks?u=${account.alias}&p=not-the-password`)
    expect(outcome(wrong)).toEqual([401, 900])
    expect((await call(`${hookline.url}/api/hooks`, { key: account.key })).status).toBe(200)
  })

  test('a password reset by email keeps the second factor', async () => {
    const { secret } = await enableSecondFactor()
    await call(`${hookline.url}/api/password-resets`, {
      method: 'POST',
      json: { login: account.alias },
      headers: { origin: hookline.url },
    })
    const links = () =>
      mailServer.mailsTo(account.email).flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])
    await expect.poll(links, { timeout: 15_000 }).toHaveLength(1)
    const json = { token: links()[0], new_password: 'from the mail' }
    await call(`${hookline.url}/api/password-resets/confirm`, {
      method: 'POST',
      json,
      headers: { origin: hookline.url },
    })
    expect(outcome(await startSession(undefined, 'from the mail'))).toEqual([401, 911])
    await clearUsedCodes()
    expect(outcome(await startSession(appCode(secret), 'from the mail'))).toEqual([200, null])
  })
})

describe('removal', () => {
  test('removal requires the password, invalidates the recovery codes and sends an alert', async () => {
    const { recoveryCodes } = await enableSecondFactor()
    const remove = (password: string) =>
      user.call('/api/second-factor', { method: 'DELETE', json: { password } })
    expect(outcome(await remove('not the password'))).toEqual([403, 910])
    expect(outcome(await startSession())).toEqual([401, 911])
    expect(outcome(await remove(account.password))).toEqual([200, null])
    expect(outcome(await startSession())).toEqual([200, null])
    expect(outcome(await remove(account.password))).toEqual([404, 1102])
    await expect
      .poll(alertsTo, { timeout: 15_000 })
      .toContain('Two-factor authentication with an authenticator app was turned off')
    await enableSecondFactor()
    expect(outcome(await startSession(recoveryCodes[0]))).toEqual([401, 912])
    const { entries } = (await user.call('/api/audit')).json
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['second-factor.on', 'second-factor.off']))
  })

  test('the operator can remove the second factor of a login', async () => {
    await enableSecondFactor()
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const args = ['login', 'remove-second-factor', account.email]
    expect((await runAdmin(env, args)).code).toBe(0)
    expect(outcome(await startSession())).toEqual([200, null])
    const secondRun = await runAdmin(env, args)
    expect([secondRun.code, secondRun.stderr]).toEqual([1, expect.stringContaining('Login not found')])
    const { entries } = (await user.call('/api/audit')).json
    expect(entries).toContainEqual(
      expect.objectContaining({ actor: 'operator', action: 'second-factor.off' }),
    )
  })
})

/** Returns six digits that are not a code of the current periods. */
function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((periods) => appCode(secret, periods)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? ''
}
