/** Notices about keys and secrets that expire, and deprecated credentials. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  recordDeprecated,
  recordExpiringKeys,
  recordExpiringSecrets,
} from '../../src/notices/detect-credentials.ts'
import { call } from '../support/http-call.ts'
import { createHook, mailsAfterWait, statesOf } from '../support/notices.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
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

const mailsOf = (account: TestAccount) => mailsAfterWait(hookline, mailServer, account)

/** Makes the key of the account expire, as if it had been created for a year. */
async function expireIn(account: TestAccount, hours: number, age = '1 year'): Promise<void> {
  await hookline.database.query(
    `UPDATE keys SET name = 'Billing', created_at = now() - $3::interval,
       expires_at = now() + $2 * interval '1 hour' WHERE id = $1`,
    [account.keyId, hours, age],
  )
  await recordExpiringKeys(hookline.db)
}

describe('an API key', () => {
  test.each([
    [8 * 24, []],
    [6 * 24, ['key_7d ready']],
    [20, ['key_1d ready']],
    [-1, []],
  ])('that expires in %d hours leads to %j', async (hours, expected) => {
    const account = await hookline.account()
    await expireIn(account, hours)
    await recordExpiringKeys(hookline.db)
    await mailsOf(account)
    expect(await statesOf(hookline, account)).toEqual(expected)
  })

  test('is named in the email, with its end and last use, and never shown', async () => {
    const account = await hookline.account()
    await expireIn(account, 20)
    const [mail] = await mailsOf(account)
    expect(mail?.text).toContain('API key “Billing” expires within 24 hours.')
    expect(mail?.text).toContain('API key “Billing”: The key is valid until')
    expect(mail?.text).toContain('It was never used.')
    expect(mail?.text).toContain(`View API keys: ${hookline.url}/keys`)
    expect(mail?.raw).not.toContain(account.key)
  })

  test('that was revoked, or created for a few days only, is not told', async () => {
    const revoked = await hookline.account()
    await expireIn(revoked, 20)
    await hookline.database.query('UPDATE keys SET revoked_at = now() WHERE id = $1', [revoked.keyId])
    expect(await mailsOf(revoked)).toEqual([])
    const short = await hookline.account()
    await expireIn(short, 20, '1 day')
    expect(await statesOf(hookline, short)).toEqual([])
  })
})

test('the previous secret of a webhook is told 6 hours before it expires', async () => {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, 'https://shop.example/')
  const rotate = await call(`${hookline.url}/api/hooks/${hookId}/secret`, {
    method: 'POST',
    key: account.key,
    json: {},
  })
  expect(rotate.status, rotate.text).toBe(200)
  await recordExpiringSecrets(hookline.db)
  expect(await statesOf(hookline, account)).toEqual([])
  await hookline.database.query(
    "UPDATE hooks SET secret_rotated_at = secret_rotated_at - interval '19 hours' WHERE id = $1",
    [hookId],
  )
  await recordExpiringSecrets(hookline.db)
  await recordExpiringSecrets(hookline.db)
  const mails = await mailsOf(account)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(
    `The previous secret of Webhook ${hookId} at shop.example expires within 6 hours.`,
  )
})

test('deprecated credentials in use are told every 30 days', async () => {
  const account = await hookline.account()
  await hookline.database.query(
    `INSERT INTO deprecated_uses (account_id, kind, day, uses)
     VALUES ($1, 'parameter-key', current_date, 3), ($1, 'parameter-key', current_date - 1, 4),
            ($1, 'login-password', current_date - 8, 1)`,
    [account.accountId],
  )
  await recordDeprecated(hookline.db)
  await recordDeprecated(hookline.db)
  const mails = await mailsOf(account)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.header('subject')).toBe('Deprecated authentication is in use')
  expect(mails[0]?.text).toContain(
    '7 calls in the last 7 days authenticated with an API key in the parameter `p`.',
  )
  expect(await statesOf(hookline, account)).toEqual(['deprecated ready'])
  await hookline.database.query(
    "UPDATE notices SET created_at = created_at - interval '31 days', streak = streak - interval '31 days' WHERE account_id = $1",
    [account.accountId],
  )
  await recordDeprecated(hookline.db)
  expect(await statesOf(hookline, account)).toHaveLength(2)
})
