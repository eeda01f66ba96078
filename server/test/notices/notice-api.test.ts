/** Operations on notices, their isolation between accounts and users, and the links that unsubscribe. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unsubscribeUrl } from '../../src/notices/unsubscribe-link.ts'
import { call } from '../support/http-call.ts'
import { createLogin } from '../../src/identity/accounts/logins.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { addMember, type TestMember } from '../support/members.ts'
import { createHook, endWait, failSince, untilQuiet } from '../support/notices.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example' },
    'all',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

interface Person {
  account: TestAccount
  user: SignedIn
}

async function newPerson(): Promise<Person> {
  const account = await hookline.account()
  return { account, user: await signIn(hookline.url, account) }
}

function post({ user }: Pick<Person, 'user'>, path: string, json: object = {}) {
  return user.call(`/api${path}`, { method: 'POST', json })
}

async function get({ user }: Pick<Person, 'user'>, path: string) {
  return (await user.call(`/api${path}`)).json
}

async function addFailing(account: TestAccount, path: string): Promise<number> {
  const hookId = await createHook(hookline, account, `https://shop.example${path}`)
  await failSince(hookline, account, [hookId], '61 minutes')
  return hookId
}

/** The same mode for every group. */
function all(mode: string): Record<string, string> {
  const groups = ['failing', 'disabled', 'lost', 'slow', 'certificates', 'credentials', 'security']
  return Object.fromEntries(groups.map((group) => [group, mode]))
}

async function mailTo(account: TestAccount): Promise<ReceivedMail> {
  await endWait(hookline)
  await untilQuiet(hookline)
  const mail = mailServer.mailsTo(account.email).at(-1)
  if (mail === undefined) throw new Error('no email arrived')
  return mail
}

test('members below developer and former members get no emails unless they turn them on', async () => {
  const owner = await newPerson()
  const none = { canReveal: false, canExport: false }
  const viewer = await addMember(hookline, owner.account, { role: 'viewer', ...none })
  const asking = await addMember(hookline, owner.account, { role: 'support', ...none })
  const developer = await addMember(hookline, owner.account, { role: 'developer', ...none })
  const former = await addMember(hookline, owner.account, { role: 'developer', ...none })
  const preferencesOf = async (member: TestMember) =>
    (await get({ user: await signIn(hookline.url, member) }, '/notices/preferences')).preferences
  expect(await preferencesOf(viewer)).toEqual(all('off'))
  expect(await preferencesOf(developer)).toEqual({ ...all('instant'), security: 'off' })
  await post({ user: await signIn(hookline.url, asking) }, '/notices/preferences', { failing: 'instant' })
  await owner.user.call(`/api/members/${former.loginId}`, { method: 'DELETE' })
  await addFailing(owner.account, '/roles')
  await mailTo(owner.account)
  const mails = [viewer, asking, developer, former].map(({ email }) => mailServer.mailsTo(email).length)
  expect(mails).toEqual([0, 1, 1, 0])
})

describe('the list', () => {
  test('shows notices with webhook, sentences and emails, newest first, in pages', async () => {
    const person = await newPerson()
    const first = await addFailing(person.account, '/first')
    await mailTo(person.account)
    const second = await addFailing(person.account, '/second')
    const { notices, unread, next } = await get(person, '/notices?limit=1')
    expect(notices).toEqual([
      {
        id: expect.any(Number),
        kind: 'failing_1h',
        group: 'failing',
        title: `Webhook ${second} at shop.example is failing`,
        subject: null,
        webhook: { id: second, name: null, endpoint: 'shop.example/second', deleted: false },
        since: expect.any(String),
        created_at: expect.any(String),
        message: expect.stringContaining('Hookline keeps retrying.'),
        reason: null,
        status: null,
        state: 'waiting',
        messages: [],
      },
    ])
    expect([unread, next]).toEqual([2, notices[0].id])
    const older = await get(person, `/notices?limit=1&before=${next}`)
    expect(older.notices[0].webhook.id).toBe(first)
    expect(older.notices[0].state).toBe('ready')
    expect(older.notices[0].messages).toEqual([
      {
        login: person.account.alias,
        channel: null,
        channel_kind: null,
        address: person.account.email,
        state: 'sent',
        response_code: null,
        reason: null,
        finished_at: expect.any(String),
      },
    ])
    expect(older.next).toBeNull()
  })

  test('counts what each user has not seen', async () => {
    const person = await newPerson()
    const login = {
      alias: `colleague-${person.account.alias}`,
      email: 'c@example.com',
      password: 'a long password',
    }
    await createLogin(hookline.db, createPasswords(), 'operator', person.account.accountId, login)
    const colleague = { user: await signIn(hookline.url, login) }
    await addFailing(person.account, '/a')
    await addFailing(person.account, '/b')
    const { notices } = await get(person, '/notices')
    expect((await post(person, '/notices/seen', { id: notices[1].id })).status).toBe(200)
    expect((await get(person, '/notices')).unread).toBe(1)
    expect((await post(person, '/notices/seen', { id: 2 ** 40 })).status).toBe(200)
    expect((await get(person, '/notices')).unread).toBe(0)
    await post(person, '/notices/seen', { id: notices[1].id })
    expect((await get(person, '/notices')).unread, 'never becomes unseen').toBe(0)
    await addFailing(person.account, '/c')
    expect((await get(person, '/notices')).unread).toBe(1)
    expect((await get(colleague, '/notices')).unread).toBe(3)
  })
})

describe('another account', () => {
  test('sees no notice, and cannot mute, unmute or see the webhook', async () => {
    const person = await newPerson()
    const stranger = await newPerson()
    const hookId = await addFailing(person.account, '/mine')
    await mailTo(person.account)
    const { notices } = await get(person, '/notices')
    expect(await get(stranger, '/notices')).toEqual({
      success: true,
      code: null,
      notices: [],
      unread: 0,
      next: null,
    })
    await post(stranger, '/notices/seen', { id: notices[0].id })
    expect((await get(person, '/notices')).unread).toBe(1)
    for (const action of ['mute', 'unmute']) {
      const [theirs, unknown] = await Promise.all(
        [hookId, 2_000_000_000].map((id) => post(stranger, `/hooks/${id}/${action}`)),
      )
      expect([theirs?.status, unknown?.status]).toEqual([404, 404])
      expect(theirs?.text.replaceAll(String(hookId), '{id}')).toBe(
        unknown?.text.replaceAll('2000000000', '{id}'),
      )
    }
    expect((await get(stranger, '/notices/preferences')).muted).toEqual([])
  })
})

describe('preferences', () => {
  test('are those of one user: at once unless changed', async () => {
    const person = await newPerson()
    const before = await get(person, '/notices/preferences')
    expect(before).toEqual({
      success: true,
      code: null,
      email: person.account.email,
      sends_email: true,
      preferences: all('instant'),
      muted: [],
      last_test: null,
      bounced: null,
    })
    await post(person, '/notices/preferences', { failing: 'daily', lost: 'off' })
    await post(person, '/notices/preferences', { lost: 'instant' })
    expect((await get(person, '/notices/preferences')).preferences).toEqual({
      ...all('instant'),
      failing: 'daily',
    })
    const rejected = await post(person, '/notices/preferences', { failing: 'hourly' })
    expect([rejected.status, rejected.json.code]).toEqual([400, 1012])
    expect((await get(await newPerson(), '/notices/preferences')).preferences.failing).toBe('instant')
  })

  test('list muted webhooks', async () => {
    const person = await newPerson()
    const hookId = await createHook(hookline, person.account, 'https://shop.example/muted')
    for (let count = 0; count < 2; count++)
      expect((await post(person, `/hooks/${hookId}/mute`)).status).toBe(200)
    expect((await get(person, '/notices/preferences')).muted).toMatchObject([{ id: hookId }])
    for (let count = 0; count < 2; count++)
      expect((await post(person, `/hooks/${hookId}/unmute`)).status).toBe(200)
    expect((await get(person, '/notices/preferences')).muted).toEqual([])
  })

  test('show the result of a test email', async () => {
    const person = await newPerson()
    expect((await post(person, '/notices/test')).status).toBe(200)
    const mail = await mailTo(person.account)
    expect(mail.header('subject')).toBe('Test message from Hookline')
    expect(mail.text).toContain('This is a test.')
    expect((await get(person, '/notices/preferences')).last_test).toMatchObject({
      state: 'sent',
      response_code: null,
    })
    mailServer.respond(person.account.email, 550)
    await post(person, '/notices/test')
    await untilQuiet(hookline)
    expect((await get(person, '/notices/preferences')).last_test).toMatchObject({
      state: 'refused',
      response_code: 550,
    })
    await post(person, '/notices/test')
    const limited = await post(person, '/notices/test')
    expect([limited.status, limited.json.code]).toEqual([429, 907])
  })

  test('a test email needs a verified email', async () => {
    const person = await newPerson()
    await hookline.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [
      person.account.loginId,
    ])
    expect((await post(person, '/notices/test')).status).toBe(404)
    expect((await get(person, '/notices/preferences')).email).toBeNull()
  })
})

async function linkOf(person: Person): Promise<string> {
  await addFailing(person.account, '/')
  const mail = await mailTo(person.account)
  expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const [, link = ''] = /^<(.*)>$/.exec(mail.header('list-unsubscribe') ?? '') ?? []
  expect(mail.text).toContain(`Unsubscribe: ${link}`)
  return link
}
async function modeOf(person: Person) {
  return (await get(person, '/notices/preferences')).preferences
}

describe('the link of an email that unsubscribes', () => {
  const unchanged = all('instant')

  test('turns off its group with a POST without a session, as mail clients send it', async () => {
    const person = await newPerson()
    const link = await linkOf(person)
    const response = await call(link, { method: 'POST', form: { 'List-Unsubscribe': 'One-Click' } })
    expect(response.status).toBe(200)
    expect(response.text).toContain('You no longer get emails about failing webhooks of this account.')
    expect(await modeOf(person)).toEqual({ ...unchanged, failing: 'off' })
  })

  test('changes nothing with a GET or HEAD, as link scanners send it, and shows a button', async () => {
    const person = await newPerson()
    const link = await linkOf(person)
    for (const method of ['GET', 'HEAD']) await call(link, { method })
    const page = await call(link)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<form method="post"><button>Unsubscribe</button></form>')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await modeOf(person)).toEqual(unchanged)
  })

  test('works only for its login, account and group', async () => {
    const person = await newPerson()
    const link = await linkOf(person)
    const other = await newPerson()
    const forged = (change: Record<string, string>) => {
      const url = new URL(link)
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
      return url.href
    }
    const links = [
      forged({ group: 'disabled' }),
      forged({ group: 'all' }),
      forged({ login: String(other.account.loginId) }),
      forged({ account: String(other.account.accountId) }),
      forged({ login: String(other.account.loginId), account: String(other.account.accountId) }),
      forged({ token: 'A'.repeat(43) }),
      forged({ token: '' }),
      forged({ account: '', login: '', group: '', token: '' }),
      new URL('/notices/unsubscribe', link).href,
    ]
    for (const url of links) {
      const response = await call(url, { method: 'POST', form: {} })
      expect(response.status, url).toBe(404)
    }
    expect(await modeOf(person)).toEqual(unchanged)
    expect(await modeOf(other)).toEqual(unchanged)
  })

  test('of a test email turns off all groups', async () => {
    const person = await newPerson()
    await post(person, '/notices/test')
    const [, link = ''] =
      /^<(.*)>$/.exec((await mailTo(person.account)).header('list-unsubscribe') ?? '') ?? []
    const { accountId, loginId } = person.account
    const expected = unsubscribeUrl(hookline.vault, new URL(hookline.url), {
      accountId,
      loginId,
      group: 'all',
    })
    expect(link).toBe(expected)
    const page = await call(link, { method: 'POST', form: {} })
    expect(page.text).toContain(
      'You no longer get emails about this account, except about sign-ins and changes of your login.',
    )
    expect(await modeOf(person)).toEqual(all('off'))
  })

  test('is not in the log', async () => {
    const person = await newPerson()
    const link = await linkOf(person)
    await call(link, { method: 'POST', form: {} })
    expect(hookline.service.output()).not.toContain(new URL(link).searchParams.get('token'))
  })
})
