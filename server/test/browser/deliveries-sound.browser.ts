/** Every page about deliveries is sound: full, with its dialogs, for somebody who begins, and for somebody new. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { desk, expectSound } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

const longPath = `/${'long/'.repeat(300)}`

let deliveries: Deliveries
/** With everything there is. */
let full: Owner
let steady: OwnHook
let broken: OwnHook
let tested: OwnHook
let odd: OwnHook
let held: OwnHook
let fullEvent: string
let replayId: number
/** With a webhook that got nothing yet and an event that nobody wanted. */
let beginner: Owner
let firstHook: OwnHook
let firstEvent: string
let newcomer: Owner

beforeAll(async () => {
  deliveries = await startDeliveries()
  newcomer = await deliveries.owner()
  beginner = await deliveries.owner()
  firstHook = await beginner.hook('/first')
  firstEvent = await beginner.eventFor({ number: '49300' })

  full = await deliveries.owner()
  const forAll = { event_filter: '' }
  steady = await full.hook('/steady', forAll)
  broken = await full.hook('/broken', forAll)
  tested = await full.hook('/broken/tested')
  odd = await full.hook(longPath, { event_filter: 'cel:data.text == "שלום 😀"', headers: 'X-Team: one' })
  held = await full.hook('/held', forAll)
  await full.post(`/api/hooks/${held.id}/disable`)
  for (const text of ['one', 'שלום 😀', 'x'.repeat(2_000)])
    fullEvent = await full.eventFor({ number: '49300' }, { text })
  await full.event('dlr', { msg_id: '1', status: 'FAILED', timestamp: '1', foreign_id: 'order '.repeat(40) })
  await full.until(steady, 'delivered', 3)
  await full.until(held, 'held', 3)
  const selection = { search: { hook_id: steady.id } }
  replayId = (await full.post('/api/replays', { selection })).json.replay.id
  await deliveries.receiver.until(() => deliveries.receiver.at('/broken').length >= 3)
})
afterAll(() => deliveries.close())

interface Sight {
  name: string
  path: () => string
  shows: () => string
  /** What is opened before it is looked at, and what is there then. */
  open?: { press: readonly string[]; shows: string }
}

const sights: Record<'full' | 'beginner' | 'newcomer', Sight[]> = {
  full: [
    { name: 'the overview', path: () => '/', shows: () => `Webhook ${held.id} is disabled` },
    { name: 'the webhooks', path: () => '/webhooks', shows: () => 'holds 3 events' },
    { name: 'a new webhook', path: () => '/webhooks/new', shows: () => 'POST https://example.com/webhook' },
    { name: 'a webhook', path: () => `/webhooks/${broken.id}`, shows: () => 'Your server answered 500' },
    { name: 'its form', path: () => `/webhooks/${odd.id}/edit`, shows: () => 'Would have matched' },
    { name: 'the events', path: () => '/events', shows: () => '4 events on this page' },
    { name: 'an event', path: () => `/events/${fullEvent}`, shows: () => 'What became of it' },
    { name: 'the replays', path: () => '/replays', shows: () => 'Done: 3 delivered' },
    { name: 'a replay', path: () => `/replays/${replayId}`, shows: () => 'Done: 3 delivered' },
    {
      name: 'a test and its answer',
      path: () => `/webhooks/${tested.id}`,
      shows: () => 'Recent attempts',
      open: { press: ['Send a test', 'Send the test'], shows: 'Your server answered 500' },
    },
    {
      name: 'enabling',
      path: () => `/webhooks/${held.id}`,
      shows: () => 'Recent attempts',
      open: { press: ['Enable'], shows: '3 events were held for it' },
    },
    {
      name: 'sending again',
      path: () => '/events?state=delivered',
      shows: () => '3 events on this page',
      open: { press: ['Replay all that fit…'], shows: '4 deliveries' },
    },
  ],
  beginner: [
    { name: 'a webhook', path: () => `/webhooks/${firstHook.id}`, shows: () => 'No attempt yet' },
    { name: 'its form', path: () => `/webhooks/${firstHook.id}/edit`, shows: () => 'Would have matched' },
    { name: 'an event', path: () => `/events/${firstEvent}`, shows: () => 'Not sent to' },
  ],
  newcomer: [
    { name: 'the overview', path: () => '/', shows: () => 'Your first webhook' },
    { name: 'the webhooks', path: () => '/webhooks', shows: () => 'No webhook yet' },
    { name: 'a new webhook', path: () => '/webhooks/new', shows: () => 'There are no events yet' },
    { name: 'the events', path: () => '/events', shows: () => 'No event yet' },
    { name: 'live', path: () => '/live', shows: () => 'Listening' },
    { name: 'the replays', path: () => '/replays', shows: () => 'Nothing was sent again yet' },
  ],
}

async function open(page: Page, { path, shows, open: more }: Sight): Promise<void> {
  await page.goto(path())
  await page.getByText(shows()).first().waitFor()
  for (const name of more?.press ?? []) await page.getByRole('button', { name, exact: true }).click()
  if (more !== undefined) await page.getByRole('dialog').getByText(more.shows).first().waitFor()
}

test.each(sights.full)('$name is sound, full', (sight) => expectSoundSight(full, sight))
test.each(sights.beginner)('$name is sound at the beginning', (sight) => expectSoundSight(beginner, sight))
test.each(sights.newcomer)('$name is sound, empty', (sight) => expectSoundSight(newcomer, sight))

async function expectSoundSight(owner: Owner, sight: Sight): Promise<void> {
  await owner.look(desk, async ({ page }) => {
    await open(page, sight)
    await expectSound(page)
  })
}

test('a live page with events on it is sound', async () => {
  await full.look(desk, async ({ page }) => {
    await page.goto('/live')
    await page.getByText('Connected', { exact: true }).waitFor()
    const id = await full.eventFor({ number: '49300' })
    await page.locator(`a[href="/events/${id}"]`).waitFor()
    await page.getByText(`${steady.id}Delivered`).waitFor()
    await expectSound(page)
  })
})
