/** OAuth consent with a real client app and a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientApp, startClientApp } from '../../server/test/support/servers/client-app.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { expectAccessible, fillSignIn, rejected, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser
let publisher: TestAccount
let app: ClientApp

beforeAll(async () => {
  hookline = await startDashboardService()
  browser = await launchBrowser()
  publisher = await hookline.account()
  app = await startClientApp('hooks:read')
  const user = await signIn(hookline.url, publisher)
  const { json } = await user.call('/api/apps', {
    method: 'POST',
    json: { name: 'Parcel Tracker', is_public: true, redirect_uris: [app.redirectUri] },
  })
  await app.use({
    issuer: `${hookline.url}/oauth`,
    api: hookline.url,
    clientId: json.app.id,
    secret: json.secret,
  })
})
afterAll(async () => {
  await app.close()
  await browser.close()
  await hookline.close()
})

async function connect(page: Page): Promise<void> {
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Connect with Hookline' }).click()
}

test('the consent page shows the request, signed in and signed out, and its expiry', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visit(browser, hookline)
  await connect(page)
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await expectAccessible(page)
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'Authorize Parcel Tracker' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  for (const text of [
    'Parcel Tracker',
    publisher.alias,
    'View webhooks',
    new URL(app.url).host,
    '90 days',
    account.alias,
  ])
    await page.getByText(text).first().waitFor()
  await expectAccessible(page)
  await page.goto('/connect/unknown')
  await page.getByRole('heading', { name: 'Request expired' }).waitFor()
  await expectAccessible(page)
  expect(problems.console).toEqual([rejected(404)])
  await close()
})

test('an authorized app works, is listed, and loses access when revoked', async () => {
  const account = await hookline.account()
  const { page, close } = await visitAs(browser, hookline, account)
  await connect(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  await page.getByText('0 webhooks').waitFor()
  expect((await app.callApi()).status).toBe(200)

  await page.goto(`${hookline.url}/apps?tab=access`)
  await page.getByText('Parcel Tracker').waitFor()
  await page.getByText('View webhooks').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke access for Parcel Tracker' }).click()
  await page.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await page.getByRole('heading', { name: 'No authorized apps' }).waitFor()
  expect((await app.callApi()).status).toBe(401)
  await page.goto(`${hookline.url}/account/audit?about=apps`)
  await page.getByText('revoked access for the app').waitFor()
  await close()
})

test.each(['before', 'after'])('denying %s sign-in returns to the app without access', async (when) => {
  const { page, close } =
    when === 'before'
      ? await visit(browser, hookline)
      : await visitAs(browser, hookline, await hookline.account())
  await connect(page)
  await page.getByRole('button', { name: /^Deny/ }).click()
  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await page.getByText('access_denied').waitFor()
  await close()
})

test('a request from another browser cannot be answered', async () => {
  const there = await visit(browser, hookline)
  await connect(there.page)
  await there.page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  const here = await visitAs(browser, hookline, await hookline.account())
  await here.page.goto(there.page.url())
  await here.page.getByRole('heading', { name: 'Request expired' }).waitFor()
  await here.close()
  await there.close()
})

test('an expired session requires sign-in before access is granted', async () => {
  const account = await hookline.account()
  const { page, close } = await visitAs(browser, hookline, account)
  await connect(page)
  const allow = page.getByRole('button', { name: 'Allow' })
  await expect.poll(() => allow.isEnabled()).toBe(true)
  await hookline.database.query('DELETE FROM sessions WHERE login_id = $1', [account.loginId])
  await allow.click()
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  await close()
})

test('a session that ends while the page loads requires sign-in', async () => {
  const account = await hookline.account()
  const { page, close } = await visitAs(browser, hookline, account)
  const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>()
  await page.route('**/api/dashboard-config', async (route) => {
    await hasEnded
    await route.continue()
  })
  await connect(page)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await hookline.database.query('DELETE FROM sessions WHERE login_id = $1', [account.loginId])
  end()
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  await close()
})
