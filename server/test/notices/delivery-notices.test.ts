/** Notices about real deliveries: a receiver that fails and recovers, one that is gone, and the commit that disables. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { disableHook } from '../../src/delivery/disable-hook.ts'
import { recordWarnings } from '../../src/delivery/queue/failure-warnings.ts'
import { recordRecovered } from '../../src/notices/detect-recovered.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { createHook, endHour, failSince, mailsAfterWait } from '../support/notices.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let status = 500

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    { SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example', ALLOW_PRIVATE_TARGETS: 'true' },
    'all',
  )
  gateway = await createGateway(hookline)
  receiver = await startReceiver((request, response) => {
    response.statusCode = request.url.startsWith('/gone') ? 410 : status
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
  await mailServer.close()
})

const mailsOf = (account: TestAccount) => mailsAfterWait(hookline, mailServer, account)

function readFailures(hookId: number) {
  return hookline.database.query(
    'SELECT FROM hook_failures WHERE hook_id = $1 AND failing_since IS NOT NULL',
    [hookId],
  )
}

test('a receiver that fails for an hour and recovers leads to two emails', async () => {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, receiver.url('/shop'))
  await gateway.event(account.accountId)
  await expect.poll(() => readFailures(hookId), { timeout: 20_000 }).toHaveLength(1)
  await hookline.database.query(
    "UPDATE hook_failures SET failing_since = failing_since - interval '1 hour' WHERE hook_id = $1",
    [hookId],
  )
  await recordWarnings(hookline.db)
  const [failing] = await mailsOf(account)
  expect(failing?.text).toContain('Likely cause: Responded 500.')
  await recordRecovered(hookline.db)
  expect(await mailsOf(account)).toHaveLength(1)

  status = 204
  await gateway.event(account.accountId)
  await expect.poll(() => readFailures(hookId), { timeout: 20_000 }).toEqual([])
  await recordRecovered(hookline.db)
  await endHour(hookline, account)
  const mails = await mailsOf(account)
  expect(mails).toHaveLength(2)
  expect(mails[1]?.text).toContain('works again')
  expect(mails[1]?.text).toContain('1 late delivery will be delivered now.')
})

test('a receiver that responds 410 leads to an email about the disabled webhook', async () => {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, receiver.url('/gone'))
  await gateway.event(account.accountId)
  const readKinds = () => hookline.database.query('SELECT kind FROM notices WHERE hook_id = $1', [hookId])
  await expect.poll(readKinds, { timeout: 20_000 }).toEqual([{ kind: 'gone' }])
  const mails = await mailsOf(account)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.header('subject')).toContain('is disabled: your server responded 410 Gone')
  expect(mails[0]?.text).toContain('Hookline disabled the webhook. New events are on hold for up to 7 days')
})

test('a webhook that Hookline disables after 5 days leads to an email at once, and to none if it was enabled', async () => {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, 'https://shop.example/')
  const again = await createHook(hookline, account, 'https://other.example/')
  await failSince(hookline, account, [hookId, again], '4 days')
  expect(await mailsOf(account)).toHaveLength(1)
  for (const id of [hookId, again])
    await disableHook(hookline.db, { accountId: account.accountId, hookId: id }, 'failing')
  await hookline.database.query('UPDATE hooks SET enabled = true, disabled_reason = NULL WHERE id = $1', [
    again,
  ])
  const mails = await mailsOf(account)
  expect(mails, 'within the hour of the other email').toHaveLength(2)
  expect(mails[1]?.header('subject')).toBe(
    `Webhook ${hookId} at shop.example is disabled after 5 days of failures`,
  )
})

test('a webhook is disabled together with its warning and notice, or not at all', async () => {
  const account = await hookline.account()
  const hookId = await createHook(hookline, account, 'https://shop.example/')
  await failSince(hookline, account, [hookId], '6 days')
  const read = async () => {
    const [row] = await hookline.database.query(
      `SELECT enabled, (SELECT count(*)::integer FROM hook_failures WHERE hook_id = hooks.id) AS failing,
              (SELECT count(*)::integer FROM hook_warnings WHERE hook_id = hooks.id AND kind = 'disabled') AS warnings,
              (SELECT count(*)::integer FROM notices WHERE hook_id = hooks.id AND kind = 'disabled') AS notices
       FROM hooks WHERE id = $1`,
      [hookId],
    )
    return row
  }
  const disable = () => disableHook(hookline.db, { accountId: account.accountId, hookId }, 'failing')
  const { query } = hookline.database
  await query("ALTER TABLE notices ADD CONSTRAINT broken CHECK (kind <> 'disabled') NOT VALID")
  await expect(disable()).rejects.toThrow('broken')
  await query('ALTER TABLE notices DROP CONSTRAINT broken')
  expect(await read()).toEqual({ enabled: true, failing: 1, warnings: 0, notices: 0 })
  await disable()
  expect(await read()).toEqual({ enabled: false, failing: 0, warnings: 1, notices: 1 })
})
