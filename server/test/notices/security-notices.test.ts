/** Notices about sign-ins and security changes: in the commit of what they report, and only for those they are for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appCode } from '../support/authenticator.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { call } from '../support/http-call.ts'
import { addMember, joinAccount } from '../support/members.ts'
import { createHook, failSince, mailsAfterWait, statesOf, untilQuiet } from '../support/notices.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example', LOGIN_ATTEMPTS: '0' },
    'all',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

const mailsOf = (account: TestAccount) => mailsAfterWait(hookline, mailServer, account)

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' }

function post(user: SignedIn, path: string, json: object = {}) {
  return user.call(`/api${path}`, { method: 'POST', json })
}

describe('a sign-in', () => {
  test('with a browser that is not known is told at once, and cannot be turned off', async () => {
    const account = await hookline.account()
    await signIn(hookline.url, account)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email), 'the first sign-in of a new login').toEqual([])
    await signIn(hookline.url, account, firefox)
    await untilQuiet(hookline)
    const [mail, ...others] = mailServer.mailsTo(account.email)
    expect(others).toEqual([])
    expect(mail?.header('subject')).toBe('New sign-in to Hookline')
    expect(mail?.text).toContain('with Firefox on Linux from 127.0.0.1.')
    expect(mail?.text).toContain('You cannot turn it off.')
    expect(mail?.header('list-unsubscribe')).toBeUndefined()
  })

  test('takes other notices along, which can be turned off', async () => {
    const account = await hookline.account()
    await signIn(hookline.url, account)
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await signIn(hookline.url, account, firefox)
    await untilQuiet(hookline)
    const [mail, ...others] = mailServer.mailsTo(account.email)
    expect(others).toEqual([])
    expect(mail?.text).toMatch(/Firefox on Linux[^]*shop\.example/)
    expect(mail?.text).toContain('You cannot turn off emails about your login.')
    expect(mail?.header('list-unsubscribe')).toContain('group=failing')
  })

  test('with a known browser is not told', async () => {
    const account = await hookline.account()
    const first = await call(`${hookline.url}/api/session`, {
      method: 'POST',
      json: { login: account.alias, password: account.password },
      headers: { origin: hookline.url },
    })
    const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('hookline-device='))
    await signIn(hookline.url, account, { cookie: device?.split(';')[0] ?? '' })
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email)).toEqual([])
  })

  test('names a browser only if it is a known one: clients choose the header', async () => {
    const account = await hookline.account()
    await signIn(hookline.url, account)
    await signIn(hookline.url, account, { 'user-agent': 'Call +1 555 0100 now, https://evil.example' })
    await untilQuiet(hookline)
    const [mail] = mailServer.mailsTo(account.email)
    expect(mail?.text).toContain('with an unknown browser')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil|555 0100/)
  })

  test('of a login that was not used for long is told', async () => {
    const account = await hookline.account()
    await hookline.database.query("UPDATE logins SET created_at = now() - interval '8 days' WHERE id = $1", [
      account.loginId,
    ])
    await signIn(hookline.url, account)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email)).toHaveLength(1)
  })
})

describe('a change of a login', () => {
  test('is told to its user only, at once', async () => {
    const account = await hookline.account()
    const rights = { canReveal: true, canExport: true }
    const colleague = await addMember(hookline, account, { role: 'admin', ...rights })
    const user = await signIn(hookline.url, account)
    await hookline.database.query('DELETE FROM notices WHERE account_id = $1', [account.accountId])
    const json = { current_password: account.password, new_password: 'changed by hand' }
    expect((await post(user, '/password', json)).status).toBe(200)
    await untilQuiet(hookline)
    const [mail] = mailServer.mailsTo(account.email)
    expect(mail?.header('subject')).toBe(
      'Security alert: your login got a new password, and all sessions were signed out',
    )
    expect(mail?.text).toContain('Your login got a new password')
    expect(mail?.text).toContain('127.0.0.1')
    expect(mail?.text).not.toContain('changed by hand')
    expect(mailServer.mailsTo(colleague.email)).toEqual([])
    const other = await signIn(hookline.url, colleague)
    expect((await other.call('/api/notices')).json).toMatchObject({ notices: [], unread: 0 })
    const own = await signIn(hookline.url, { ...account, password: 'changed by hand' })
    expect((await own.call('/api/notices')).json.notices.map(({ kind }: { kind: string }) => kind)).toContain(
      'login_changed',
    )
  })

  test('of the email is told to the previous email', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const email = `new-${account.email}`
    await post(user, '/login', { email, password: account.password })
    await expect.poll(() => mailServer.mailsTo(email), { timeout: 15_000 }).toHaveLength(1)
    const token = /#token=([\w-]{43})/.exec(mailServer.mailsTo(email)[0]?.text ?? '')?.[1]
    expect((await post(user, '/login/verification/confirm', { token })).status).toBe(200)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email).map((mail) => mail.header('subject'))).toEqual([
      'Security alert: your login got a new email',
    ])
    expect(mailServer.mailsTo(account.email)[0]?.text).toContain('Your login got a new email')
    expect(mailServer.mailsTo(email), 'not to the new one').toHaveLength(1)
  })

  test('is told to a user who is removed from the account before it is told', async () => {
    const [account, attacker] = [await hookline.account(), await hookline.account()]
    await joinAccount(hookline, account, attacker, { role: 'viewer', canReveal: false, canExport: false })
    const user = await signIn(hookline.url, account)
    expect((await user.call('/api/session')).json.account.id).toBe(attacker.accountId)
    const owner = await signIn(hookline.url, attacker)
    const lock = `(hashtext('hookline notices'), ${attacker.accountId})`
    await hookline.database.query(`SELECT pg_advisory_lock${lock}`)
    const json = { current_password: account.password, new_password: 'changed by hand' }
    expect((await post(user, '/password', json)).status).toBe(200)
    const removed = await owner.call(`/api/members/${account.loginId}`, { method: 'DELETE' })
    expect(removed.status).toBe(200)
    await hookline.database.query(`SELECT pg_advisory_unlock${lock}`)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email).map((mail) => mail.header('subject'))).toEqual([
      'Security alert: your login got a new password, and all sessions were signed out',
    ])
  })

  test('is told although the account that was used last is suspended', async () => {
    const [account, suspended] = [await hookline.account(), await hookline.account()]
    const user = await signIn(hookline.url, account)
    await joinAccount(hookline, account, suspended, { role: 'viewer', canReveal: false, canExport: false })
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      suspended.accountId,
    ])
    const json = { current_password: account.password, new_password: 'changed by hand' }
    expect((await post(user, '/password', json)).status).toBe(200)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email)).toHaveLength(1)
  })

  test('is in the same commit: a change that fails is not told', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const { secret } = (await post(user, '/second-factor', { password: account.password })).json
    const wrong = await post(user, '/second-factor/confirm', { code: '000000' })
    expect(wrong.status).not.toBe(200)
    expect(await statesOf(hookline, account)).toEqual([])
    await post(user, '/second-factor/confirm', { code: appCode(secret) })
    await untilQuiet(hookline)
    expect(await statesOf(hookline, account)).toEqual(['login_changed ready'])
    expect(mailServer.mailsTo(account.email)[0]?.text).toContain(
      'Two-factor authentication with an authenticator app was turned on',
    )
  })
})

describe('a change of the account', () => {
  test('is told to admins and owners, with who did it', async () => {
    const account = await hookline.account()
    const rights = { canReveal: true, canExport: true }
    const admin = await addMember(hookline, account, { role: 'admin', ...rights })
    const developer = await addMember(hookline, account, { role: 'developer', ...rights })
    await hookline.database.query('DELETE FROM notices WHERE account_id = $1', [account.accountId])
    const user = await signIn(hookline.url, account)
    expect((await post(user, '/keys', { name: 'Another', scopes: ['hooks'] })).status).toBe(200)
    const [mail] = await mailsOf(account)
    expect(mail?.text).toContain('Security alert: the API key “Another” was created.')
    expect(mail?.text).toContain(`The API key “Another” was created by “${account.alias}” at`)
    expect(mailServer.mailsTo(admin.email)).toHaveLength(1)
    expect(mailServer.mailsTo(developer.email)).toEqual([])
  })

  test('can be turned off by each of them, which one user cannot do for another', async () => {
    const account = await hookline.account()
    const rights = { canReveal: true, canExport: true }
    const admin = await addMember(hookline, account, { role: 'admin', ...rights })
    const user = await signIn(hookline.url, account)
    await hookline.database.query('DELETE FROM notices WHERE account_id = $1', [account.accountId])
    await post(user, '/notices/preferences', { security: 'off' })
    await post(user, '/keys', { name: 'Another', scopes: ['hooks'] })
    expect(await mailsOf(account)).toEqual([])
    expect(mailServer.mailsTo(admin.email)).toHaveLength(1)
  })
})
