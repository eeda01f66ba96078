/**
 * What people write is shown to others as what it is: text. Names, browsers and entries that try to be script, markup or
 * another place are put in through the API and then looked at on every page that shows them.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, type SignedIn } from '../person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from '../service.ts'
import { visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

const hostile = [
  '<script>globalThis.taken = true</script>',
  '<img src=x onerror="globalThis.taken = true">',
  '"><svg onload="globalThis.taken = true">',
  "javascript:globalThis.taken='true'",
  '{{constructor.constructor("globalThis.taken = true")()}}',
]

let world: TestWorld
let browser: Browser
let account: TestAccount
let person: SignedIn

beforeAll(async () => {
  world = await startAreaWorld()
  browser = await launchBrowser()
  account = await world.account()
  person = await signIn(world.url, account)
  for (const name of hostile) {
    const key = await person.call('/api/keys', { method: 'POST', json: { name, scopes: ['hooks:read'] } })
    expect(key.status).toBe(200)
    const app = { name, is_public: true, redirect_uris: ['https://app.example/back'] }
    expect((await person.call('/api/apps', { method: 'POST', json: app })).status).toBe(200)
    await person.call('/api/account', { method: 'POST', json: { name } })
    await signIn(world.url, account, { 'user-agent': name })
  }
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

async function expectText(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor()
  expect(await page.evaluate('globalThis.taken')).toBeUndefined()
}

test.each([
  { path: '/keys', heading: 'API keys', shows: hostile },
  { path: '/apps', heading: 'Apps', shows: hostile },
  // The browser's name is made out from what it says of itself; what cannot be made out is shown.
  { path: '/account', heading: 'Account', shows: [] },
  { path: '/account/audit', heading: 'Audit log', shows: hostile.slice(-1) },
  { path: '/', heading: 'Overview', shows: hostile.slice(-1) },
])('$path shows hostile names as text', async ({ path, heading, shows }) => {
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto(path)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await expectText(page, shows)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('an answer of the API that holds markup is never a page', async () => {
  for (const path of ['/api/keys', '/api/sessions', '/api/audit', '/api/session']) {
    const { headers } = await person.call(path)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})
