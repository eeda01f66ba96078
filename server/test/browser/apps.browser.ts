/** Apps of one's own in the developer area: registered, changed, given a new secret, deleted. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../call.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestWorld } from '../service.ts'
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

const longAddress = `https://app.example/${'callback/'.repeat(100)}`

/** Whether the token endpoint knows the app by this secret: it then complains about the code, not about the app. */
async function isKnown(id: string, secret: string): Promise<boolean> {
  const { json } = await call(`${world.url}/oauth/token`, {
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

test('apps, with none and with many, are sound', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/apps')
  await page.getByRole('heading', { name: 'No app yet' }).waitFor()
  await expectSound(page)
  await page.getByRole('link', { name: 'With access' }).click()
  await page.getByRole('heading', { name: 'No app has access' }).waitFor()
  await expectSound(page)
  await page.goto('/apps?new=true')
  await page.getByRole('dialog', { name: 'New app' }).waitFor()
  await expectSound(page)

  const person = await signIn(world.url, account)
  const { json } = await person.call('/api/apps', {
    method: 'POST',
    json: { name: 'Parcel Tracker', is_public: false, redirect_uris: [longAddress] },
  })
  await page.goto('/apps')
  await page.getByRole('link', { name: 'Parcel Tracker' }).waitFor()
  await expectSound(page)
  await page.goto(`/apps/${json.app.id}`)
  await page.getByRole('heading', { name: 'Parcel Tracker' }).waitFor()
  await expectSound(page)
  await page.goto('/apps/hla_unknown')
  await page.getByRole('heading', { name: 'There is no such app' }).waitFor()
  await expectSound(page)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('an app is registered, changed, given a new secret and deleted', async () => {
  const { page, complaints, close } = await visitAs(browser, world, await world.account())
  await page.goto('/apps')
  await page.getByRole('button', { name: 'New app' }).click()
  await page.getByLabel('Name').fill('Parcel Tracker')
  await page.getByRole('textbox', { name: 'Redirect address 1' }).fill('http://app.example/callback')
  await page.getByRole('button', { name: 'Register the app' }).click()
  await page
    .locator('[aria-invalid="true"]')
    .and(page.getByRole('textbox', { name: 'Redirect address 1' }))
    .waitFor()
  await page.getByRole('textbox', { name: 'Redirect address 1' }).fill('https://app.example/callback')
  await page.getByRole('button', { name: 'Register the app' }).click()
  const shown = page.getByRole('dialog', { name: '“Parcel Tracker” is registered' })
  const secret = (await shown.getByText(/^hls_\w+$/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { name: 'Parcel Tracker' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await isKnown(id, secret)).toBe(true)
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Another address' }).click()
  await page.getByRole('textbox', { name: 'Redirect address 2' }).fill('https://staging.app.example/callback')
  await page.getByLabel('Name').fill('Parcel Finder')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Parcel Finder' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Parcel Finder' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Redirect address 2' }).inputValue()).toBe(
    'https://staging.app.example/callback',
  )

  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
  const another =
    (await page
      .getByRole('dialog')
      .getByText(/^hls_\w+$/)
      .textContent()) ?? ''
  expect(await isKnown(id, another)).toBe(true)
  expect(await isKnown(id, secret)).toBe(false)
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByRole('button', { name: 'Delete the app' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete the app' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type Parcel Finder to confirm').fill('Parcel Finder')
  await confirm.click()
  await page.getByRole('heading', { name: 'No app yet' }).waitFor()
  expect(await isKnown(id, another)).toBe(false)
  expect(complaints).toEqual({ console: [refused(400)], foreign: [] })
  await close()
})

test('the search finds an app and leads to it', async () => {
  const account = await world.account()
  const person = await signIn(world.url, account)
  await person.call('/api/apps', {
    method: 'POST',
    json: { name: 'Night Watch', is_public: true, redirect_uris: ['https://app.example/'] },
  })
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('night')
  await page.getByRole('option', { name: /Night Watch/ }).waitFor()
  await expectSound(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Night Watch' }).waitFor()
  await close()
})
