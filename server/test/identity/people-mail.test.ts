/** Password resets: the emails, sent through an SMTP server, and their links. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type CallResponse } from '../support/http-call.ts'
import { barrier } from '../support/barrier.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  // Workers send the alerts.
  hookline = await startDashboardService(
    {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Hookline <hookline@mail.example>',
      LOG_LEVEL: 'debug',
      // All calls come from one address.
      LOGIN_ATTEMPTS: '200',
    },
    'all',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

const done = { success: true, code: null }

function post(path: string, json: object, url = hookline.url): Promise<CallResponse> {
  return call(`${url}${path}`, { method: 'POST', json, headers: { origin: hookline.url } })
}

function requestReset(login: string): Promise<CallResponse> {
  return post('/api/password-resets', { login })
}

function reset(token: string, password = 'from the mail'): Promise<CallResponse> {
  return post('/api/password-resets/confirm', { token, new_password: password })
}

function tokenIn(mail: ReceivedMail | undefined): string {
  return /\/reset#token=([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** Requests a link and waits for its email. */
async function requestLink({ alias, email }: TestAccount): Promise<string> {
  const before = mailServer.mailsTo(email).length
  expect((await requestReset(alias)).json).toEqual(done)
  await expect.poll(() => mailServer.mailsTo(email).length, { timeout: 15_000 }).toBe(before + 1)
  return tokenIn(mailServer.mailsTo(email).at(-1))
}

describe('a reset link', () => {
  test('the email is plain text, and the token is in the URL fragment', async () => {
    const account = await hookline.account()
    expect((await requestReset(account.email.toUpperCase())).json).toEqual(done)
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)
    const [mail] = mailServer.mailsTo(account.email)
    expect(mail?.from).toBe('hookline@mail.example')
    expect(mail?.to).toEqual([account.email])
    expect(mail?.raw).toMatch(/^content-type: text\/plain; charset=utf-8\r$/im)
    expect(mail?.raw).toMatch(/^auto-submitted: auto-generated\r$/im)
    expect(mail?.raw).toMatch(/^from: Hookline <hookline@mail\.example>\r$/im)
    expect(mail?.text).toContain(`the login "${account.alias}"`)
    expect(mail?.text).toContain(`\r\n\r\n${hookline.url}/reset#token=${tokenIn(mail)}\r\n\r\n`)
    expect(mail?.text).toContain('30 minutes')
  })

  test('a link sets a new password once, revokes all sessions and sends an alert', async () => {
    const account = await hookline.account()
    const thief = await signIn(hookline.url, account)
    const token = await requestLink(account)
    expect((await thief.call('/api/session')).status, 'a request alone changes nothing').toBe(200)

    expect((await reset(token)).json).toEqual(done)
    expect((await thief.call('/api/session')).status).toBe(401)
    await expect(signIn(hookline.url, account)).rejects.toThrow('900')
    const owner = await signIn(hookline.url, { ...account, password: 'from the mail' })

    const secondUse = await reset(token, 'once more, please')
    expect([secondUse.status, secondUse.json.code]).toEqual([400, 1013])
    await signIn(hookline.url, { ...account, password: 'from the mail' })

    const alert = () =>
      mailServer.mailsTo(account.email).find(({ text }) => text.includes('Your login got a new password'))
    await expect.poll(alert, { timeout: 15_000 }).toBeDefined()
    const notice = alert()
    expect(notice?.text).toContain('127.0.0.1')
    expect(notice?.text).not.toContain('from the mail')

    const { entries } = (await owner.call('/api/audit')).json
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['login.request-reset', 'login.set-password']),
    )
    expect(entries.find(({ action }: { action: string }) => action === 'login.set-password').detail).toEqual({
      by: 'link',
      ip: '127.0.0.1',
    })
  })

  test('of two concurrent uses, one succeeds', async () => {
    const account = await hookline.account()
    const token = await requestLink(account)
    const passwords = ['the first of two', 'the second of two']
    // Both requests have read the link before either can write the password.
    const responses = await barrier(hookline, 'LOCK TABLE logins IN SHARE ROW EXCLUSIVE MODE', 2, () =>
      Promise.all(passwords.map((password) => reset(token, password))),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const winner = passwords[responses.findIndex(({ status }) => status === 200)] ?? ''
    await signIn(hookline.url, { ...account, password: winner })
  })

  test('a link expires after 30 minutes', async () => {
    const account = await hookline.account()
    const token = await requestLink(account)
    const remaining = await hookline.database.query<{ minutes: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float8 / 60 AS minutes FROM password_resets WHERE login_id = $1',
      [account.loginId],
    )
    expect(remaining[0]?.minutes).toBeGreaterThan(25)
    expect(remaining[0]?.minutes).toBeLessThanOrEqual(30)
    await hookline.database.query(
      "UPDATE password_resets SET expires_at = expires_at - interval '30 minutes' WHERE login_id = $1",
      [account.loginId],
    )
    expect((await reset(token)).json.code).toBe(1013)
    await signIn(hookline.url, account)
  })

  test('a password change invalidates the link', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const token = await requestLink(account)
    const json = { current_password: account.password, new_password: 'changed by hand' }
    expect((await user.call('/api/password', { method: 'POST', json })).status).toBe(200)
    expect((await reset(token)).json.code).toBe(1013)
  })

  test('an email change invalidates the link', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const token = await requestLink(account)
    const email = `new-${account.email}`
    await user.call('/api/login', { method: 'POST', json: { email, password: account.password } })
    await expect.poll(() => mailServer.mailsTo(email), { timeout: 15_000 }).toHaveLength(1)
    const link = /\/verify#token=([\w-]{43})\s/.exec(mailServer.mailsTo(email)[0]?.text ?? '')?.[1]
    const json = { token: link }
    const confirmed = await user.call('/api/login/verification/confirm', { method: 'POST', json })
    expect(confirmed.status).toBe(200)
    expect((await reset(token)).json.code).toBe(1013)
  })

  test('a link stays valid when the new password is rejected', async () => {
    const account = await hookline.account()
    const token = await requestLink(account)
    expect((await reset(token, 'short')).json.code).toBe(1012)
    expect((await reset(token)).json).toEqual(done)
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), '\0', "' OR 1=1 --"])(
    'an unknown token is rejected: %j',
    async (token) => {
      const { status, json } = await reset(token)
      expect(status).toBe(400)
      expect([1012, 1013]).toContain(json.code)
    },
  )

  test('a suspended account gets no link and the usual response', async () => {
    const account = await hookline.account()
    const sentinel = await hookline.account()
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      account.accountId,
    ])
    expect((await requestReset(account.alias)).json).toEqual(done)
    // Emails are sent in order, so the later ones arrive after the earlier one.
    await requestLink(sentinel)
    await requestLink(await hookline.account())
    expect(mailServer.mailsTo(account.email)).toEqual([])
  })
})

describe('existence of a login', () => {
  test('the responses for existing and unknown logins are identical', async () => {
    const account = await hookline.account()
    const existing = await requestReset(account.alias)
    const unknown = await requestReset('nobody-at-all')
    expect(unknown.text).toBe(existing.text)
    expect(unknown.status).toBe(existing.status)
    expect([...unknown.headers.keys()].toSorted()).toEqual([...existing.headers.keys()].toSorted())
  })

  test('the lookup runs after the response, so a locked table or slow mail server delays no response', async () => {
    const account = await hookline.account()
    const release = mailServer.hold()
    try {
      expect((await requestReset(account.alias)).json).toEqual(done)
      expect(mailServer.mailsTo(account.email)).toEqual([])
    } finally {
      release()
    }
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)

    const another = await hookline.account()
    await hookline.database.query('BEGIN')
    try {
      await hookline.database.query('LOCK TABLE password_resets, logins IN ACCESS EXCLUSIVE MODE')
      // Statements time out after five seconds, so a response that needs the table would be a 503.
      expect((await requestReset(another.alias)).json).toEqual(done)
    } finally {
      await hookline.database.query('ROLLBACK')
    }
    await expect.poll(() => mailServer.mailsTo(another.email), { timeout: 15_000 }).toHaveLength(1)
  })
})

test('link requests are limited per address, for all logins together', async () => {
  const narrow = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '2' })
  await hookline.database.query('DELETE FROM login_attempts')
  const statuses: number[] = []
  for (const login of ['somebody-1', 'somebody-2', 'somebody-3'])
    statuses.push((await post('/api/password-resets', { login }, narrow.url)).status)
  expect(statuses).toEqual([200, 200, 429])
  await hookline.database.query('DELETE FROM login_attempts')
})

test('a failed email is logged without address, name or token', async () => {
  const account = await hookline.account()
  mailServer.reject(true)
  const before = hookline.service.output().length
  try {
    expect((await requestReset(account.alias)).json).toEqual(done)
    await expect
      .poll(() => hookline.service.output().slice(before), { timeout: 15_000 })
      .toContain('"msg":"background task failed"')
  } finally {
    mailServer.reject(false)
  }
  const logged = hookline.service.output().slice(before)
  for (const secret of [account.email, account.alias, 'token=', mailServer.password, 'not today'])
    expect(logged).not.toContain(secret)
})

test('email is sent without TLS only to loopback', async () => {
  // On Linux 0.0.0.0 connects to the local machine but is not a loopback address.
  const remote = await startMailServer('0.0.0.0')
  try {
    const another = await hookline.startAnother({ PORT: '0', SMTP_URL: remote.url })
    const account = await hookline.account()
    expect((await post('/api/password-resets', { login: account.alias }, another.url)).json).toEqual(done)
    await expect
      .poll(() => another.output(), { timeout: 15_000 })
      .toMatch(/"code":"ETLS".*"msg":"background task failed"/)
    expect(remote.connections()).toBe(1)
    expect(remote.mails).toEqual([])
  } finally {
    await remote.close()
  }
})

test('without a mail server, password resets refer to the operator', async () => {
  const another = await hookline.startAnother({ PORT: '0', SMTP_URL: '', OPERATOR_CONTACT: 'desk 7' })
  const { config } = (await call(`${another.url}/api/dashboard-config`)).json
  expect(config).toMatchObject({ password_reset: 'operator', operator_contact: 'desk 7' })
  for (const login of [(await hookline.account()).alias, 'nobody']) {
    const response = await post('/api/password-resets', { login }, another.url)
    expect([response.status, response.json.code]).toEqual([409, 1130])
  }
  expect((await call(`${hookline.url}/api/dashboard-config`)).json.config.password_reset).toBe('mail')
})
