/** The bell, the history of notices, preferences, muted webhooks, channels, and the emails as mail clients show them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from '../../server/test/support/http-call.ts'
import { addMember } from '../../server/test/support/members.ts'
import { addAttempt, createHook, endWait, failSince, untilQuiet } from '../../server/test/support/notices.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { desktop, expectAccessible, phone, rejected, screens, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser
let mail: MailServer
let chat: Receiver
let account: TestAccount

beforeAll(async () => {
  mail = await startMailServer()
  hookline = await startDashboardService(
    {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Hookline <hookline@example.com>',
      ALLOW_PRIVATE_TARGETS: 'true',
      LOGIN_ATTEMPTS: '0',
    },
    'all',
  )
  chat = await startReceiver()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await chat.close()
  await mail.close()
})
beforeEach(async () => {
  account = await hookline.account()
})

const longName = `Orders ${'of the northern region '.repeat(7)}`

/** Makes a webhook fail, and sends its notice. */
async function addFailing(name = 'Orders', path = '/orders'): Promise<number> {
  const hookId = await createHook(hookline, account, `https://shop.example${path}`, { name })
  await addAttempt(hookline, account, hookId, { reason: 'status', status: 503 })
  await failSince(hookline, account, [hookId], '61 minutes')
  await endWait(hookline)
  await untilQuiet(hookline)
  return hookId
}

test.each(screens)(
  'the bell counts unread notices, and opening it marks them as seen, on $name',
  async (screen) => {
    const hookId = await addFailing()
    const { page, problems, close } = await visitAs(browser, hookline, account, screen.viewport)
    await page.goto('/')
    await page.getByRole('button', { name: 'Notices, 1 unread' }).click()
    const item = page.getByRole('menuitem', { name: /Orders.* at shop\.example is failing/ })
    await item.waitFor()
    await expectAccessible(page)
    await page.setViewportSize(screen.viewport)
    await page.getByRole('button', { name: 'Notices', exact: true }).waitFor()
    await item.click()
    await page.waitForURL(`**/webhooks/${hookId}`)
    await page.reload()
    await page.getByRole('button', { name: 'Notices', exact: true }).click()
    await page.getByRole('menuitem', { name: 'View all notices' }).click()
    await page.getByRole('heading', { name: 'Notices', exact: true }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'is failing' })
    await row.getByText('Likely cause: Responded 503.').waitFor()
    await row.getByText(account.alias).waitFor()
    await row.getByText('Sent', { exact: true }).waitFor()
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

test('the pages are accessible: empty, with long names, and with every result of a message', async () => {
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/notices')
  await page.getByText('No notices').waitFor()
  await expectAccessible(page)
  await page.goto('/account/notices')
  await page.getByText('No channels').waitFor()
  await page.getByText('No muted webhooks').waitFor()
  await expectAccessible(page)
  await addFailing(longName, '/long')
  await hookline.database.query(
    `WITH channel AS (
       INSERT INTO notice_channels (account_id, kind, name, url, host, kind_groups, mode, confirmed_at)
       SELECT $1, 'slack', repeat('#alerts-', 12) || n, '', 'hooks.slack.com',
              '{failing,lost,slow,certificates,credentials}', 'weekly', now()
       FROM generate_series(1, 4) AS n RETURNING id
     )
     INSERT INTO notice_messages (account_id, channel_id, attempts, state, response_code, reason, next_at)
     SELECT $1, id, 1, state, code, reason, now() + interval '3 minutes' FROM (SELECT id, row_number() OVER () AS n FROM channel) AS numbered
     JOIN (VALUES (1, 'sent', 200, NULL), (2, 'queued', NULL, 'connection_refused'), (3, 'refused', 404, 'status'),
                  (4, 'expired', 503, 'status')) AS results (n, state, code, reason) USING (n)`,
    [account.accountId],
  )
  await hookline.database.query(
    "UPDATE notice_messages SET state = 'bounced', reason = '5.1.1' WHERE account_id = $1 AND login_id IS NOT NULL",
    [account.accountId],
  )
  await page.reload()
  await page.getByText(`An email to ${account.email} bounced (5.1.1)`).waitFor()
  for (const label of ['Retrying: connection_refused', 'Refused: 404', 'Not sent: 503'])
    await page.getByText(label).waitFor()
  await expectAccessible(page)
  await page.goto('/notices')
  await page.getByRole('row').filter({ hasText: 'northern region' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test.each(screens)('preferences, a muted webhook and a test email, on $name', async ({ viewport }) => {
  const hookId = await createHook(hookline, account, 'https://shop.example/', { name: 'Orders' })
  const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
  await page.goto('/account/notices')
  const failing = page.getByLabel('Failing webhooks')
  await failing.selectOption('Weekly')
  await page.getByText('Failing webhooks: Weekly').waitFor()
  await page.reload()
  expect(await failing.inputValue()).toBe('weekly')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText('Sent', { exact: true }).waitFor({ timeout: 15_000 })
  expect(mail.mailsTo(account.email).at(-1)?.header('subject')).toBe('Test message from Hookline')

  await page.goto('/webhooks')
  await page.getByRole('button', { name: 'Actions for Orders' }).click()
  await page.getByRole('menuitem', { name: 'Mute notices' }).click()
  await page.getByText('Orders muted. You get no emails about it').waitFor()
  await page.goto('/account/notices')
  await page.getByRole('button', { name: 'Unmute Orders' }).click()
  await page.getByText('No muted webhooks').waitFor()
  await failSince(hookline, account, [hookId], '61 minutes')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

describe('channels', () => {
  test.each(screens)(
    'a chat channel is added, tested, edited and deleted, on $name',
    async ({ viewport, name }) => {
      const path = `/services/${name}`
      const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
      await page.goto('/account/notices')
      await page.getByRole('button', { name: 'Add channel' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type').selectOption('Microsoft Teams')
      await dialog.getByLabel('Webhook URL').fill('http://169.254.169.254/')
      await dialog.getByLabel('Name').fill('#alerts')
      await dialog.getByRole('button', { name: 'Add channel' }).click()
      await dialog.locator('[aria-invalid="true"]').waitFor()
      await dialog.getByLabel('Webhook URL').fill(chat.url(path))
      await dialog.getByRole('button', { name: 'Add channel' }).click()
      await page.getByText(`Microsoft Teams · ${new URL(chat.url()).host}`).waitFor()
      await page.getByRole('button', { name: 'Send test to #alerts' }).click()
      await page.getByText('Sent', { exact: true }).waitFor({ timeout: 15_000 })
      expect(chat.at(path)).toHaveLength(1)
      await page.getByRole('button', { name: 'Edit #alerts' }).click()
      await dialog.getByLabel('Name').fill('#on-call')
      await dialog.getByLabel('Security').check()
      await dialog.getByRole('button', { name: 'Save channel' }).click()
      await page.getByText('keys and secrets, security').waitFor()
      await page.getByRole('button', { name: 'Delete #on-call' }).click()
      await dialog.getByRole('button', { name: 'Delete channel' }).click()
      await page.getByText('No channels').waitFor()
      expect(problems).toEqual({ console: [rejected(400)], external: [] })
      await close()
    },
  )

  test.each(screens)(
    'an address is confirmed on the page of its link, on $name',
    async ({ viewport, name }) => {
      const address = `ops-${name}-${account.alias}@shared.example`
      const { page, close } = await visitAs(browser, hookline, account, viewport)
      await page.goto('/account/notices')
      await page.getByRole('button', { name: 'Add channel' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type').selectOption('Email')
      await dialog.getByLabel('Email').fill(address)
      await dialog.getByLabel('Name').fill('On call')
      await dialog.getByRole('button', { name: 'Add channel' }).click()
      await page.getByText(`Link sent to ${address}`).waitFor()
      await page.getByText('Not confirmed').waitFor()
      await expect.poll(() => mail.mailsTo(address), { timeout: 15_000 }).toHaveLength(1)
      const link = /http\S+\/notices\/confirm\?\S+/.exec(mail.mailsTo(address)[0]?.text ?? '')?.[0] ?? ''
      const holder = await visit(browser, hookline, viewport)
      await holder.page.goto(link)
      await expectAccessible(holder.page)
      await holder.page.getByRole('button', { name: 'Confirm' }).click()
      await holder.page.getByRole('heading', { name: 'Confirmed' }).waitFor()
      expect(holder.problems).toEqual({ console: [], external: [] })
      await holder.close()
      await page.reload()
      await page.getByRole('button', { name: 'Send test to On call' }).waitFor()
      await close()
    },
  )

  test('are shown to members below developer, without what they may not do', async () => {
    const none = { canReveal: false, canExport: false }
    const viewer = await addMember(hookline, account, { role: 'viewer', ...none })
    await hookline.database.query(
      `INSERT INTO notice_channels (account_id, kind, name, url, host, kind_groups, mode, confirmed_at)
       VALUES ($1, 'slack', '#alerts', '', 'hooks.slack.com', '{failing}', 'instant', now())`,
      [account.accountId],
    )
    const { page, problems, close } = await visitAs(browser, hookline, viewer)
    await page.goto('/account/notices')
    await page.getByText('#alerts').waitFor()
    for (const name of ['Add channel', 'Send test to #alerts', 'Delete #alerts'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  })
})

describe('an email', () => {
  test.each([
    ['a wide window', desktop],
    ['a phone', phone],
  ])('is readable in light and dark in %s, with long names', async (_name, viewport) => {
    await addFailing(longName, '/mail')
    const [message] = mail.mailsTo(account.email)
    const { page, problems, close } = await visit(browser, hookline, viewport)
    await page.setContent(message?.html ?? '')
    await page.getByText('is failing').first().waitFor()
    const colors: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      colors.push(await page.evaluate('getComputedStyle(document.body).color'))
      await expectAccessible(page)
      await page.setViewportSize(viewport)
    }
    expect(new Set(colors).size, 'the text follows the color scheme').toBe(2)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'does not scroll').toBe(
      true,
    )
    expect(problems.external, 'loads nothing').toEqual([])
    await close()
  })

  test('links to its webhook and unsubscribes by a button on a page', async () => {
    const hookId = await addFailing()
    const [message] = mail.mailsTo(account.email)
    const { page, problems, close } = await visitAs(browser, hookline, account)
    await page.setContent(message?.html ?? '')
    const href = (name: string) => page.getByRole('link', { name }).getAttribute('href')
    expect(await href('View webhook')).toBe(`${hookline.url}/webhooks/${hookId}`)
    const link = (await href('Unsubscribe')) ?? ''
    await page.goto(link)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
    await page.goto('/account/notices')
    expect(await page.getByLabel('Failing webhooks').inputValue()).toBe('off')
    expect((await call(link)).status).toBe(200)
    expect(problems.console).toEqual([])
    await close()
  })
})
