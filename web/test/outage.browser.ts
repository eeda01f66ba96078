/** Outages: the shell stays, says that the service cannot be reached, and the page appears without a reload. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDashboardService, type TestService } from '../../server/test/support/test-service.ts'
import { expectAccessible, visitAs } from './support/dashboard.ts'
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

const unreachable = /^Hookline is unreachable/

function navigation(page: Page) {
  return page.getByRole('navigation', { name: 'Main' })
}

/** A reload would lose the mark. */
const mark = `globalThis.isSamePage = true`
const isMarked = `globalThis.isSamePage === true`

test('without a response to the first calls, the shell stays until the service responds', async () => {
  const { page, close } = await visitAs(browser, hookline, await hookline.account())
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.goto('/keys')
  await page.evaluate(mark)
  await page.getByText(unreachable).waitFor()
  await navigation(page).getByRole('link', { name: 'Webhooks' }).waitFor()
  await expectAccessible(page)

  // A gateway that announces maintenance is the same outage.
  await page.unroute('**/api/**')
  const maintenance = { status: 503, contentType: 'text/html', body: '<h1>Maintenance</h1>' }
  await page.route('**/api/**', (route) => route.fulfill(maintenance))
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.waitForResponse((response) => response.status() === 503)
  await page.getByText(unreachable).waitFor()

  await page.unroute('**/api/**')
  // Retried automatically.
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor({ timeout: 40_000 })
  expect(await page.evaluate(isMarked)).toBe(true)
  await close()
})

test('while the process is stopped, pages stay in the shell, and open when it runs again', async () => {
  const { page, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/keys')
  await page.getByText('No results').or(page.getByRole('table')).first().waitFor()
  await page.evaluate(mark)
  await hookline.service.stop()

  // The page is in a file that was not loaded yet.
  await navigation(page).getByRole('link', { name: 'Apps' }).click()
  await page.getByText(unreachable).first().waitFor()
  await navigation(page).getByRole('link', { name: 'Webhooks' }).waitFor()
  expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBeGreaterThan(0)

  await hookline.startAnother({}, 'api')
  await page.getByRole('button', { name: 'Retry now' }).first().click()
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor({ timeout: 40_000 })
  await page.getByText('No apps yet').waitFor({ timeout: 40_000 })
  await page.getByText(unreachable).waitFor({ state: 'detached', timeout: 40_000 })
  expect(await page.evaluate(isMarked)).toBe(true)
  await close()
})
