/** Notices about webhooks that recover or lose deliveries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogin } from '../../src/identity/accounts/logins.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { recordExpiring, recordLosses } from '../../src/notices/detect-losses.ts'
import { call } from '../support/http-call.ts'
import {
  addAttempt,
  createHook,
  disableWebhook,
  endHour,
  failSince,
  mailsAfterWait,
  recover,
  statesOf,
} from '../support/notices.ts'
import { signIn } from '../support/browser-session.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'Hookline <hookline@mail.example>' },
    'all',
  )
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

const mailsOf = (account: TestAccount) => mailsAfterWait(hookline, mailServer, account)

describe('a recovery', () => {
  test('is told once after a failure was told, with what was lost', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await mailsOf(account)
    await hookline.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered, failed, expired)
       VALUES ($1, $2, date_trunc('hour', now()), 10000, 2, 1)`,
      [account.accountId, hookId],
    )
    await recover(hookline, account.accountId, [hookId])
    await recover(hookline, account.accountId, [])
    await endHour(hookline, account)
    const mails = await mailsOf(account)
    expect(mails).toHaveLength(2)
    expect(mails[1]?.header('subject')).toBe(`Webhook ${hookId} at shop.example works again`)
    expect(mails[1]?.text).toContain('3 deliveries failed or expired.')
    expect(mails[1]?.text).toContain('No delivery is pending.')
    expect(await statesOf(hookline, account)).toEqual(['failing_1h ready', 'recovered ready'])
  })

  test('needs a delivery: without one, neither a new URL nor the end of attempts is a recovery', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await mailsOf(account)
    await hookline.database.query('DELETE FROM hook_failures WHERE hook_id = $1', [hookId])
    await recover(hookline, account.accountId, [])
    expect(await statesOf(hookline, account)).toEqual(['failing_1h ready'])
    await recover(hookline, account.accountId, [hookId])
    expect(await statesOf(hookline, account)).toEqual(['failing_1h ready', 'recovered waiting'])
  })

  test('is only for users who were told about the failure', async () => {
    const account = await hookline.account()
    const login = { alias: `c-${account.alias}`, email: `c-${account.email}`, password: 'a long password' }
    await createLogin(hookline.db, createPasswords(), 'operator', account.accountId, login)
    const colleague = await signIn(hookline.url, login)
    const setMode = (failing: string) =>
      colleague.call('/api/notices/preferences', { method: 'POST', json: { failing } })
    await setMode('off')
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    await setMode('instant')
    await recover(hookline, account.accountId, [hookId])
    await endHour(hookline, account)
    expect(await mailsOf(account)).toHaveLength(2)
    expect(mailServer.mailsTo(login.email)).toEqual([])
  })

  test('is dropped if the webhook fails again within the wait', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await mailsOf(account)
    await recover(hookline, account.accountId, [hookId])
    await failSince(hookline, account, [hookId], '1 minute')
    await endHour(hookline, account)
    expect(await mailsOf(account)).toHaveLength(1)
    expect(await statesOf(hookline, account)).toEqual(['failing_1h ready', 'recovered dropped'])
  })
})

function addCounts({ accountId }: TestAccount, hookId: number, delivered: number, failed: number) {
  return hookline.database.query(
    `INSERT INTO rollups (account_id, hook_id, hour, delivered, failed)
     VALUES ($1, $2, date_trunc('hour', now()), $3, $4)`,
    [accountId, hookId, delivered, failed],
  )
}

describe('losses', () => {
  test('are told from 1% of the deliveries of a day, within the hour of another email, once a day', async () => {
    const account = await hookline.account()
    const losing = await createHook(hookline, account, 'https://shop.example/losing')
    const fine = await createHook(hookline, account, 'https://shop.example/fine')
    await failSince(hookline, account, [losing], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    await addAttempt(hookline, account, losing, { reason: 'timeout' })
    await addCounts(account, losing, 1_980, 20)
    await addCounts(account, fine, 1_981, 20)
    await recordLosses(hookline.db)
    await recordLosses(hookline.db)
    const mails = await mailsOf(account)
    expect(mails).toHaveLength(2)
    expect(mails[1]?.header('subject')).toBe(
      `Webhook ${losing} at shop.example has lost deliveries in the last 24 hours`,
    )
    expect(mails[1]?.text).toContain('20 of 2,000 deliveries finished in the last 24 hours failed or expired')
    expect(mails[1]?.text).toContain('Likely cause: Timed out')
    await hookline.database.query(
      "UPDATE notices SET created_at = created_at - interval '25 hours', streak = streak - interval '25 hours'",
    )
    await recordLosses(hookline.db)
    expect(await mailsOf(account)).toHaveLength(3)
  })

  test('of a disabled webhook are not told, because its users chose it', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await addCounts(account, hookId, 0, 20)
    await disableWebhook(hookline, account, hookId)
    await recordLosses(hookline.db)
    expect(await statesOf(hookline, account)).toEqual([])
  })

  test('of events on hold are told a day before, once until the webhook is enabled', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await disableWebhook(hookline, account, hookId)
    const hold = (age: string) =>
      hookline.database.query(
        `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
         SELECT $1, $2, uuid_v7_floor(at), 'sms_mo', at, at, true FROM (SELECT now() - $3::interval AS at) AS times`,
        [account.accountId, hookId, age],
      )
    await hold('5 days 23 hours')
    await recordExpiring(hookline.db)
    expect(await statesOf(hookline, account)).toEqual([])
    await hold('6 days 1 hour')
    await hold('6 days 2 hours')
    await recordExpiring(hookline.db)
    await recordExpiring(hookline.db)
    const mails = await mailsOf(account)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.header('subject')).toBe(
      `Webhook ${hookId} at shop.example will lose events on hold within 24 hours`,
    )
    expect(mails[0]?.text).toContain('2 events on hold since')
    await hookline.database.query('DELETE FROM work WHERE hook_id = $1', [hookId])
    await hold('6 days 3 hours')
    await recordExpiring(hookline.db)
    expect(await statesOf(hookline, account)).toEqual(['expiring ready'])
    await call(`${hookline.url}/api/hooks/${hookId}/enable`, { method: 'POST', key: account.key, json: {} })
    await disableWebhook(hookline, account, hookId)
    await hookline.database.query('DELETE FROM work WHERE hook_id = $1', [hookId])
    await hold('6 days 4 hours')
    await recordExpiring(hookline.db)
    expect(await statesOf(hookline, account)).toEqual(['expiring ready', 'expiring waiting'])
  })
})
