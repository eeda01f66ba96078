/** API keys page: create, reveal and revoke keys. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../server/test/support/http-call.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { expectAccessible, rejected, visitAs } from './support/dashboard.ts'
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

/** An account without API keys. */
async function accountWithoutKey(): Promise<TestAccount> {
  const account = await hookline.account()
  await hookline.database.query('DELETE FROM keys WHERE account_id = $1', [account.accountId])
  return account
}

const hostile = '<img src=x onerror="document.title=1">'
const longest = `📦 مفتاح ${'w'.repeat(88)}`

test('the empty page and the create dialog are accessible', async () => {
  const { page, problems, close } = await visitAs(browser, hookline, await accountWithoutKey())
  await page.goto('/keys')
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  await page.getByText(`curl ${hookline.url}/api/hooks`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('keys in every state, with hostile and long names, are accessible', async () => {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  const created = []
  for (const name of [hostile, longest, 'ended', 'spent'])
    created.push((await user.call('/api/keys', { method: 'POST', json: { name, scopes: ['hooks'] } })).json)
  await user.call(`/api/keys/${created[2].key.id}`, { method: 'DELETE' })
  await hookline.database.query(
    `UPDATE keys SET expires_at = now() - interval '1 day', created_at = now() - interval '9 days' WHERE id = $1`,
    [created[3].key.id],
  )
  await call(`${hookline.url}/api/hooks?p=${created[0].secret}`)

  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/keys?show=all')
  await page.getByText(hostile).waitFor()
  for (const state of ['Active', 'Expired', 'Revoked'])
    await page.getByText(state, { exact: true }).first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Actions for ${hostile}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke key' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Revoke key' }).click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page)
  expect(await page.title()).toBe('API keys · Hookline')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a new key works with the example command and is not stored in the browser', async () => {
  const account = await accountWithoutKey()
  const { page, context, close } = await visitAs(browser, hookline, account)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('link', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Enter a name that identifies the key.').waitFor()
  await page.getByLabel('Name').fill('order-service')
  await page.getByLabel('Full access to the API').uncheck()
  await page.getByLabel('View webhooks and consumers', { exact: true }).check()
  await page.getByLabel('Expires').selectOption('In 30 days')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()

  const dialog = page.getByRole('dialog', { name: 'API key “order-service” created' })
  await dialog.waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const key = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(key).toMatch(/^hlk_\w{20,}$/)
  expect(await dialog.getByLabel('command', { exact: true }).textContent()).toBe(
    `curl ${hookline.url}/api/hooks \\\n  -H 'X-Api-Key: ${key}'`,
  )
  expect((await call(`${hookline.url}/api/hooks`, { key })).status).toBe(200)
  expect((await call(`${hookline.url}/api/hooks`, { key, method: 'POST', form: {} })).json.code).toBe(902)

  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('in 30 days').waitFor()
  expect(await page.content()).not.toContain(key)
  await page.reload()
  await page.getByText('order-service').waitFor()
  expect(await page.content()).not.toContain(key)
  const stored = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage, ...sessionStorage, ...history.state })',
  )
  expect(stored).not.toContain(key)
  await close()
})

test('revealing a key requires the password and is audited', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/keys')
  await page.getByRole('button', { name: 'Actions for test' }).click()
  await page.getByRole('menuitem', { name: 'Reveal key' }).click()
  await page.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('Incorrect password.').waitFor()
  await expectAccessible(page)
  expect(await page.content()).not.toContain(account.key)
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByText(account.key, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain(account.key)
  await page.goto('/account/audit?about=keys')
  await page.getByText('revealed the key “test”').waitFor()
  expect(problems.console).toEqual([rejected(403)])
  await close()
})

test('a revoked key is rejected immediately, and a failed revocation shows the error', async () => {
  const account = await hookline.account()
  const { page, context, close } = await visitAs(browser, hookline, account)
  await page.goto('/keys?show=all')
  await page.getByRole('button', { name: 'Actions for test' }).click()
  await page.getByRole('menuitem', { name: 'Revoke key' }).click()
  // The dialog is loaded on demand, so it must be open before the connection ends.
  const revoke = page.getByRole('button', { name: 'Revoke key' })
  await revoke.waitFor()
  await context.setOffline(true)
  await revoke.click()
  await page.getByText('Your change may not be saved.').waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  expect((await call(`${hookline.url}/api/hooks`, { key: account.key })).status).toBe(200)

  await context.setOffline(false)
  await revoke.click()
  await page.getByText('“test” revoked').waitFor()
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect((await call(`${hookline.url}/api/hooks`, { key: account.key })).status).toBe(401)
  await close()
})

test('an invalid IP address shows an error at its field', async () => {
  const { page, problems, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/keys?new=true')
  await page.getByLabel('Name').fill('from home')
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.7\nnonsense')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const field = page.getByLabel('Allowed IP addresses')
  await page.locator('[aria-invalid="true"]').and(field).waitFor()
  expect(problems.console).toEqual([rejected(400)])
  await close()
})

test('the list filter is stored in the URL, and invalid values are ignored', async () => {
  const account = await hookline.account()
  await hookline.key(account.accountId)
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/keys')
  await page.getByLabel('Filter keys').fill('nothing like it')
  await page.getByRole('heading', { name: 'No matching keys' }).waitFor()
  await page.waitForURL(/q=nothing/)
  await page.reload()
  await page.getByRole('heading', { name: 'No matching keys' }).waitFor()
  await page.goto('/keys?q=123&show=[1]&new=%7B%7D')
  await page.getByRole('heading', { name: 'No matching keys' }).waitFor()
  expect(await page.getByLabel('Filter keys').inputValue()).toBe('123')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('deprecated authentication is reported with the request to use instead', async () => {
  const account = await hookline.account()
  await call(`${hookline.url}/api/hooks?p=${account.key}`)
  await expect
    .poll(
      () =>
        hookline.database.query('SELECT 1 FROM deprecated_uses WHERE account_id = $1', [account.accountId]),
      {
        timeout: 20_000,
      },
    )
    .toHaveLength(1)
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/')
  await page.getByText('Deprecated authentication in use: API key in parameter p').waitFor()
  await page.getByRole('link', { name: 'View instructions' }).click()
  await page.getByText('Deprecated authentication in use', { exact: true }).waitFor()
  await page.getByText("-H 'X-Api-Key: <your key>'").waitFor()
  await page.getByText('parameter p (deprecated)').waitFor()
  await close()
})

test('a key can require signed calls', async () => {
  const { page, close } = await visitAs(browser, hookline, await accountWithoutKey())
  await page.goto('/keys?new=true')
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await dialog.getByLabel('Name').fill('signed')
  await dialog.getByLabel('Require signed calls').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const revealed = page.getByRole('dialog', { name: /created/ })
  const key = await revealed.locator('code').first().textContent()
  const unsigned = await call(`${hookline.url}/api/hooks`, { key: key ?? '' })
  expect([unsigned.status, unsigned.json.code]).toEqual([401, 901])
  await page.goto('/keys')
  await page.getByText('signed calls only').waitFor()
  await close()
})
