/** Accessibility of the delivery pages: with data, with open dialogs, with little data, and empty. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { desktop, expectAccessible } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

const longPath = `/${'long/'.repeat(300)}`

let deliveries: Deliveries
/** Account with data for every page. */
let full: AccountClient
let steady: TestHook
let broken: TestHook
let tested: TestHook
let odd: TestHook
let held: TestHook
let fullEvent: string
let replayId: number
/** Account with an unused webhook and an unmatched event. */
let beginner: AccountClient
let firstHook: TestHook
let firstEvent: string
let newcomer: AccountClient

beforeAll(async () => {
  deliveries = await startDeliveries()
  newcomer = await deliveries.createAccount()
  beginner = await deliveries.createAccount()
  firstHook = await beginner.createHook('/first')
  firstEvent = await beginner.submitEventFor({ number: '49300' })

  full = await deliveries.createAccount()
  const forAll = { event_filter: '' }
  steady = await full.createHook('/steady', forAll)
  broken = await full.createHook('/broken', forAll)
  tested = await full.createHook('/broken/tested')
  odd = await full.createHook(longPath, {
    event_filter: 'cel:data.text == "שלום 😀"',
    headers: 'X-Team: one',
  })
  held = await full.createHook('/held', forAll)
  await full.post(`/api/hooks/${held.id}/disable`)
  for (const text of ['one', 'שלום 😀', 'x'.repeat(2_000)])
    fullEvent = await full.submitEventFor({ number: '49300' }, { text })
  await full.submitEvent('dlr', {
    msg_id: '1',
    status: 'FAILED',
    timestamp: '1',
    foreign_id: 'order '.repeat(40),
  })
  await full.waitForState(steady, 'delivered', 3)
  await full.waitForState(held, 'held', 3)
  const selection = { search: { hook_id: steady.id } }
  replayId = (await full.post('/api/replays', { selection })).json.replay.id
  await deliveries.receiver.until(() => deliveries.receiver.at('/broken').length >= 3)
})
afterAll(() => deliveries.close())

interface PageCase {
  name: string
  path: () => string
  shows: () => string
  /** Buttons to press before the check, and the text that the dialog then shows. */
  open?: { press: readonly string[]; shows: string }
}

const pages: Record<'full' | 'beginner' | 'newcomer', PageCase[]> = {
  full: [
    { name: 'the overview', path: () => '/', shows: () => 'You disabled this webhook.' },
    { name: 'the webhooks', path: () => '/webhooks', shows: () => '3 events on hold' },
    { name: 'a new webhook', path: () => '/webhooks/new', shows: () => 'POST https://example.com/webhook' },
    { name: 'a webhook', path: () => `/webhooks/${broken.id}`, shows: () => 'Responded 500' },
    { name: 'its form', path: () => `/webhooks/${odd.id}/edit`, shows: () => 'of your last' },
    { name: 'its events', path: () => `/webhooks/${broken.id}?tab=events`, shows: () => 'View all events' },
    { name: 'its signing', path: () => `/webhooks/${broken.id}?tab=signing`, shows: () => 'Reveal secret' },
    {
      name: 'its history',
      path: () => `/webhooks/${held.id}?tab=history`,
      shows: () => 'disabled the webhook',
    },
    { name: 'the events', path: () => '/events', shows: () => '4 events on this page' },
    { name: 'an event', path: () => `/events/${fullEvent}`, shows: () => 'webhooks checked' },
    { name: 'the replays', path: () => '/replays', shows: () => 'Done: 3 delivered' },
    { name: 'a replay', path: () => `/replays/${replayId}`, shows: () => 'Done: 3 delivered' },
    {
      name: 'a test event and its response',
      path: () => `/webhooks/${tested.id}`,
      shows: () => 'Recent attempts',
      open: { press: ['Send test event', 'Send event'], shows: 'Responded 500' },
    },
    {
      name: 'the enable dialog',
      path: () => `/webhooks/${held.id}`,
      shows: () => 'Recent attempts',
      open: { press: ['Enable'], shows: '3 events on hold' },
    },
    {
      name: 'the replay dialog',
      path: () => '/events?state=delivered',
      shows: () => '3 events on this page',
      open: { press: ['Replay all results…'], shows: '4 deliveries' },
    },
  ],
  beginner: [
    { name: 'a webhook', path: () => `/webhooks/${firstHook.id}`, shows: () => 'No attempts yet' },
    { name: 'its form', path: () => `/webhooks/${firstHook.id}/edit`, shows: () => 'of your last' },
    { name: 'an event', path: () => `/events/${firstEvent}`, shows: () => 'Not delivered to' },
  ],
  newcomer: [
    { name: 'the overview', path: () => '/', shows: () => 'Your first webhook' },
    { name: 'the webhooks', path: () => '/webhooks', shows: () => 'No webhooks yet' },
    { name: 'the test receiver', path: () => '/webhooks/test-receiver', shows: () => 'No requests yet' },
    { name: 'a new webhook', path: () => '/webhooks/new', shows: () => 'No events to test yet' },
    { name: 'the events', path: () => '/events', shows: () => 'No events yet' },
    { name: 'live', path: () => '/events?live=true', shows: () => 'Waiting for events' },
    { name: 'the replays', path: () => '/replays', shows: () => 'No replays yet' },
    { name: 'the guides', path: () => '/guides', shows: () => 'Every call of the API' },
    { name: 'the signature guide', path: () => '/guides/signatures', shows: () => 'timingSafeEqual' },
    { name: 'the filter guide', path: () => '/guides/filters', shows: () => 'A test evaluates each' },
  ],
}

async function open(page: Page, { path, shows, open: more }: PageCase): Promise<void> {
  await page.goto(path())
  await page.getByText(shows()).first().waitFor()
  for (const name of more?.press ?? []) await page.getByRole('button', { name, exact: true }).click()
  if (more !== undefined) await page.getByRole('dialog').getByText(more.shows).first().waitFor()
}

test.each(pages.full)('$name with data is accessible', (page) => expectAccessiblePage(full, page))
test.each(pages.beginner)('$name with little data is accessible', (page) =>
  expectAccessiblePage(beginner, page),
)
test.each(pages.newcomer)('$name without data is accessible', (page) => expectAccessiblePage(newcomer, page))

async function expectAccessiblePage(client: AccountClient, pageCase: PageCase): Promise<void> {
  await client.visit(desktop, async ({ page }) => {
    await open(page, pageCase)
    await expectAccessible(page)
  })
}

test('the live page with events is accessible', async () => {
  await full.visit(desktop, async ({ page }) => {
    await page.goto('/events?live=true')
    await page.getByText('Connected', { exact: true }).waitFor()
    const id = await full.submitEventFor({ number: '49300' })
    await page.locator(`a[href="/events/${id}"]`).waitFor()
    await page
      .getByRole('row')
      .filter({ has: page.locator(`a[href="/events/${id}"]`) })
      .getByText('Held', { exact: true })
      .waitFor()
    await expectAccessible(page)
  })
})
