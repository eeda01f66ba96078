/** Letting an app in: a real app of somebody else's, a person's browser, and the page between them. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientApp, startClientApp } from '../client-app.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from '../service.ts'
import { expectSound, fillSignIn, refused, visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

let world: TestWorld
let browser: Browser
let publisher: TestAccount
let app: ClientApp

beforeAll(async () => {
  world = await startAreaWorld()
  browser = await launchBrowser()
  publisher = await world.account()
  app = await startClientApp('hooks:read')
  const person = await signIn(world.url, publisher)
  const { json } = await person.call('/api/apps', {
    method: 'POST',
    json: { name: 'Parcel Tracker', is_public: true, redirect_uris: [app.redirectUri] },
  })
  await app.use({ issuer: `${world.url}/oauth`, api: world.url, clientId: json.app.id, secret: json.secret })
})
afterAll(async () => {
  await app.close()
  await browser.close()
  await world.close()
})

async function connect(page: Page): Promise<void> {
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Connect with Hookline' }).click()
}

test('what is asked is said, signed in and not, and when it is over', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visit(browser, world)
  await connect(page)
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await expectSound(page)
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'An app asks for access' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  for (const said of [
    'Parcel Tracker',
    publisher.alias,
    'See webhooks',
    new URL(app.url).host,
    '90 days',
    account.alias,
  ])
    await page.getByText(said).first().waitFor()
  await expectSound(page)
  await page.goto('/connect/unknown')
  await page.getByRole('heading', { name: 'This request is over' }).waitFor()
  await expectSound(page)
  expect(complaints.console).toEqual([refused(404)])
  await close()
})

test('an app that was let in works, stands under the apps with access, and is out when it is taken back', async () => {
  const account = await world.account()
  const { page, close } = await visitAs(browser, world, account)
  await connect(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  await page.getByText('0 webhooks').waitFor()
  expect((await app.callApi()).status).toBe(200)

  await page.goto(`${world.url}/apps?tab=access`)
  await page.getByText('Parcel Tracker').waitFor()
  await page.getByText('See webhooks').waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'Revoke the access of Parcel Tracker' }).click()
  await page.getByRole('button', { name: 'Revoke the access', exact: true }).click()
  await page.getByRole('heading', { name: 'No app has access' }).waitFor()
  expect((await app.callApi()).status).toBe(401)
  await page.goto(`${world.url}/account/audit?about=apps`)
  await page.getByText('took the access of the app').waitFor()
  await close()
})

test.each(['before', 'after'])(
  'who says no %s signing in goes back to the app, which gets nothing',
  async (when) => {
    const { page, close } =
      when === 'before' ? await visit(browser, world) : await visitAs(browser, world, await world.account())
    await connect(page)
    await page.getByRole('button', { name: /^Deny/ }).click()
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
    await page.getByText('access_denied').waitFor()
    await close()
  },
)

test('a request that was made in another browser cannot be answered', async () => {
  const there = await visit(browser, world)
  await connect(there.page)
  await there.page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  const here = await visitAs(browser, world, await world.account())
  await here.page.goto(there.page.url())
  await here.page.getByRole('heading', { name: 'This request is over' }).waitFor()
  await here.close()
  await there.close()
})

test('a session that ended while the person was reading is asked for again, and nothing is granted by it', async () => {
  const account = await world.account()
  const { page, close } = await visitAs(browser, world, account)
  await connect(page)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await world.database.query('DELETE FROM sessions WHERE login_id = $1', [account.loginId])
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  await close()
})
