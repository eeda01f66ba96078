/** Account pages: profile, password, two-factor authentication, sessions and audit log. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appCode } from '../../server/test/support/authenticator.ts'
import { call } from '../../server/test/support/http-call.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import { startDashboardService, type TestService } from '../../server/test/support/test-service.ts'
import { expectAccessible, fillSignIn, rejected, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  hookline = await startDashboardService({ SMTP_URL: mail.url, MAIL_FROM: 'Hookline <hookline@example.com>' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await mail.close()
})

test('the account page and audit log are accessible', async () => {
  const account = await hookline.account()
  await hookline.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [
    account.accountId,
    `<b>${'endless '.repeat(12)}</b> שלום`,
  ])
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account')
  await page.getByText('Current session').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await expectAccessible(page)
  await page.goto('/account/audit')
  await page.getByText('signed in').waitFor()
  await expectAccessible(page)
  await page.goto('/account/audit?about=apps')
  await page.getByText('No matching entries').waitFor()
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('the account is renamed, and a new email gets a confirmation link', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account')
  await page.getByLabel('Account name').fill('Northwind')
  await page.getByRole('button', { name: 'Rename account' }).click()
  await page.getByLabel('Breadcrumb').getByText('Northwind').waitFor()
  await page.getByLabel('Email', { exact: true }).fill(`new-${account.email}`)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('Incorrect password.').waitFor()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByText('Check your email for a confirmation link').waitFor()
  await page.getByText('Email not confirmed').waitFor()
  await expect.poll(() => mail.mailsTo(`new-${account.email}`).length).toBe(1)
  await page.goto('/account/audit')
  await page.getByText('renamed the account to “Northwind”').waitFor()
  expect(problems.console).toEqual([rejected(403)])
  await close()
})

test('a new password signs out all other sessions', async () => {
  const account = await hookline.account()
  const other = await visitAs(browser, hookline, account)
  await other.page.goto('/')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/account')
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('a few new words')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Incorrect password.').waitFor()
  await page.getByLabel('Current password').fill(account.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed, other sessions signed out').waitFor()
  await page.getByLabel('Account name').fill('Still here')
  await page.getByRole('button', { name: 'Rename account' }).click()
  await page.getByText('Account renamed').waitFor()
  await other.page.getByRole('link', { name: 'Account', exact: true }).click()
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(other.page, { ...account, password: 'a few new words' })
  await other.page.getByRole('heading', { name: 'Account' }).waitFor()
  await other.close()
  await close()
})

test('two-factor authentication turns on, accepts a recovery code, and turns off', async () => {
  const account = await hookline.account()
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  const secret =
    (await page
      .getByText(/^[A-Z2-7]{24}[A-Z2-7]*$/)
      .first()
      .textContent()) ?? ''
  await page.getByLabel('Authenticator code').fill('000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Invalid code.').waitFor()
  const whole = (await page.locator('code').filter({ hasText: secret }).first().textContent()) ?? ''
  await page.getByLabel('Authenticator code').fill(appCode(whole))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download codes' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('hookline-recovery-codes.txt')
  await page.getByRole('button', { name: 'I saved my codes' }).click()
  await page.getByText('10 recovery codes left').waitFor()

  const other = await visit(browser, hookline)
  await other.page.goto('/sign-in')
  await fillSignIn(other.page, account)
  await other.page.getByLabel('Authenticator code').fill(codes[0] ?? '')
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await other.close()

  await page.reload()
  await page.getByText('9 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Two-factor authentication turned off').waitFor()
  await signIn(hookline.url, account)
  await close()
})

test('revoked sessions are rejected immediately, one or all others', async () => {
  const account = await hookline.account()
  const first = await signIn(hookline.url, account)
  const second = await signIn(hookline.url, account)
  const third = await signIn(hookline.url, account)
  const isIn = async (user: typeof first) => (await user.call('/api/session')).status === 200
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/account')
  await page
    .getByRole('button', { name: /^Sign out .+ from / })
    .last()
    .click()
  await page.getByText('Session signed out').waitFor()
  expect([await isIn(first), await isIn(second), await isIn(third)].filter(Boolean)).toHaveLength(2)
  await page.getByRole('button', { name: 'Sign out other sessions' }).click()
  await page.getByRole('button', { name: 'Sign out 2 sessions' }).click()
  await page.getByText('2 sessions signed out').waitFor()
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([false, false, false])
  await page.getByText('Current session').waitFor()
  await close()
})

test('the audit log shows sentences, filtered by category and in pages', async () => {
  const account = await hookline.account()
  await hookline.database.query(
    `INSERT INTO audit (account_id, actor, action, subject, detail)
     SELECT $1, 'login:' || $2::text, 'key.create', 'key:0', jsonb_build_object('name', 'key ' || n)
     FROM generate_series(1, 120) AS n`,
    [account.accountId, account.loginId],
  )
  await call(`${hookline.url}/api/session`, {
    method: 'POST',
    json: { login: account.alias, password: 'not this one' },
    headers: { origin: hookline.url },
  })
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/audit')
  await page.getByText(`failed to sign in as “${account.alias}”`).waitFor()
  await page.getByText('created the key “key 120”').waitFor()
  await page.getByRole('button', { name: 'Security' }).click()
  await page.getByText('created the key').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('link', { name: 'Older' }).click()
  await page.getByText('created the key “key 60”').waitFor()
  await page.reload()
  await page.getByText('created the key “key 60”').waitFor()
  await page.getByRole('link', { name: 'Newest' }).click()
  await page.getByText('created the key “key 120”').waitFor()
  await close()
})

test('the signing key is revealed, rotated with an overlap, and required for calls', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  const viewed = await call(`${hookline.url}/api/signing-key/view`, { method: 'POST', key: account.key })
  await page.goto('/account#signing-key')
  const panel = page.getByRole('region', { name: 'Signing key' })
  await panel.getByRole('button', { name: 'Reveal key' }).click()
  await panel.getByText(viewed.json.signing_key).waitFor()
  await panel.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  await panel.getByText('Rotation in progress').waitFor()
  await panel.getByText('Next key:').waitFor()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Switch now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch now' }).click()
  await panel.getByText('Rotation in progress').waitFor({ state: 'detached' })
  expect(await panel.getByText(viewed.json.signing_key).count()).toBe(0)

  await panel.getByRole('switch', { name: 'Require signed calls' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require signatures' }).click()
  await expect.poll(() => panel.getByRole('switch').isChecked()).toBe(true)
  const unsigned = await call(`${hookline.url}/api/hooks`, { key: account.key })
  expect([unsigned.status, unsigned.json.code]).toEqual([401, 901])
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})
