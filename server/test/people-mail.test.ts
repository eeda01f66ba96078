/** Forgotten passwords and notices: what mail is sent, through a real mail server, and what its links can do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type CallAnswer } from './call.ts'
import { holdUp } from './hold-up.ts'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let mailServer: MailServer
let world: TestWorld

beforeAll(async () => {
  mailServer = await startMailServer()
  world = await startAreaWorld({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Hookline <hookline@mail.example>',
    LOG_LEVEL: 'debug',
    // Everything here comes from one address.
    LOGIN_ATTEMPTS: '200',
  })
})
afterAll(async () => {
  await world.close()
  await mailServer.close()
})

const done = { success: true, code: null }

function post(path: string, json: object, url = world.url): Promise<CallAnswer> {
  return call(`${url}${path}`, { method: 'POST', json, headers: { origin: world.url } })
}

function ask(login: string): Promise<CallAnswer> {
  return post('/api/password-resets', { login })
}

function reset(token: string, password = 'from the mail'): Promise<CallAnswer> {
  return post('/api/password-resets/confirm', { token, new_password: password })
}

function tokenIn(mail: ReceivedMail | undefined): string {
  return /\/reset#token=([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** Asks for a link and waits until its mail is there. */
async function linkFor({ alias, email }: TestAccount): Promise<string> {
  const before = mailServer.mailsTo(email).length
  expect((await ask(alias)).json).toEqual(done)
  await expect.poll(() => mailServer.mailsTo(email).length, { timeout: 15_000 }).toBe(before + 1)
  return tokenIn(mailServer.mailsTo(email).at(-1))
}

describe('a link', () => {
  test('comes by mail in plain text, with its token where browsers send it to nobody', async () => {
    const account = await world.account()
    expect((await ask(account.email.toUpperCase())).json).toEqual(done)
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)
    const [mail] = mailServer.mailsTo(account.email)
    expect(mail?.from).toBe('hookline@mail.example')
    expect(mail?.to).toEqual([account.email])
    expect(mail?.raw).toMatch(/^content-type: text\/plain; charset=utf-8\r$/im)
    expect(mail?.raw).toMatch(/^auto-submitted: auto-generated\r$/im)
    expect(mail?.raw).toMatch(/^from: Hookline <hookline@mail\.example>\r$/im)
    expect(mail?.text).toContain(`the login "${account.alias}"`)
    expect(mail?.text).toContain(`\r\n\r\n${world.url}/reset#token=${tokenIn(mail)}\r\n\r\n`)
    expect(mail?.text).toContain('30 minutes')
  })

  test('sets a new password once, signs everybody out and tells the owner', async () => {
    const account = await world.account()
    const thief = await signIn(world.url, account)
    const token = await linkFor(account)
    expect((await thief.call('/api/session')).status, 'asking alone changes nothing').toBe(200)

    expect((await reset(token)).json).toEqual(done)
    expect((await thief.call('/api/session')).status).toBe(401)
    await expect(signIn(world.url, account)).rejects.toThrow('900')
    const owner = await signIn(world.url, { ...account, password: 'from the mail' })

    const again = await reset(token, 'once more, please')
    expect([again.status, again.json.code]).toEqual([400, 1013])
    await signIn(world.url, { ...account, password: 'from the mail' })

    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(2)
    const notice = mailServer.mailsTo(account.email)[1]
    expect(notice?.text).toContain('has a new password')
    expect(notice?.text).toContain('127.0.0.1')
    expect(notice?.text).not.toContain('from the mail')

    const { entries } = (await owner.call('/api/audit')).json
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['login.ask-for-link', 'login.set-password']),
    )
    expect(entries.find(({ action }: { action: string }) => action === 'login.set-password').detail).toEqual({
      by: 'link',
      ip: '127.0.0.1',
    })
  })

  test('is good for one of two who use it at once', async () => {
    const account = await world.account()
    const token = await linkFor(account)
    const passwords = ['the first of two', 'the second of two']
    // Neither can write the password until both have the link in their hands.
    const answers = await holdUp(world, 'LOCK TABLE logins IN SHARE ROW EXCLUSIVE MODE', 2, () =>
      Promise.all(passwords.map((password) => reset(token, password))),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
    await signIn(world.url, { ...account, password: winner })
  })

  test('is void after half an hour', async () => {
    const account = await world.account()
    const token = await linkFor(account)
    const remaining = await world.database.query<{ minutes: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float8 / 60 AS minutes FROM password_resets WHERE login_id = $1',
      [account.loginId],
    )
    expect(remaining[0]?.minutes).toBeGreaterThan(25)
    expect(remaining[0]?.minutes).toBeLessThanOrEqual(30)
    await world.database.query(
      "UPDATE password_resets SET expires_at = expires_at - interval '30 minutes' WHERE login_id = $1",
      [account.loginId],
    )
    expect((await reset(token)).json.code).toBe(1013)
    await signIn(world.url, account)
  })

  test('is void once the password was changed', async () => {
    const account = await world.account()
    const person = await signIn(world.url, account)
    const token = await linkFor(account)
    const json = { current_password: account.password, new_password: 'changed by hand' }
    expect((await person.call('/api/password', { method: 'POST', json })).status).toBe(200)
    expect((await reset(token)).json.code).toBe(1013)
  })

  test('is void once the email was changed', async () => {
    const account = await world.account()
    const person = await signIn(world.url, account)
    const token = await linkFor(account)
    const email = `new-${account.email}`
    await person.call('/api/login', { method: 'POST', json: { email, password: account.password } })
    await expect.poll(() => mailServer.mailsTo(email), { timeout: 15_000 }).toHaveLength(1)
    const link = /\/verify#token=([\w-]{43})\s/.exec(mailServer.mailsTo(email)[0]?.text ?? '')?.[1]
    const json = { token: link }
    const confirmed = await person.call('/api/login/verification/confirm', { method: 'POST', json })
    expect(confirmed.status).toBe(200)
    expect((await reset(token)).json.code).toBe(1013)
  })

  test('stays good when the new password is refused', async () => {
    const account = await world.account()
    const token = await linkFor(account)
    expect((await reset(token, 'short')).json.code).toBe(1012)
    expect((await reset(token)).json).toEqual(done)
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), '\0', "' OR 1=1 --"])(
    'that nobody sent is refused: %j',
    async (token) => {
      const { status, json } = await reset(token)
      expect(status).toBe(400)
      expect([1012, 1013]).toContain(json.code)
    },
  )

  test('is not sent for a suspended account, and the answer does not tell', async () => {
    const account = await world.account()
    const sentinel = await world.account()
    await world.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [account.accountId])
    expect((await ask(account.alias)).json).toEqual(done)
    // Mails go out in turn: once the later ones are there, the earlier one would be.
    await linkFor(sentinel)
    await linkFor(await world.account())
    expect(mailServer.mailsTo(account.email)).toEqual([])
  })
})

describe('whether a login exists', () => {
  test('is told neither by text nor by status', async () => {
    const account = await world.account()
    const known = await ask(account.alias)
    const unknown = await ask('nobody-at-all')
    expect(unknown.text).toBe(known.text)
    expect(unknown.status).toBe(known.status)
    expect([...unknown.headers.keys()].toSorted()).toEqual([...known.headers.keys()].toSorted())
  })

  test('is looked up after the answer: a stuck table or a slow mail server holds nobody up', async () => {
    const account = await world.account()
    const release = mailServer.hold()
    try {
      expect((await ask(account.alias)).json).toEqual(done)
      expect(mailServer.mailsTo(account.email)).toEqual([])
    } finally {
      release()
    }
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)

    const another = await world.account()
    await world.database.query('BEGIN')
    try {
      await world.database.query('LOCK TABLE password_resets, logins IN ACCESS EXCLUSIVE MODE')
      // A statement is given up after five seconds: an answer that needed the table would be a 503.
      expect((await ask(another.alias)).json).toEqual(done)
    } finally {
      await world.database.query('ROLLBACK')
    }
    await expect.poll(() => mailServer.mailsTo(another.email), { timeout: 15_000 }).toHaveLength(1)
  })
})

test('one address asks for so many links, whosoever they are', async () => {
  const narrow = await world.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '2' })
  await world.database.query('DELETE FROM login_attempts')
  const statuses: number[] = []
  for (const login of ['somebody-1', 'somebody-2', 'somebody-3'])
    statuses.push((await post('/api/password-resets', { login }, narrow.url)).status)
  expect(statuses).toEqual([200, 200, 429])
  await world.database.query('DELETE FROM login_attempts')
})

describe('the owner is told', () => {
  test('that the password was changed', async () => {
    const account = await world.account()
    const person = await signIn(world.url, account)
    const json = { current_password: account.password, new_password: 'changed by hand' }
    await person.call('/api/password', { method: 'POST', json })
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)
    const [notice] = mailServer.mailsTo(account.email)
    expect(notice?.text).toContain('has a new password')
    expect(notice?.text).not.toContain('changed by hand')
  })
})

test('a mail that cannot be sent is logged without address, name or token', async () => {
  const account = await world.account()
  mailServer.refuse(true)
  const before = world.service.output().length
  try {
    expect((await ask(account.alias)).json).toEqual(done)
    await expect
      .poll(() => world.service.output().slice(before), { timeout: 15_000 })
      .toContain('"msg":"background work failed"')
  } finally {
    mailServer.refuse(false)
  }
  const logged = world.service.output().slice(before)
  for (const secret of [account.email, account.alias, 'token=', mailServer.password, 'not today'])
    expect(logged).not.toContain(secret)
})

test('mail crosses no network in clear: without TLS it is not sent but to this machine', async () => {
  // On Linux this address leads to this machine, but it is none of those that say so.
  const remote = await startMailServer('0.0.0.0')
  try {
    const another = await world.startAnother({ PORT: '0', SMTP_URL: remote.url })
    const account = await world.account()
    expect((await post('/api/password-resets', { login: account.alias }, another.url)).json).toEqual(done)
    await expect
      .poll(() => another.output(), { timeout: 15_000 })
      .toMatch(/"code":"ETLS".*"msg":"background work failed"/)
    expect(remote.connections()).toBe(1)
    expect(remote.mails).toEqual([])
  } finally {
    await remote.close()
  }
})

test('without a mail server the operator helps', async () => {
  const another = await world.startAnother({ PORT: '0', SMTP_URL: '', OPERATOR_CONTACT: 'desk 7' })
  const { area } = (await call(`${another.url}/api/area`)).json
  expect(area).toMatchObject({ password_reset: 'operator', operator_contact: 'desk 7' })
  for (const login of [(await world.account()).alias, 'nobody']) {
    const answer = await post('/api/password-resets', { login }, another.url)
    expect([answer.status, answer.json.code]).toEqual([409, 1130])
  }
  expect((await call(`${world.url}/api/area`)).json.area.password_reset).toBe('mail')
})
