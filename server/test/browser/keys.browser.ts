/** API keys in the developer area: made, seen once, seen again, ended. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../call.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from '../service.ts'
import { expectSound, refused, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

let world: TestWorld
let browser: Browser

beforeAll(async () => {
  world = await startAreaWorld()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** An account whose only key was made by the operator and is revoked: nothing is in use. */
async function accountWithoutKey(): Promise<TestAccount> {
  const account = await world.account()
  await world.database.query('DELETE FROM keys WHERE account_id = $1', [account.accountId])
  return account
}

const hostile = '<img src=x onerror="document.title=1">'
const longest = `📦 مفتاح ${'w'.repeat(88)}`

test('the page without a key teaches, and the dialog for one is sound', async () => {
  const { page, complaints, close } = await visitAs(browser, world, await accountWithoutKey())
  await page.goto('/keys')
  await page.getByRole('heading', { name: 'No key yet' }).waitFor()
  await page.getByText(`curl ${world.url}/api/hooks`).waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
  await expectSound(page)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('keys in every state, with hostile and endless names, are sound', async () => {
  const account = await world.account()
  const person = await signIn(world.url, account)
  const made = []
  for (const name of [hostile, longest, 'ended', 'spent'])
    made.push((await person.call('/api/keys', { method: 'POST', json: { name, scopes: ['hooks'] } })).json)
  await person.call(`/api/keys/${made[2].key.id}`, { method: 'DELETE' })
  await world.database.query(
    `UPDATE keys SET expires_at = now() - interval '1 day', created_at = now() - interval '9 days' WHERE id = $1`,
    [made[3].key.id],
  )
  await call(`${world.url}/api/hooks?p=${made[0].secret}`)

  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/keys?show=all')
  await page.getByText(hostile).waitFor()
  for (const state of ['Active', 'Expired', 'Revoked'])
    await page.getByText(state, { exact: true }).first().waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: `What to do with ${hostile}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
  await expectSound(page)
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').waitFor()
  await expectSound(page)
  expect(await page.title()).toBe('API keys · Hookline')
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('a new key is shown once, works by the line that is shown with it, and is nowhere afterwards', async () => {
  const account = await accountWithoutKey()
  const { page, context, close } = await visitAs(browser, world, account)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('link', { name: 'Create a key' }).first().click()
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByText('Give it a name').waitFor()
  await page.getByLabel('Name').fill('order-service')
  await page.getByLabel('Everything the account can do').uncheck()
  await page.getByLabel('See webhooks', { exact: true }).check()
  await page.getByLabel('It works').selectOption('30 days')
  await page.getByRole('button', { name: 'Create the key' }).click()

  const dialog = page.getByRole('dialog', { name: '“order-service” is ready' })
  await dialog.waitFor()
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const key = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(key).toMatch(/^hlk_\w{20,}$/)
  expect(await dialog.getByLabel('command', { exact: true }).textContent()).toBe(
    `curl ${world.url}/api/hooks \\\n  -H 'X-Api-Key: ${key}'`,
  )
  expect((await call(`${world.url}/api/hooks`, { key })).status).toBe(200)
  expect((await call(`${world.url}/api/hooks`, { key, method: 'POST', form: {} })).json.code).toBe(902)

  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('in 30 days').waitFor()
  expect(await page.content()).not.toContain(key)
  await page.reload()
  await page.getByText('order-service').waitFor()
  expect(await page.content()).not.toContain(key)
  const kept = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage, ...sessionStorage, ...history.state })',
  )
  expect(kept).not.toContain(key)
  await close()
})

test('a key is seen again only with the password, and looking is in the audit log', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/keys')
  await page.getByRole('button', { name: 'What to do with test' }).click()
  await page.getByRole('menuitem', { name: 'View the key again' }).click()
  await page.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('This is not your password.').waitFor()
  await expectSound(page)
  expect(await page.content()).not.toContain(account.key)
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByText(account.key, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  expect(await page.content()).not.toContain(account.key)
  await page.goto('/account/audit?about=keys')
  await page.getByText('looked at the key “test” again').waitFor()
  expect(complaints.console).toEqual([refused(403)])
  await close()
})

test('a revoked key is refused at once; when revoking fails, the page says why and shows the key as it is', async () => {
  const account = await world.account()
  const { page, context, close } = await visitAs(browser, world, account)
  await page.goto('/keys?show=all')
  await page.getByRole('button', { name: 'What to do with test' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Your change may or may not have arrived.').waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  expect((await call(`${world.url}/api/hooks`, { key: account.key })).status).toBe(200)

  await context.setOffline(false)
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('“test” is revoked.').waitFor()
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect((await call(`${world.url}/api/hooks`, { key: account.key })).status).toBe(401)
  await close()
})

test('a refused address stands beside its field', async () => {
  const { page, complaints, close } = await visitAs(browser, world, await world.account())
  await page.goto('/keys?new=true')
  await page.getByLabel('Name').fill('from home')
  await page.getByLabel('Only from these IP addresses').fill('203.0.113.7\nnonsense')
  await page.getByRole('button', { name: 'Create the key' }).click()
  const field = page.getByLabel('Only from these IP addresses')
  await page.locator('[aria-invalid="true"]').and(field).waitFor()
  expect(complaints.console).toEqual([refused(400)])
  await close()
})

test('what is shown of the list stands in the address, whatever is written there', async () => {
  const account = await world.account()
  await world.key(account.accountId)
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/keys')
  await page.getByLabel('Filter keys').fill('nothing like it')
  await page.getByRole('heading', { name: 'No key fits' }).waitFor()
  await page.waitForURL(/q=nothing/)
  await page.reload()
  await page.getByRole('heading', { name: 'No key fits' }).waitFor()
  await page.goto('/keys?q=123&show=[1]&new=%7B%7D')
  await page.getByRole('heading', { name: 'No key fits' }).waitFor()
  expect(await page.getByLabel('Filter keys').inputValue()).toBe('123')
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('a program that signs in the old way is named, with the call to change to', async () => {
  const account = await world.account()
  await call(`${world.url}/api/hooks?p=${account.key}`)
  await expect
    .poll(
      () => world.database.query('SELECT 1 FROM deprecated_uses WHERE account_id = $1', [account.accountId]),
      {
        timeout: 20_000,
      },
    )
    .toHaveLength(1)
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/')
  await page.getByText('A program sends an API key in the parameter p.').waitFor()
  await page.getByRole('link', { name: 'See what to change' }).click()
  await page.getByText('A program of yours signs in the old way').waitFor()
  await page.getByText("-H 'X-Api-Key: <your key>'").waitFor()
  await page.getByText('parameter p (deprecated)').waitFor()
  await close()
})
