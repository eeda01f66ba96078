/** An outage of many webhooks: the number of emails is that of the affected users, not of the webhooks. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordWarnings } from '../../src/delivery/queue/failure-warnings.ts'
import { recordRecovered } from '../../src/notices/detect-recovered.ts'
import { endWait, untilQuiet } from '../support/notices.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 120_000 })

const accounts = 50
const hooksPerAccount = 10

let mailServer: MailServer
let hookline: TestService

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example' },
    'all',
  )
  // Several workers must not add emails.
  await hookline.startAnother({ PORT: '0' }, 'worker')
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})

test('500 failing webhooks of 50 accounts are 50 emails, and 50 more when they work again', async () => {
  const { query } = hookline.database
  await query(
    `WITH added AS (
       INSERT INTO accounts (name) SELECT 'account ' || number FROM generate_series(1, $1) AS number RETURNING id
     ), users AS (
       INSERT INTO logins (account_id, alias, email, password_hash, email_verified_at)
       SELECT id, 'user-' || id, 'user-' || id || '@example.com', '', now() FROM added
     )
     INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT id, url, url, 'sms_mo', 'JSON', decode(md5(url), 'hex') FROM added
     CROSS JOIN LATERAL (
       SELECT 'https://shop.example/' || id || '/' || number AS url FROM generate_series(1, $2) AS number) AS urls`,
    [accounts, hooksPerAccount],
  )
  await query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
     SELECT account_id, id, now() - interval '61 minutes' - random() * interval '1 minute', 20 FROM hooks`,
  )
  await recordWarnings(hookline.db)
  await endWait(hookline)
  await untilQuiet(hookline)
  const recipients = () => new Set(mailServer.mails.flatMap(({ to }) => to))
  expect(mailServer.mails).toHaveLength(accounts)
  expect(recipients().size).toBe(accounts)
  for (const mail of mailServer.mails)
    expect(mail.header('subject')).toBe('10 webhooks at shop.example are failing')

  await query(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT account_id, uuid_v7_floor(now()), id, 1, 'delivered', 'delivered', 1 FROM hooks`,
  )
  await query('DELETE FROM hook_failures')
  await recordRecovered(hookline.db)
  await endWait(hookline)
  await untilQuiet(hookline)
  expect(mailServer.mails, 'a recovery waits for the rest of the hour').toHaveLength(accounts)
  await query("UPDATE notice_messages SET created_at = created_at - interval '1 hour'")
  await query('UPDATE notice_recipients SET send_at = now() WHERE send_at IS NOT NULL')
  await untilQuiet(hookline)
  expect(mailServer.mails).toHaveLength(2 * accounts)
  expect(recipients().size).toBe(accounts)
  for (const mail of mailServer.mails.slice(accounts))
    expect(mail.header('subject')).toBe('10 webhooks at shop.example work again')
})
