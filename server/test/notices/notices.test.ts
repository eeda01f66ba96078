/** Notices by email: what they say, how they are grouped, and which are not sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordLosses } from '../../src/notices/detect-losses.ts'
import { call } from '../support/http-call.ts'
import {
  addAttempt,
  createHook,
  disableWebhook,
  endHour,
  endWait,
  failSince,
  mailsAfterWait,
  recover,
  statesOf,
  untilQuiet,
} from '../support/notices.ts'
import { plantSecret, searchFor } from '../support/planted-secrets.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { signIn } from '../support/browser-session.ts'
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

describe('an email about a failing webhook', () => {
  test('says what fails, since when, the likely cause, what happens next, and links to the webhook', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/orders', { name: 'Orders <b>' })
    await addAttempt(hookline, account, hookId, { reason: 'status', status: 503 })
    await failSince(hookline, account, [hookId], '61 minutes')
    const [mail, ...others] = await mailsOf(account)
    expect(others).toEqual([])
    expect(mail?.from).toBe('hookline@mail.example')
    expect(mail?.header('auto-submitted')).toBe('auto-generated')
    expect(mail?.header('message-id')).toMatch(/^<[0-9a-f-]{36}@127\.0\.0\.1>$/)
    const [row] = await hookline.database.query<{ since: string; disabled: string }>(
      `SELECT to_char(streak AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS since,
              to_char((streak + interval '5 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS disabled
       FROM notices WHERE account_id = $1`,
      [account.accountId],
    )
    for (const part of [
      `Webhook ${hookId} “Orders <b>” at shop.example is failing.`,
      `All attempts since ${row?.since} failed.`,
      'Likely cause: Responded 503.',
      `disabled on ${row?.disabled} or later`,
      `View webhook: ${hookline.url}/webhooks/${hookId}`,
    ])
      expect(mail?.text).toContain(part)
    expect(mail?.html).toContain(`href="${hookline.url}/webhooks/${hookId}"`)
    expect(mail?.html).toContain('Orders &#60;b&#62;')
    expect(mail?.html).not.toMatch(/<img|<script|<link|<style|Orders <b>/i)
    expect(mail?.html).toContain('content="light dark"')
  })

  test('contains no secret of the webhook: no userinfo, path, query or custom header', async () => {
    const account = await hookline.account()
    const secrets = Array.from({ length: 4 }, () => plantSecret('plain').text)
    const [user, password, query, header] = secrets
    const url = `shop.example/${secrets[2]}?token=${query}`
    const hookId = await createHook(hookline, account, `https://${url}`, { headers: `X-Token: ${header}` })
    // New webhooks cannot have credentials in their URL. A stored one could.
    await hookline.database.query('UPDATE hooks SET target_url = $2, call_url = $2 WHERE id = $1', [
      hookId,
      `https://${user}:${password}@${url}`,
    ])
    await addAttempt(hookline, account, hookId, { reason: 'connection_refused' })
    await failSince(hookline, account, [hookId], '25 hours')
    await hookline.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered, failed)
       VALUES ($1, $2, date_trunc('hour', now()), 10, 5)`,
      [account.accountId, hookId],
    )
    await recordLosses(hookline.db)
    const mails = await mailsOf(account)
    expect(mails.length).toBeGreaterThan(0)
    const search = searchFor([...secrets, account.password, account.key])
    for (const mail of mails) expect(search(`${mail.raw}\n${mail.text}\n${mail.html}`)).toEqual([])
    const listed = await (await signIn(hookline.url, account)).call('/api/notices')
    for (const { message } of listed.json.notices) expect(search(message)).toEqual([])
  })

  test('is one for all webhooks of the account and names each host', async () => {
    const account = await hookline.account()
    const hookIds: number[] = []
    for (const path of ['a', 'b', 'c', 'd'])
      hookIds.push(await createHook(hookline, account, `https://shop.example/${path}`))
    hookIds.push(await createHook(hookline, account, 'https://other.example:8443/'))
    await failSince(hookline, account, hookIds.slice(0, 2), '61 minutes')
    await failSince(hookline, account, hookIds.slice(2), '62 minutes')
    const mails = await mailsOf(account)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.header('subject')).toBe('4 webhooks at shop.example are failing, 5 notices in total')
    expect(mails[0]?.text).toContain('4 webhooks at shop.example are failing.')
    expect(mails[0]?.text).toContain(`Webhook ${hookIds[4]} at other.example:8443 is failing.`)
    expect(mails[0]?.text).toContain(`View webhooks: ${hookline.url}/webhooks\r\n`)
  })

  test('waits 5 minutes', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    const wait = await hookline.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM due_at - created_at)::float8 AS seconds FROM notices
       WHERE account_id = $1 AND state = 'waiting'`,
      [account.accountId],
    )
    expect(wait).toEqual([{ seconds: 300 }])
    await mailsOf(account)
  })

  test('is sent once per stage, and not for stages that it has passed', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    const age = async (hours: number) => {
      await hookline.database.query(
        `WITH moved AS (
           UPDATE hook_failures SET failing_since = failing_since - $2 * interval '1 hour' WHERE account_id = $1)
         UPDATE notices SET streak = streak - $2 * interval '1 hour' WHERE account_id = $1`,
        [account.accountId, hours],
      )
      await failSince(hookline, account, [], '0')
      await endHour(hookline, account)
      return mailsOf(account)
    }
    expect(await age(1)).toHaveLength(1)
    expect(await age(24)).toHaveLength(2)
    expect(await age(48)).toHaveLength(3)
    expect(await age(1)).toHaveLength(3)
    expect(mailServer.mailsTo(account.email)[2]?.text).toContain('is failing for more than 3 days.')
    expect(await statesOf(hookline, account)).toEqual([
      'failing_1h ready',
      'failing_24h ready',
      'failing_3d ready',
    ])
  })

  test('is dropped if the webhook recovers before it is sent', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await recover(hookline, account.accountId, [hookId])
    expect(await mailsOf(account)).toEqual([])
    await recover(hookline, account.accountId, [])
    expect(await mailsOf(account)).toEqual([])
    expect(await statesOf(hookline, account)).toEqual(['failing_1h dropped'])
  })

  test('is dropped if the webhook recovers while the mail server rejects it', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    mailServer.respond(account.email, 451)
    await failSince(hookline, account, [hookId], '61 minutes')
    expect(await mailsOf(account)).toEqual([])
    await recover(hookline, account.accountId, [hookId])
    mailServer.respond(account.email, undefined)
    await hookline.database.query("UPDATE notice_messages SET next_at = now() WHERE state = 'queued'")
    expect(await mailsOf(account)).toEqual([])
    await recover(hookline, account.accountId, [])
    expect(await mailsOf(account)).toEqual([])
    expect(await statesOf(hookline, account), 'no recovery of a failure that nobody was told').toEqual([
      'failing_1h ready',
    ])
    const [email] = (await (await signIn(hookline.url, account)).call('/api/notices')).json.notices[0]
      .messages
    expect(email.state).toBe('dropped')
  })

  test.each(['disabled', 'deleted'])('is dropped if the webhook is %s meanwhile', async (how) => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    if (how === 'disabled') await disableWebhook(hookline, account, hookId)
    else await call(`${hookline.url}/api/hooks?id=${hookId}`, { method: 'DELETE', key: account.key })
    expect(await mailsOf(account)).toEqual([])
    expect(await statesOf(hookline, account)).toEqual(['failing_1h dropped'])
  })

  test('follows at most once per hour', async () => {
    const account = await hookline.account()
    const first = await createHook(hookline, account, 'https://shop.example/')
    const second = await createHook(hookline, account, 'https://other.example/')
    await failSince(hookline, account, [first], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    await failSince(hookline, account, [second], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    await endHour(hookline, account)
    expect(await mailsOf(account)).toHaveLength(2)
    expect(mailServer.mailsTo(account.email)[1]?.text).toContain('other.example')
  })
})

describe('users', () => {
  test('without a verified email, and those of a suspended account, get no email', async () => {
    const unverified = await hookline.account()
    await hookline.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [
      unverified.loginId,
    ])
    const suspended = await hookline.account()
    for (const account of [unverified, suspended]) {
      const hookId = await createHook(hookline, account, 'https://shop.example/')
      await failSince(hookline, account, [hookId], '61 minutes')
    }
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      suspended.accountId,
    ])
    expect(await mailsOf(unverified)).toEqual([])
    expect(await mailsOf(suspended)).toEqual([])
    expect(await statesOf(hookline, unverified)).toEqual(['failing_1h ready'])
  })

  test('get an email a day, at 08:00 UTC, about groups that they want daily', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await user.call('/api/notices/preferences', { method: 'POST', json: { failing: 'daily' } })
    await failSince(hookline, account, [hookId], '61 minutes')
    expect(await mailsOf(account)).toEqual([])
    const times = await hookline.database.query<{ hour: number; isNext: boolean }>(
      `SELECT extract(hour FROM send_at AT TIME ZONE 'UTC')::integer AS hour,
              send_at > now() AND send_at <= now() + interval '24 hours' AS "isNext"
       FROM notice_recipients WHERE account_id = $1`,
      [account.accountId],
    )
    expect(times).toEqual([{ hour: 8, isNext: true }])
    await hookline.database.query('UPDATE notice_recipients SET send_at = now() WHERE account_id = $1', [
      account.accountId,
    ])
    expect(await mailsOf(account)).toHaveLength(1)
  })

  test('get no email about groups that are off and webhooks that they muted, but see the notices', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const muted = await createHook(hookline, account, 'https://shop.example/muted')
    const heard = await createHook(hookline, account, 'https://shop.example/heard')
    await user.call(`/api/hooks/${muted}/mute`, { method: 'POST', json: {} })
    await failSince(hookline, account, [muted, heard], '61 minutes')
    const [mail] = await mailsOf(account)
    expect(mail?.text).toContain(`Webhook ${heard} at shop.example is failing.`)
    expect(mail?.text).not.toContain(`Webhook ${muted}`)
    await user.call(`/api/hooks/${muted}/unmute`, { method: 'POST', json: {} })
    await user.call('/api/notices/preferences', { method: 'POST', json: { failing: 'off' } })
    const third = await createHook(hookline, account, 'https://shop.example/third')
    await failSince(hookline, account, [third], '61 minutes')
    await endHour(hookline, account)
    expect(await mailsOf(account)).toHaveLength(1)
    expect((await user.call('/api/notices')).json.notices).toHaveLength(3)
  })
})

function addNotices(
  { accountId }: TestAccount,
  hookId: number,
  count: number,
  age: string,
): Promise<unknown> {
  return hookline.database.query(
    `INSERT INTO notices (account_id, hook_id, subject, kind, streak, state, due_at, created_at, is_open)
     SELECT $1, $2::integer, 'hook:' || $2::text, 'failing_1h', now() - $4::interval - number * interval '1 second', 'ready', now(),
            now() - $4::interval, false
     FROM generate_series(1, $3) AS number`,
    [accountId, hookId, count, age],
  )
}

describe('old notices', () => {
  test('beyond 2,000 of an account are deleted with the next one', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await addNotices(account, hookId, 2_005, '1 hour')
    await failSince(hookline, account, [hookId], '61 minutes')
    expect(await mailsOf(account)).toHaveLength(1)
    expect(await statesOf(hookline, account)).toHaveLength(2_000)
  })

  test('beyond 2,000 are kept until they are sent', async () => {
    const account = await hookline.account()
    const user = await signIn(hookline.url, account)
    const post = (path: string, json: object) => user.call(path, { method: 'POST', json })
    await post('/api/notices/preferences', { security: 'daily' })
    await post('/api/keys', { name: 'Before the flood', scopes: ['hooks'] })
    expect(await mailsOf(account)).toEqual([])
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await addNotices(account, hookId, 2_005, '1 hour')
    await post('/api/keys', { name: 'After the flood', scopes: ['hooks'] })
    expect(await mailsOf(account)).toEqual([])
    await hookline.database.query(
      'UPDATE notice_recipients SET send_at = now() WHERE send_at IS NOT NULL AND account_id = $1',
      [account.accountId],
    )
    const [mail] = await mailsOf(account)
    expect(mail?.text).toContain('Before the flood')
    expect(mail?.text).toContain('After the flood')
  })

  test('are deleted after 90 days, except about a failure that lasts', async () => {
    const account = await hookline.account()
    const [ended, failing] = [
      await createHook(hookline, account, 'https://shop.example/ended'),
      await createHook(hookline, account, 'https://shop.example/failing'),
    ]
    await addNotices(account, ended, 2, '91 days')
    await addNotices(account, ended, 1, '89 days')
    await addNotices(account, failing, 1, '91 days')
    await hookline.database.query(
      `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
       SELECT account_id, hook_id, streak, 5 FROM notices WHERE hook_id = $1`,
      [failing],
    )
    // A worker deletes old rows when it starts.
    await hookline.startAnother({ PORT: '0' }, 'worker')
    const read = () =>
      hookline.database.query(
        'SELECT hook_id, count(*)::integer AS kept FROM notices WHERE account_id = $1 GROUP BY hook_id ORDER BY hook_id',
        [account.accountId],
      )
    await expect.poll(read, { timeout: 15_000 }).toEqual([
      { hook_id: ended, kept: 1 },
      { hook_id: failing, kept: 1 },
    ])
  })
})

test('without a mail server, notices are listed and no email is created', async () => {
  const silent = await startDashboardService({}, 'all')
  try {
    const account = await silent.account()
    const hookId = await createHook(silent, account, 'https://shop.example/')
    await failSince(silent, account, [hookId], '61 minutes')
    await endWait(silent)
    await untilQuiet(silent)
    const user = await signIn(silent.url, account)
    const { notices } = (await user.call('/api/notices')).json
    expect(notices).toMatchObject([{ kind: 'failing_1h', state: 'ready', messages: [] }])
    expect((await user.call('/api/notices/preferences')).json.sends_email).toBe(false)
    expect((await user.call('/api/notices/test', { method: 'POST', json: {} })).json.code).toBe(1130)
    expect(await silent.database.query('SELECT FROM notice_messages')).toEqual([])
  } finally {
    await silent.close()
  }
})
