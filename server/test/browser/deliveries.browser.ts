/** Webhooks, events, live and replays in the developer area, over deliveries that really happened. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { signIn } from '../person.ts'
import { startWorld, type TestAccount, type TestWorld } from '../service.ts'
import { expectSound, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

const hostile = '<img src=x onerror="globalThis.taken = true">'
const longPath = `/${'long/'.repeat(300)}`
const sender = '491700000001'

let world: TestWorld
let gateway: Gateway
let browser: Browser
let receiver: Receiver
let account: TestAccount
/** Of webhooks that get their events, refuse them, want others, and hold them. */
let hooks: { steady: number; broken: number; unmatched: number; held: number }
let eventId: string

beforeAll(async () => {
  const port = await freePort()
  world = await startWorld({
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: 'true',
  })
  gateway = await createGateway(world)
  browser = await launchBrowser()
  receiver = await startReceiver((request, response) => {
    response.statusCode = request.url.startsWith('/broken') ? 500 : 200
    response.end(hostile)
  })
  account = await world.account()
  const person = await signIn(world.url, account)
  const create = async (path: string, more: object = {}): Promise<number> => {
    const values = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
    return (await person.call('/api/hooks', { method: 'POST', json: values })).json.id
  }
  hooks = {
    steady: await create('/steady'),
    broken: await create('/broken'),
    unmatched: await create(longPath, { event_filter: 'cel:data.text == "other"' }),
    held: await create('/held'),
  }
  await person.call(`/api/hooks/${hooks.held}/disable`, { method: 'POST', json: {} })
  for (const id of ['1', '2', '3']) eventId = await gateway.event(account.accountId, { id, text: hostile })
  await receiver.until(() => receiver.at('/steady').length === 3 && receiver.at('/broken').length >= 3)
})
afterAll(async () => {
  await browser.close()
  await world.close()
  await receiver.close()
})

test.each([
  { name: 'the overview', path: () => '/', shows: () => `Webhook ${hooks.held} is disabled` },
  { name: 'the webhooks', path: () => '/webhooks?sort=newest', shows: () => 'holds 3 events' },
  { name: 'a new webhook', path: () => '/webhooks/new', shows: () => 'POST https://example.com/webhook' },
  { name: 'a webhook', path: () => `/webhooks/${hooks.broken}`, shows: () => 'Your server answered 500' },
  { name: 'its form', path: () => `/webhooks/${hooks.unmatched}/edit`, shows: () => 'Would have matched' },
  { name: 'the events', path: () => '/events', shows: () => '3 events on this page' },
  { name: 'an event', path: () => `/events/${eventId}`, shows: () => 'What became of it' },
  { name: 'the replays', path: () => '/replays', shows: () => 'Nothing was sent again yet' },
])('$name is sound', async ({ path, shows }) => {
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto(path())
  await page.getByText(shows()).first().waitFor()
  await expectSound(page)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('what a receiver answered is shown as text, whatever it is', async () => {
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto(`/webhooks/${hooks.steady}`)
  await page
    .getByRole('button', { name: /Attempt 1/ })
    .first()
    .click()
  await page.getByText(hostile).first().waitFor()
  expect(await page.evaluate('globalThis.taken')).toBeUndefined()
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('an event says why each webhook got it or did not', async () => {
  const { page, close } = await visitAs(browser, world, account)
  await page.goto(`/events/${eventId}`)
  const way = page.getByRole('list', { name: 'What became of it' })
  await way.getByText('4 webhooks considered').waitFor()
  for (const words of ['delivered to 1', 'waiting for 1', 'held for 1', 'not wanted by 1'])
    await way.getByText(words).waitFor()
  const unwanted = page.getByRole('region', { name: 'Not sent to' })
  await unwanted.getByText('data.text == "other"').first().waitFor()
  await close()
})

test('numbers and texts are masked until somebody asks, and that is recorded', async () => {
  const { page, close } = await visitAs(browser, world, account)
  await page.goto(`/events/${eventId}`)
  await page.getByText('4917••••••01').first().waitFor()
  expect(await page.getByText(sender).count()).toBe(0)
  await page.getByRole('button', { name: 'Reveal…' }).click()
  await page.getByRole('button', { name: 'Reveal', exact: true }).click()
  await page.getByText(sender).first().waitFor()
  await page.goto('/account/audit')
  await page.getByText('looked at the numbers and texts').waitFor()
  await close()
})

test('a webhook made by the form gets a test, and what its receiver answered is shown', async () => {
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/webhooks/new')
  await page.getByLabel('Address').fill('no address')
  await page.getByText('Invalid URL').waitFor()
  await page.getByLabel('Address').fill(receiver.url('/made'))
  await page.getByText(`POST ${receiver.url('/made')}`).waitFor()
  await page.getByRole('button', { name: 'Create and send a test' }).click()
  await page.getByRole('button', { name: 'Send the test' }).click()
  await page.getByRole('dialog').getByText('Your server answered 200').first().waitFor()
  expect(receiver.at('/made')).toHaveLength(1)
  expect(receiver.at('/made')[0]?.headers['x-hookline-test']).toBe('1')
  await close()
})

test('selected events are sent again after it is said how many', async () => {
  const { page, close } = await visitAs(browser, world, account)
  const before = receiver.at('/steady').length
  await page.goto(`/events?hook_id=${hooks.steady}&state=delivered`)
  await page.getByRole('button', { name: /Select all/ }).click()
  await page.getByRole('button', { name: 'Replay…', exact: true }).click()
  await page.getByRole('dialog').getByText('3 deliveries').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Done: 3 delivered').waitFor({ timeout: 60_000 })
  expect(receiver.at('/steady')).toHaveLength(before + 3)
  await close()
})

test('an event stands on the live page as it happens', async () => {
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/live')
  await page.getByText('Connected').waitFor()
  const id = await gateway.event(account.accountId, { id: '77' })
  await page.locator(`a[href="/events/${id}"]`).waitFor()
  await page.getByText(`${hooks.steady}Delivered`).first().waitFor()
  await close()
})

test('a message id and the id of a webhook lead straight to them', async () => {
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  for (const { text, url } of [
    { text: eventId, url: `/events/${eventId}` },
    { text: String(hooks.broken), url: `/webhooks/${hooks.broken}` },
  ]) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Search/ }).fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${url}`)
  }
  await close()
})
