/** Emails while the mail server fails, refuses or is gone, and while workers die. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { composeNext } from '../../src/notices/compose.ts'
import { leaseEmails, settleMessage } from '../../src/notices/message-queue.ts'
import { drain } from '../../src/runtime/drain.ts'
import { createHook, endBackoff, endWait, failSince, untilQuiet } from '../support/notices.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  // The workers of these tests are started by them.
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example' },
    'api',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

async function failingAccount(): Promise<TestAccount> {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, 'https://shop.example/')
  await failSince(hookline, account, [hookId], '61 minutes')
  return account
}

function failTest(error: unknown): never {
  throw error
}

/** Returns the email about the failure, as the API shows it. */
async function emailOf(account: TestAccount) {
  const { notices } = (await (await signIn(hookline.url, account)).call('/api/notices')).json
  return notices.find(({ kind }: { kind: string }) => kind === 'failing_1h').messages[0]
}

async function readBackoff({ accountId }: TestAccount): Promise<number | undefined> {
  const [row] = await hookline.database.query<{ seconds: number }>(
    'SELECT extract(epoch FROM next_at - now())::float8 AS seconds FROM notice_messages WHERE account_id = $1',
    [accountId],
  )
  return row?.seconds
}

test('several workers compose one email for a user', async () => {
  const accounts: TestAccount[] = []
  for (let count = 0; count < 4; count++) accounts.push(await failingAccount())
  const compose = () => composeNext(hookline.db, { sendsEmail: true, onError: failTest })
  await endWait(hookline)
  await drain(compose)
  const { query } = hookline.database
  for (let round = 0; round < 5; round++) {
    await query('DELETE FROM notice_messages')
    await query('UPDATE notice_recipients SET send_at = now(), message_id = NULL')
    await Promise.all(accounts.map(() => drain(compose)))
    expect(await query('SELECT FROM notice_messages')).toHaveLength(accounts.length)
  }
  await query('DELETE FROM notice_messages')
})

describe('a worker', () => {
  test('that is killed after the mail server has the emails loses none, and only those are duplicates', async () => {
    const accounts: TestAccount[] = []
    for (let count = 0; count < 8; count++) accounts.push(await failingAccount())
    await endWait(hookline)
    await drain(() => composeNext(hookline.db, { sendsEmail: true, onError: failTest }))
    const release = mailServer.holdConfirmations()
    const dying = await hookline.startAnother({ PORT: '0' }, 'worker')
    const inFlight = () => mailServer.mails.map(({ to }) => to[0])
    await expect.poll(() => inFlight().length, { timeout: 20_000 }).toBe(5)
    const duplicated = new Set(inFlight())
    const exited = new Promise((resolve) => dying.child.once('exit', resolve))
    dying.child.kill('SIGKILL')
    await exited
    release()

    await hookline.startAnother({ PORT: '0' }, 'worker')
    await endBackoff(hookline)
    await untilQuiet(hookline)
    for (const { email } of accounts) {
      const mails = mailServer.mailsTo(email)
      expect(mails, email).toHaveLength(duplicated.has(email) ? 2 : 1)
      expect(new Set(mails.map((mail) => mail.header('message-id'))).size).toBe(1)
    }
  })

  test('retries a temporary failure after a minute, then less often, until the email is sent', async () => {
    const account = await failingAccountWith(451)
    expect(await emailOf(account)).toMatchObject({ state: 'queued', response_code: 451, finished_at: null })
    expect(await readBackoff(account)).toBeGreaterThan(40)
    expect(await readBackoff(account)).toBeLessThanOrEqual(60)
    await endBackoff(hookline)
    await untilQuietAfter(account, 2)
    expect(await readBackoff(account)).toBeGreaterThan(80)
    mailServer.respond(account.email, undefined)
    await endBackoff(hookline)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email)).toHaveLength(1)
    expect(await emailOf(account)).toMatchObject({
      state: 'sent',
      address: account.email,
      response_code: null,
    })
  })

  test('gives up after 24 hours of temporary failures', async () => {
    const account = await failingAccountWith(421)
    await hookline.database.query(
      "UPDATE notice_messages SET created_at = created_at - interval '25 hours', next_at = now() WHERE account_id = $1",
      [account.accountId],
    )
    await untilQuietAfter(account, 2)
    expect(await emailOf(account)).toMatchObject({ state: 'expired', response_code: 421 })
  })

  test('does not retry a refusal, and records its code', async () => {
    const account = await failingAccountWith(550)
    expect(await emailOf(account)).toMatchObject({
      login: account.alias,
      address: account.email,
      state: 'refused',
      response_code: 550,
      finished_at: expect.any(String),
    })
    mailServer.respond(account.email, undefined)
    await endBackoff(hookline)
    await untilQuiet(hookline)
    expect(mailServer.mailsTo(account.email)).toEqual([])
  })

  test('that lost its lease changes nothing', async () => {
    const apart = await startDashboardService()
    try {
      const account = await apart.account()
      await apart.database.query('INSERT INTO notice_messages (account_id, login_id) VALUES ($1, $2)', [
        account.accountId,
        account.loginId,
      ])
      const [slow] = await leaseEmails(apart.db, 5)
      expect(await leaseEmails(apart.db, 5), 'leased').toEqual([])
      await endBackoff(apart)
      const [other] = await leaseEmails(apart.db, 5)
      if (slow === undefined || other === undefined) throw new Error('email was not leased')
      await settleMessage(apart.db, other, { state: 'refused', address: account.email, responseCode: 550 })
      await settleMessage(apart.db, slow, { state: 'sent', address: account.email })
      expect(await apart.database.query('SELECT state FROM notice_messages')).toEqual([{ state: 'refused' }])
    } finally {
      await apart.close()
    }
  })
})

test('emails wait for a mail server that is down', async () => {
  const port = await freePort()
  const down = await startMailServer('127.0.0.1', port)
  await down.close()
  const apart = await startDashboardService({ SMTP_URL: down.url, MAIL_FROM: 'hookline@mail.example' }, 'all')
  const account = await apart.account()
  const hookId = await createHook(apart, account, 'https://shop.example/')
  await failSince(apart, account, [hookId], '61 minutes')
  await endWait(apart)
  await untilQuiet(apart)
  const up = await startMailServer('127.0.0.1', port)
  try {
    await endBackoff(apart)
    await expect.poll(() => up.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)
    const output = apart.service.output()
    expect(output).toContain('"msg":"notice failed, retrying"')
    for (const secret of [account.email, up.password, 'shop.example']) expect(output).not.toContain(secret)
  } finally {
    await apart.close()
    await up.close()
  }
})

/** The mail server responds to the account's email with a code. */
async function failingAccountWith(code: number): Promise<TestAccount> {
  const account = await failingAccount()
  mailServer.respond(account.email, code)
  await endWait(hookline)
  await untilQuietAfter(account, 1)
  return account
}

/** Waits until an email of the account was attempted as often. */
async function untilQuietAfter({ accountId }: TestAccount, attempts: number): Promise<void> {
  const read = () =>
    hookline.database.query('SELECT attempts FROM notice_messages WHERE account_id = $1', [accountId])
  await expect.poll(read, { timeout: 15_000 }).toEqual([{ attempts }])
  await untilQuiet(hookline)
}
