/**
 * Stored user input is rendered as text. The test stores names and user agents with scripts, markup and URLs through the
 * API and visits every page that shows them.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, type SignedIn } from '../../server/test/support/browser-session.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

const hostile = [
  '<script>globalThis.taken = true</script>',
  '<img src=x onerror="globalThis.taken = true">',
  '"><svg onload="globalThis.taken = true">',
  "javascript:globalThis.taken='true'",
  '{{constructor.constructor("globalThis.taken = true")()}}',
]

let hookline: TestService
let browser: Browser
let account: TestAccount
let user: SignedIn

beforeAll(async () => {
  hookline = await startDashboardService()
  browser = await launchBrowser()
  account = await hookline.account()
  user = await signIn(hookline.url, account)
  for (const name of hostile) {
    const key = await user.call('/api/keys', { method: 'POST', json: { name, scopes: ['hooks:read'] } })
    expect(key.status).toBe(200)
    const app = { name, is_public: true, redirect_uris: ['https://app.example/back'] }
    expect((await user.call('/api/apps', { method: 'POST', json: app })).status).toBe(200)
    await user.call('/api/account', { method: 'POST', json: { name } })
    await signIn(hookline.url, account, { 'user-agent': name })
  }
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
})

async function expectText(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor()
  expect(await page.evaluate('globalThis.taken')).toBeUndefined()
}

test.each([
  { path: '/keys', heading: 'API keys', shows: hostile },
  { path: '/apps', heading: 'Apps', shows: hostile },
  // Sessions show a name derived from the user agent, so the hostile text is not always visible.
  { path: '/account', heading: 'Account', shows: [] },
  { path: '/account/members', heading: 'Members', shows: hostile.slice(-1) },
  { path: '/account/audit', heading: 'Audit log', shows: hostile.slice(-1) },
  { path: '/', heading: 'Overview', shows: hostile.slice(-1) },
])('$path shows hostile names as text', async ({ path, heading, shows }) => {
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto(path)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await expectText(page, shows)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('API responses with markup are never served as HTML', async () => {
  for (const path of ['/api/keys', '/api/sessions', '/api/audit', '/api/session']) {
    const { headers } = await user.call(path)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})
