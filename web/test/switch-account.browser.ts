/** Account switcher: no data of the previous account stays, in any tab. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../server/test/support/browser-session.ts'
import { joinAccount } from '../../server/test/support/members.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { expectAccessible, rejected, screens, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser

beforeAll(async () => {
  hookline = await startDashboardService()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
})

/** A user whose sessions start in an own account, and who is an admin of another one. */
async function userOfTwo(): Promise<TestAccount> {
  const own = await hookline.account()
  const other = await hookline.account()
  await joinAccount(hookline, own, other, { role: 'admin', canReveal: true, canExport: true })
  const rename = (accountId: number, name: string) =>
    hookline.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [accountId, name])
  await rename(own.accountId, 'Home')
  await rename(other.accountId, 'Northwind')
  await hookline.database.query(
    `UPDATE memberships SET used_at = now() - interval '1 day' WHERE account_id = $1 AND login_id = $2`,
    [other.accountId, own.loginId],
  )
  await hookline.database.query('UPDATE keys SET name = $2 WHERE account_id = $1', [
    own.accountId,
    'home key',
  ])
  await hookline.database.query('UPDATE keys SET name = $2 WHERE account_id = $1', [
    other.accountId,
    'northwind key',
  ])
  return own
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name }).click()
}

function breadcrumb(page: Page, name: string) {
  return page.getByLabel('Breadcrumb').getByText(name, { exact: true })
}

test.each(screens)(
  'switching shows the other account, here and in other tabs, on $name',
  async ({ viewport }) => {
    const user = await userOfTwo()
    const { page, context, problems, close } = await visitAs(browser, hookline, user, viewport)
    await page.goto('/keys')
    await page.getByText('home key').waitFor()
    const second = await context.newPage()
    await second.goto('/keys')
    await second.getByText('home key').waitFor()

    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByText('Owner in Home').waitFor()
    await page.getByRole('menuitem', { name: 'Northwind' }).getByText('Admin').waitFor()
    await expectAccessible(page)
    await page.setViewportSize(viewport)
    await page.keyboard.press('Escape')
    await switchTo(page, 'Northwind')
    await page.waitForURL(`${hookline.url}/`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await expect.poll(() => page.getByText('Northwind').count()).toBeGreaterThan(0)
    expect(await page.content()).not.toContain('Home')
    await second.getByText('northwind key').waitFor()
    expect(await second.content()).not.toContain('home key')

    // The other tab can change the account that it shows.
    await second.getByRole('button', { name: 'Actions for northwind key' }).click()
    await second.getByRole('menuitem', { name: 'Revoke key' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await second.getByText('“northwind key” revoked').waitFor()
    // A session starts in the account used last.
    const again = await signIn(hookline.url, user)
    expect((await again.call('/api/session')).json.account.name).toBe('Northwind')
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

test('a tab that missed the switch changes nothing, and says why', async () => {
  const user = await userOfTwo()
  const { page, context, problems, close } = await visitAs(browser, hookline, user)
  await page.goto('/account')
  await page.getByLabel('Account name').waitFor()
  const stale = await context.newPage()
  await stale.addInitScript('BroadcastChannel.prototype.addEventListener = () => {}')
  await stale.goto('/account')
  await stale.getByLabel('Account name').fill('Renamed by mistake')
  await switchTo(page, 'Northwind')
  await breadcrumb(page, 'Northwind').waitFor()
  await stale.getByRole('button', { name: 'Rename account' }).click()
  await stale.getByText('This page is out of date').waitFor()
  await stale.getByText(/^You switched to another account or signed in again in another tab/).waitFor()
  await expectAccessible(stale)
  await stale.reload()
  await breadcrumb(stale, 'Northwind').waitFor()
  expect(await stale.getByLabel('Account name').inputValue()).toBe('Northwind')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a tab that reads the session of another account reloads', async () => {
  const user = await userOfTwo()
  const { page, context, problems, close } = await visitAs(browser, hookline, user)
  await page.addInitScript('BroadcastChannel.prototype.addEventListener = () => {}')
  await page.goto('/keys')
  await page.getByText('home key').waitFor()
  const second = await context.newPage()
  await second.goto('/')
  await switchTo(second, 'Northwind')
  await breadcrumb(second, 'Northwind').waitFor()
  // The user returns to the tab.
  await page.clock.install()
  await page.clock.fastForward('02:00')
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await breadcrumb(page, 'Northwind').waitFor()
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a suspended account is listed and cannot be chosen', async () => {
  const user = await userOfTwo()
  await hookline.database.query(
    `UPDATE accounts SET suspended_at = now() WHERE name = 'Northwind' AND id IN
     (SELECT account_id FROM memberships WHERE login_id = $1)`,
    [user.loginId],
  )
  const { page, problems, close } = await visitAs(browser, hookline, user)
  await page.goto('/')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  const item = page.getByRole('menuitem', { name: 'Northwind' })
  await item.getByText('Suspended').waitFor()
  expect(await item.isDisabled()).toBe(true)
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a failed switch keeps the account and shows the error', async () => {
  const user = await userOfTwo()
  const { page, problems, close } = await visitAs(browser, hookline, user)
  await page.goto('/')
  await breadcrumb(page, 'Home').waitFor()
  await hookline.database.query(`DELETE FROM memberships WHERE login_id = $1 AND role = 'admin'`, [
    user.loginId,
  ])
  await switchTo(page, 'Northwind')
  await page.getByText('Failed to switch to Northwind').waitFor()
  await breadcrumb(page, 'Home').waitFor()
  expect(problems.console).toEqual([rejected(403)])
  await close()
})
