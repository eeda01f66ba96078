/**
 * Emails count once their owner has confirmed them, and a reset by the owner of a mailbox leaves nothing behind of
 * whoever had the login before. Strangers who ask for links neither void nor use up anything.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogin } from '../src/identity/accounts/logins.ts'
import { createPasswords } from '../src/identity/accounts/passwords.ts'
import { appCode } from './authenticator.ts'
import { call, type CallAnswer } from './call.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { apiStatus, connect, openBrowser, registerApp } from './oauth-client.ts'
import { signIn, type SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let world: TestWorld
beforeAll(async () => {
  mailServer = await startMailServer()
  world = await startAreaWorld({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Hookline <hookline@mail.example>',
    SELF_REGISTRATION: 'true',
    TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(async () => {
  await world.close()
  await mailServer.close()
})
beforeEach(() => world.database.query('DELETE FROM login_attempts'))

const done = { success: true, code: null }
const password = 'a good password'

function post(path: string, json: object, headers: Record<string, string> = {}): Promise<CallAnswer> {
  return call(`${world.url}${path}`, { method: 'POST', json, headers: { origin: world.url, ...headers } })
}

interface Registered extends SignedIn {
  alias: string
  password: string
}

async function register(email: string): Promise<Registered> {
  const alias = `new-${randomBytes(6).toString('hex')}`
  const made = await post('/api/registration', { account_name: alias, alias, email, password })
  expect(made.status).toBe(200)
  expect(made.json.login).toMatchObject({ email: null, unconfirmed_email: email })
  return { ...(await signIn(world.url, { alias, password })), alias, password }
}

/** The tokens of the links in a mailbox. */
function linksIn(email: string, page: 'verify' | 'reset'): string[] {
  const link = new RegExp(`/${page}#token=([\\w-]{43})\\s`)
  return mailServer.mailsTo(email).flatMap(({ text }) => link.exec(text)?.[1] ?? [])
}

/** The newest link in a mailbox, once so many are there. */
async function linkIn(email: string, count: number, page: 'verify' | 'reset'): Promise<string> {
  await expect.poll(() => linksIn(email, page).length, { timeout: 20_000 }).toBe(count)
  return linksIn(email, page).at(-1) ?? ''
}

function confirm(person: SignedIn, token: string): Promise<CallAnswer> {
  return person.call('/api/login/verification/confirm', { method: 'POST', json: { token } })
}

function reset(token: string, more: object = {}): Promise<CallAnswer> {
  return post('/api/password-resets/confirm', { token, new_password: 'from the mail', ...more })
}

function ask(login: string, headers: Record<string, string> = {}): Promise<CallAnswer> {
  return post('/api/password-resets', { login }, headers)
}

async function enter(login: string, given = password): Promise<CallAnswer> {
  return post('/api/session', { login, password: given })
}

describe('an email', () => {
  test("counts once the link is opened, and somebody else's is not occupied", async () => {
    const email = 'owner@one.example'
    const squatter = await register(email)
    const squattersLink = await linkIn(email, 1, 'verify')
    const owner = await register('OWNER@one.example')
    const link = await linkIn('OWNER@one.example', 1, 'verify')
    expect((await enter(email)).status, 'before it is confirmed').toBe(401)

    expect((await confirm(owner, link)).json).toEqual(done)
    expect((await enter(email)).json.login).toMatchObject({
      alias: owner.alias,
      email: 'OWNER@one.example',
      unconfirmed_email: null,
    })
    expect((await confirm(owner, link)).json.code, 'a second time').toBe(1013)
    const late = await confirm(squatter, squattersLink)
    expect([late.status, late.json.code], 'by who came first').toEqual([400, 1012])
    expect((await squatter.call('/api/session')).json.login.email).toBeNull()
  })

  test('is confirmed only by who is signed in with the login that the link was sent for', async () => {
    const email = 'owner@two.example'
    const squatter = await register(email)
    const link = await linkIn(email, 1, 'verify')
    const owner = await signIn(world.url, await world.account())
    expect((await confirm(owner, link)).json.code).toBe(1013)
    const nobody = await post('/api/login/verification/confirm', { token: link })
    expect(nobody.status).toBe(401)
    expect((await squatter.call('/api/session')).json.login).toMatchObject({ email: null })
  })

  test('that is not confirmed gets no link to a new password', async () => {
    const email = 'owner@three.example'
    const { alias } = await register(email)
    const sentinel = await world.account()
    await linkIn(email, 1, 'verify')
    for (const login of [email, alias, sentinel.alias]) expect((await ask(login)).json).toEqual(done)
    // Mails leave in turn: once the last one is there, the others would be.
    await linkIn(sentinel.email, 1, 'reset')
    expect(mailServer.mailsTo(email)).toHaveLength(1)
  })

  test('is changed once the new one is confirmed, and the old one is told', async () => {
    const account = await world.account()
    const other = await world.account()
    const person = await signIn(world.url, account)
    const change = (email: string) =>
      person.call('/api/login', { method: 'POST', json: { email, password: account.password } })
    const email = `new-${account.email}`
    expect((await change(email)).json).toEqual(done)
    const link = await linkIn(email, 1, 'verify')
    expect((await person.call('/api/session')).json.login).toMatchObject({
      email: account.email,
      unconfirmed_email: email,
    })
    await signIn(world.url, { ...account, alias: account.email })
    expect((await confirm(person, link)).json).toEqual(done)
    await signIn(world.url, { ...account, alias: email })
    await expect(signIn(world.url, { ...account, alias: account.email })).rejects.toThrow('900')
    await expect.poll(() => mailServer.mailsTo(account.email).length, { timeout: 20_000 }).toBe(1)
    expect(mailServer.mailsTo(account.email)[0]?.text).toContain('has a new e-mail address')

    const [taken, free] = [await change(other.email), await change('free@example.com')]
    expect(taken.text, 'whether somebody has an email is not told').toBe(free.text)
  })

  test('gets its link again, a bounded number of times, and the old link stays valid', async () => {
    const email = 'owner@four.example'
    const person = await register(email)
    const first = await linkIn(email, 1, 'verify')
    const resend = () => person.call('/api/login/verification', { method: 'POST' })
    expect((await resend()).json).toEqual(done)
    expect(await linkIn(email, 2, 'verify')).not.toBe(first)
    expect((await resend()).status).toBe(200)
    expect((await resend()).json.code).toBe(907)
    expect((await confirm(person, first)).json).toEqual(done)
    expect((await resend()).json.code).toBe(1102)
  })
})

describe('links to a new password', () => {
  test('stay valid when another is asked for', async () => {
    const account = await world.account()
    await ask(account.alias)
    const first = await linkIn(account.email, 1, 'reset')
    await world.database.query("UPDATE password_resets SET created_at = created_at - interval '5 minutes'")
    await ask(account.alias)
    expect(await linkIn(account.email, 2, 'reset')).not.toBe(first)
    expect((await reset(first)).json).toEqual(done)
  })

  test('asked for by strangers use nothing up: one is in the mailbox, and the owner gets another', async () => {
    const account = await world.account()
    const entered = await enter(account.alias, account.password)
    const cookie = entered.headers.getSetCookie().find((line) => line.startsWith('hookline-device=')) ?? ''
    const strangers = Array.from({ length: 40 }, (_, n) =>
      ask(n % 2 ? account.alias : account.email, { 'x-forwarded-for': `198.18.7.${n}` }),
    )
    for (const { json } of await Promise.all(strangers)) expect(json).toEqual(done)
    const strangersLink = await linkIn(account.email, 1, 'reset')

    // The owner's request elsewhere is answered alike; the link in the mailbox works.
    expect((await ask(account.email, { 'x-forwarded-for': '198.18.8.1' })).json).toEqual(done)
    const owners = { 'x-forwarded-for': '198.18.8.2', cookie: cookie.split(';')[0] ?? '' }
    expect((await ask(account.email, owners)).json).toEqual(done)
    const ownersLink = await linkIn(account.email, 2, 'reset')
    expect(ownersLink).not.toBe(strangersLink)
    expect((await reset(strangersLink)).json).toEqual(done)
    expect((await reset(ownersLink)).json.code, 'after the reset').toBe(1013)
  })

  test('are asked for from one network so many times, and by a known browser besides', async () => {
    const account = await world.account()
    const entered = await enter(account.alias, account.password)
    const device = entered.headers.getSetCookie().find((line) => line.startsWith('hookline-device=')) ?? ''
    const here = { 'x-forwarded-for': '198.18.9.1' }
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await ask(`nobody-${n}`, here)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    const known = { ...here, cookie: device.split(';')[0] ?? '' }
    const own: number[] = []
    for (let n = 0; n < 4; n++) own.push((await ask(account.alias, known)).status)
    expect(own).toEqual([200, 200, 200, 429])
    await linkIn(account.email, 3, 'reset')
  })
})

describe('a reset by the owner of the mailbox', () => {
  test('ends sessions, keys, apps, authorizations and known browsers', async () => {
    const before = await squat()
    await resetBy(before.account)
    expect(await access(before)).toEqual({ key: 401, session: 401, token: 401, apps: 0 })
    const known = await world.database.query('SELECT FROM known_networks WHERE login_id = $1', [
      before.account.loginId,
    ])
    expect(known).toEqual([])
    for (let n = 0; n < 4; n++)
      expect((await ask(before.account.alias, { cookie: before.device })).status, 'a stranger now').toBe(200)
  })

  test('leaves keys and apps if the owner says so', async () => {
    const before = await squat()
    await resetBy(before.account, { keep_access: true })
    expect(await access(before)).toEqual({ key: 200, session: 401, token: 200, apps: 1 })
  })

  test('leaves keys and apps of an account that others sign in for', async () => {
    const before = await squat()
    const colleague = { alias: `c-${before.account.alias}`, email: `c-${before.account.email}`, password }
    await createLogin(world.db, await createPasswords(), 'operator', before.account.accountId, colleague)
    await resetBy(before.account)
    expect(await access(before)).toEqual({ key: 200, session: 401, token: 401, apps: 1 })
  })

  test('ends the second factor too if nobody had proved to own the mailbox before', async () => {
    const before = await squat()
    const begun = await before.person.call('/api/second-factor', {
      method: 'POST',
      json: { password: before.account.password },
    })
    const code = appCode(begun.json.secret)
    const on = await before.person.call('/api/second-factor/confirm', { method: 'POST', json: { code } })
    expect(on.status).toBe(200)
    await world.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [
      before.account.loginId,
    ])
    await resetBy(before.account, { keep_access: true })
    expect(await access(before)).toEqual({ key: 401, session: 401, token: 401, apps: 0 })
    await signIn(world.url, { ...before.account, password: 'from the mail' })
  })
})

/** An account with all that somebody could go on with. */
async function squat() {
  const account = await world.account()
  const browser = openBrowser(world)
  const person = await browser.signIn(account)
  const own = await registerApp(world, person)
  const foreign = await registerApp(world, await signIn(world.url, await world.account()))
  const tokens = await connect(browser, foreign)
  expect(await apiStatus(world.url, tokens.access)).toBe(200)
  const device = (await enter(account.alias, account.password)).headers
    .getSetCookie()
    .find((line) => line.startsWith('hookline-device='))
  return { account, person, own, tokens, device: device?.split(';')[0] ?? '' }
}

async function resetBy(account: TestAccount, more: object = {}): Promise<void> {
  const before = linksIn(account.email, 'reset').length
  await ask(account.alias)
  const token = await linkIn(account.email, before + 1, 'reset')
  expect((await reset(token, more)).json).toEqual(done)
}

async function access({ account, person, own, tokens }: Awaited<ReturnType<typeof squat>>) {
  const apps = await world.database.query('SELECT id FROM apps WHERE id = $1', [own.id])
  return {
    key: (await call(`${world.url}/api/hooks`, { key: account.key })).status,
    session: (await person.call('/api/session')).status,
    token: await apiStatus(world.url, tokens.access),
    apps: apps.length,
  }
}
