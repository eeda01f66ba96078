/**
 * An email counts once its link is opened, and a reset through the mailbox revokes all earlier access to the login.
 * Link requests by strangers neither invalidate links nor exhaust limits.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogin } from '../../src/identity/accounts/logins.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { appCode } from '../support/authenticator.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { apiStatus, connect, openBrowser, registerApp } from '../support/oauth-client.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let hookline: TestService
beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Hookline <hookline@mail.example>',
    SELF_REGISTRATION: 'true',
    TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})
beforeEach(() => hookline.database.query('DELETE FROM login_attempts'))

const done = { success: true, code: null }
const password = 'a good password'

function post(path: string, json: object, headers: Record<string, string> = {}): Promise<CallResponse> {
  return call(`${hookline.url}${path}`, {
    method: 'POST',
    json,
    headers: { origin: hookline.url, ...headers },
  })
}

interface Registered extends SignedIn {
  alias: string
  password: string
}

async function register(email: string): Promise<Registered> {
  const alias = `new-${randomBytes(6).toString('hex')}`
  const created = await post('/api/registration', { account_name: alias, alias, email, password })
  expect(created.status).toBe(200)
  expect(created.json.login).toMatchObject({ email: null, unconfirmed_email: email })
  return { ...(await signIn(hookline.url, { alias, password })), alias, password }
}

/** Returns the tokens of the links in a mailbox. */
function linksIn(email: string, page: 'verify' | 'reset'): string[] {
  const link = new RegExp(`/${page}#token=([\\w-]{43})\\s`)
  return mailServer.mailsTo(email).flatMap(({ text }) => link.exec(text)?.[1] ?? [])
}

/** Waits for `count` links in a mailbox and returns the newest one. */
async function linkIn(email: string, count: number, page: 'verify' | 'reset'): Promise<string> {
  await expect.poll(() => linksIn(email, page).length, { timeout: 20_000 }).toBe(count)
  return linksIn(email, page).at(-1) ?? ''
}

function confirm(user: SignedIn, token: string): Promise<CallResponse> {
  return user.call('/api/login/verification/confirm', { method: 'POST', json: { token } })
}

function reset(token: string, more: object = {}): Promise<CallResponse> {
  return post('/api/password-resets/confirm', { token, new_password: 'from the mail', ...more })
}

function requestReset(login: string, headers: Record<string, string> = {}): Promise<CallResponse> {
  return post('/api/password-resets', { login }, headers)
}

async function startSession(login: string, input = password): Promise<CallResponse> {
  return post('/api/session', { login, password: input })
}

describe('an email', () => {
  test('an unconfirmed email does not block another user from confirming the email', async () => {
    const email = 'owner@one.example'
    const firstUser = await register(email)
    const firstLink = await linkIn(email, 1, 'verify')
    const secondUser = await register('OWNER@one.example')
    const link = await linkIn('OWNER@one.example', 1, 'verify')
    expect((await startSession(email)).status, 'before confirmation').toBe(401)

    expect((await confirm(secondUser, link)).json).toEqual(done)
    expect((await startSession(email)).json.login).toMatchObject({
      alias: secondUser.alias,
      email: 'OWNER@one.example',
      unconfirmed_email: null,
    })
    expect((await confirm(secondUser, link)).json.code, 'second use of the link').toBe(1013)
    const late = await confirm(firstUser, firstLink)
    expect([late.status, late.json.code], 'by the first registration').toEqual([400, 1012])
    expect((await firstUser.call('/api/session')).json.login.email).toBeNull()
  })

  test('an email is confirmed only in a session of the login of the link', async () => {
    const email = 'owner@two.example'
    const firstUser = await register(email)
    const link = await linkIn(email, 1, 'verify')
    const secondUser = await signIn(hookline.url, await hookline.account())
    expect((await confirm(secondUser, link)).json.code).toBe(1013)
    const anonymous = await post('/api/login/verification/confirm', { token: link })
    expect(anonymous.status).toBe(401)
    expect((await firstUser.call('/api/session')).json.login).toMatchObject({ email: null })
  })

  test('an unconfirmed email gets no password reset link', async () => {
    const email = 'owner@three.example'
    const { alias } = await register(email)
    const sentinel = await hookline.account()
    await linkIn(email, 1, 'verify')
    for (const login of [email, alias, sentinel.alias]) expect((await requestReset(login)).json).toEqual(done)
    // Emails are sent in order, so the last one arrives after all others.
    await linkIn(sentinel.email, 1, 'reset')
    expect(mailServer.mailsTo(email)).toHaveLength(1)
  })

  test('an email changes once the new one is confirmed', async () => {
    const account = await hookline.account()
    const other = await hookline.account()
    const user = await signIn(hookline.url, account)
    const change = (email: string) =>
      user.call('/api/login', { method: 'POST', json: { email, password: account.password } })
    const email = `new-${account.email}`
    expect((await change(email)).json).toEqual(done)
    const link = await linkIn(email, 1, 'verify')
    expect((await user.call('/api/session')).json.login).toMatchObject({
      email: account.email,
      unconfirmed_email: email,
    })
    await signIn(hookline.url, { ...account, alias: account.email })
    expect((await confirm(user, link)).json).toEqual(done)
    await signIn(hookline.url, { ...account, alias: email })
    await expect(signIn(hookline.url, { ...account, alias: account.email })).rejects.toThrow('900')

    const [taken, free] = [await change(other.email), await change('free@example.com')]
    expect(taken.text, 'the response does not reveal whether the email exists').toBe(free.text)
  })

  test('the link can be resent a limited number of times, and older links stay valid', async () => {
    const email = 'owner@four.example'
    const user = await register(email)
    const first = await linkIn(email, 1, 'verify')
    const resend = () => user.call('/api/login/verification', { method: 'POST' })
    expect((await resend()).json).toEqual(done)
    expect(await linkIn(email, 2, 'verify')).not.toBe(first)
    expect((await resend()).status).toBe(200)
    expect((await resend()).json.code).toBe(907)
    expect((await confirm(user, first)).json).toEqual(done)
    expect((await resend()).json.code).toBe(1102)
  })
})

describe('password reset links', () => {
  test('a link stays valid when another one is requested', async () => {
    const account = await hookline.account()
    await requestReset(account.alias)
    const first = await linkIn(account.email, 1, 'reset')
    await hookline.database.query("UPDATE password_resets SET created_at = created_at - interval '5 minutes'")
    await requestReset(account.alias)
    expect(await linkIn(account.email, 2, 'reset')).not.toBe(first)
    expect((await reset(first)).json).toEqual(done)
  })

  test('requests by strangers send one link and do not block requests by the user', async () => {
    const account = await hookline.account()
    const signedIn = await startSession(account.alias, account.password)
    const cookie = signedIn.headers.getSetCookie().find((line) => line.startsWith('hookline-device=')) ?? ''
    const strangers = Array.from({ length: 40 }, (_, n) =>
      requestReset(n % 2 ? account.alias : account.email, { 'x-forwarded-for': `198.18.7.${n}` }),
    )
    for (const { json } of await Promise.all(strangers)) expect(json).toEqual(done)
    const strangersLink = await linkIn(account.email, 1, 'reset')

    // A request by the user from a new network gets the same response; the link in the mailbox works.
    expect((await requestReset(account.email, { 'x-forwarded-for': '198.18.8.1' })).json).toEqual(done)
    const userHeaders = { 'x-forwarded-for': '198.18.8.2', cookie: cookie.split(';')[0] ?? '' }
    expect((await requestReset(account.email, userHeaders)).json).toEqual(done)
    const userLink = await linkIn(account.email, 2, 'reset')
    expect(userLink).not.toBe(strangersLink)
    expect((await reset(strangersLink)).json).toEqual(done)
    expect((await reset(userLink)).json.code, 'a link after the reset').toBe(1013)
  })

  test('link requests are limited per network, and separately per known browser', async () => {
    const account = await hookline.account()
    const signedIn = await startSession(account.alias, account.password)
    const device = signedIn.headers.getSetCookie().find((line) => line.startsWith('hookline-device=')) ?? ''
    const headers = { 'x-forwarded-for': '198.18.9.1' }
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await requestReset(`nobody-${n}`, headers)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    const knownBrowser = { ...headers, cookie: device.split(';')[0] ?? '' }
    const ownStatuses: number[] = []
    for (let n = 0; n < 4; n++) ownStatuses.push((await requestReset(account.alias, knownBrowser)).status)
    expect(ownStatuses).toEqual([200, 200, 200, 429])
    await linkIn(account.email, 3, 'reset')
  })
})

describe('a reset through the mailbox', () => {
  test('a reset revokes sessions, keys, apps, authorizations and known browsers', async () => {
    const before = await createOccupiedLogin()
    await resetBy(before.account)
    expect(await remainingAccess(before)).toEqual({ key: 401, session: 401, token: 401, apps: 0 })
    const existing = await hookline.database.query('SELECT FROM known_networks WHERE login_id = $1', [
      before.account.loginId,
    ])
    expect(existing).toEqual([])
    for (let n = 0; n < 4; n++)
      expect(
        (await requestReset(before.account.alias, { cookie: before.device })).status,
        'an unknown browser after the reset',
      ).toBe(200)
  })

  test('a reset with keep_access keeps keys and apps', async () => {
    const before = await createOccupiedLogin()
    await resetBy(before.account, { keep_access: true })
    expect(await remainingAccess(before)).toEqual({ key: 200, session: 401, token: 200, apps: 1 })
  })

  test('a reset keeps keys and apps of an account with other logins', async () => {
    const before = await createOccupiedLogin()
    const colleague = { alias: `c-${before.account.alias}`, email: `c-${before.account.email}`, password }
    await createLogin(hookline.db, createPasswords(), 'operator', before.account.accountId, colleague)
    await resetBy(before.account)
    expect(await remainingAccess(before)).toEqual({ key: 200, session: 401, token: 401, apps: 1 })
  })

  test('a reset removes the second factor if the email was never confirmed', async () => {
    const before = await createOccupiedLogin()
    const setup = await before.user.call('/api/second-factor', {
      method: 'POST',
      json: { password: before.account.password },
    })
    const code = appCode(setup.json.secret)
    const confirmed = await before.user.call('/api/second-factor/confirm', { method: 'POST', json: { code } })
    expect(confirmed.status).toBe(200)
    await hookline.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [
      before.account.loginId,
    ])
    await resetBy(before.account, { keep_access: true })
    expect(await remainingAccess(before)).toEqual({ key: 401, session: 401, token: 401, apps: 0 })
    await signIn(hookline.url, { ...before.account, password: 'from the mail' })
  })
})

/** Creates an account with a session, an app, an authorization and a known browser. */
async function createOccupiedLogin() {
  const account = await hookline.account()
  const browser = openBrowser(hookline)
  const user = await browser.signIn(account)
  const ownApp = await registerApp(hookline, user)
  const otherApp = await registerApp(hookline, await signIn(hookline.url, await hookline.account()))
  const tokens = await connect(browser, otherApp)
  expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
  const device = (await startSession(account.alias, account.password)).headers
    .getSetCookie()
    .find((line) => line.startsWith('hookline-device='))
  return { account, user, ownApp, tokens, device: device?.split(';')[0] ?? '' }
}

async function resetBy(account: TestAccount, more: object = {}): Promise<void> {
  const before = linksIn(account.email, 'reset').length
  await requestReset(account.alias)
  const token = await linkIn(account.email, before + 1, 'reset')
  expect((await reset(token, more)).json).toEqual(done)
}

async function remainingAccess({
  account,
  user,
  ownApp,
  tokens,
}: Awaited<ReturnType<typeof createOccupiedLogin>>) {
  const apps = await hookline.database.query('SELECT id FROM apps WHERE id = $1', [ownApp.id])
  return {
    key: (await call(`${hookline.url}/api/hooks`, { key: account.key })).status,
    session: (await user.call('/api/session')).status,
    token: await apiStatus(hookline.url, tokens.access),
    apps: apps.length,
  }
}
