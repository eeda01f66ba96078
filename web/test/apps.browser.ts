/** OAuth apps page: register, update and delete apps, and rotate their secrets. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../server/test/support/http-call.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import { startDashboardService, type TestService } from '../../server/test/support/test-service.ts'
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

const longUri = `https://app.example/${'callback/'.repeat(100)}`

/** Returns true if the token endpoint accepts the secret: it then rejects the code, not the client. */
async function isSecretValid(id: string, secret: string): Promise<boolean> {
  const { json } = await call(`${hookline.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    form: {
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: 'https://app.example/',
      code_verifier: 'v'.repeat(43),
    },
  })
  return json.error === 'invalid_grant'
}

test('app pages are accessible, empty and with an app', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/apps')
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Authorized apps' }).click()
  await page.getByRole('heading', { name: 'No authorized apps' }).waitFor()
  await expectAccessible(page)
  await page.goto('/apps?new=true')
  await page.getByRole('dialog', { name: 'Register app' }).waitFor()
  await expectAccessible(page)

  const user = await signIn(hookline.url, account)
  const { json } = await user.call('/api/apps', {
    method: 'POST',
    json: { name: 'Parcel Tracker', is_public: false, redirect_uris: [longUri] },
  })
  await page.goto('/apps')
  await page.getByRole('link', { name: 'Parcel Tracker' }).waitFor()
  await expectAccessible(page)
  await page.goto(`/apps/${json.app.id}`)
  await page.getByRole('heading', { name: 'Parcel Tracker' }).waitFor()
  await expectAccessible(page)
  await page.goto('/apps/hla_unknown')
  await page.getByRole('heading', { name: 'App not found' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('an app is registered, updated, gets a new secret and is deleted', async () => {
  const { page, problems, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/apps')
  await page.getByRole('button', { name: 'Register app' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Parcel Tracker')
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://app.example/callback')
  await page.getByRole('dialog').getByRole('button', { name: 'Register app' }).click()
  await page
    .locator('[aria-invalid="true"]')
    .and(page.getByRole('textbox', { name: 'Redirect URI 1' }))
    .waitFor()
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('https://app.example/callback')
  await page.getByRole('dialog').getByRole('button', { name: 'Register app' }).click()
  const dialog = page.getByRole('dialog', { name: '“Parcel Tracker” registered' })
  const secret = (await dialog.getByText(/^hls_\w+$/).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I saved the secret' }).click()
  await page.getByRole('heading', { name: 'Parcel Tracker' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await isSecretValid(id, secret)).toBe(true)
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Add URI' }).click()
  await page.getByRole('textbox', { name: 'Redirect URI 2' }).fill('https://staging.app.example/callback')
  await page.getByLabel('Name', { exact: true }).fill('Parcel Finder')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Parcel Finder' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Parcel Finder' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Redirect URI 2' }).inputValue()).toBe(
    'https://staging.app.example/callback',
  )

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  const rotated =
    (await page
      .getByRole('dialog')
      .getByText(/^hls_\w+$/)
      .textContent()) ?? ''
  expect(await isSecretValid(id, rotated)).toBe(true)
  expect(await isSecretValid(id, secret)).toBe(false)
  await page.getByRole('button', { name: 'I saved the secret' }).click()

  await page.getByRole('button', { name: 'Delete app' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete app' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type Parcel Finder to confirm').fill('Parcel Finder')
  await confirm.click()
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
  expect(await isSecretValid(id, rotated)).toBe(false)
  expect(problems).toEqual({ console: [rejected(400)], external: [] })
  await close()
})

test('the global search finds and opens an app', async () => {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  await user.call('/api/apps', {
    method: 'POST',
    json: { name: 'Night Watch', is_public: true, redirect_uris: ['https://app.example/'] },
  })
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('night')
  await page.getByRole('option', { name: /Night Watch/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Night Watch' }).waitFor()
  await close()
})
