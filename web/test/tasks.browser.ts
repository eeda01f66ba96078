/** Everyday tasks take as many clicks as docs/dashboard.md says, from the overview. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries, type TestHook } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let orders: TestHook
let billing: TestHook
/** Its policy does not retry a 404, so its deliveries fail with the first attempt. */
let invoices: TestHook
let eventId: string

beforeAll(async () => {
  deliveries = await startDeliveries(({ url }, response) => {
    if (url.startsWith('/missing')) response.statusCode = 404
    if (url.startsWith('/broken')) response.statusCode = 500
    response.end(url.startsWith('/broken') ? 'the database is locked' : 'thank you')
  })
  client = await deliveries.createAccount()
  await client.post('/api/account', { country: 'DE' })
  orders = await client.createHook('/orders')
  billing = await client.createHook('/broken/billing')
  invoices = await client.createHook('/missing')
  for (const [hook, name] of [
    [orders, 'Orders'],
    [billing, 'Billing'],
    [invoices, 'Invoices'],
  ] as const)
    expect((await client.post(`/api/hooks/${hook.id}`, { name })).status).toBe(200)
  await client.post(`/api/hooks/${invoices.id}`, { retry_policy: 'original', request_method: 'POST' })
  eventId = await client.submitEventFor(billing, { sender: '491705550001' })
  await client.submitEventFor(invoices)
  await client.waitForState(invoices, 'failed', 1)
  await client.waitForState(billing, 'waiting', 1)
  // The page would show several failed attempts as a group, which takes another click.
  await deliveries.postponeRetries(billing)
})
afterAll(() => deliveries.close())

interface Hand {
  page: Page
  click: (target: Locator) => Promise<void>
  /** Opens a native list and picks an option. */
  choose: (list: Locator, label: string) => Promise<void>
}

async function search({ page, click }: Hand, text: string, option: string): Promise<void> {
  await click(page.getByRole('button', { name: 'Search' }))
  await page.getByRole('combobox').fill(text)
  await page.getByRole('dialog').getByRole('option', { name: option, selected: true }).waitFor()
  await page.keyboard.press('Enter')
}

const tasks: Record<string, (hand: Hand) => Promise<void>> = {
  'Find why a message did not arrive, by the number as people write it': async (hand) => {
    await search(hand, '0170 5550001', 'Inbound SMS')
    await hand.page.waitForURL(`**/events/${eventId}`)
    await hand.page.getByText('Check the logs of your server at this time').first().waitFor()
  },
  'Read request and response of the last failed attempt': async ({ page, click }) => {
    await click(page.getByRole('link', { name: 'Billing' }))
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    await click(attempts.getByRole('button', { name: /Responded 500/ }).first())
    await attempts.getByText('the database is locked').first().waitFor()
  },
  'Retry a failing webhook now': async ({ page, click }) => {
    await deliveries.ageFailedAttempts(billing)
    const before = deliveries.receiver.at(billing.path).length
    await click(page.getByRole('button', { name: 'Retry now: Billing' }))
    await deliveries.receiver.until(() => deliveries.receiver.at(billing.path).length > before)
  },
  'Replay the failures of the last 24 hours of a webhook': async (hand) => {
    const before = deliveries.receiver.at(invoices.path).length
    await search(hand, 'replay invoices', 'Replay failures of the last 24 hours: Invoices')
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Start replay' }))
    await deliveries.receiver.until(() => deliveries.receiver.at(invoices.path).length > before)
  },
  'Send a test event': async (hand) => {
    await search(hand, 'test orders', 'Send test event to Orders')
    const dialog = hand.page.getByRole('dialog', { name: /^Send test event/ })
    await hand.click(dialog.getByRole('button', { name: 'Send event' }))
    await dialog.getByText('Responded 200').first().waitFor()
  },
  'Rotate a signing secret': async (hand) => {
    await search(hand, 'rotate orders', 'Rotate secret of Orders')
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }))
    await hand.page.getByText('Secret rotated').waitFor()
  },
  'Undo a change of the endpoint': async ({ page, click }) => {
    await client.post(`/api/hooks/${billing.id}`, { target_url: deliveries.receiver.url('/broken/mistake') })
    await click(page.getByRole('link', { name: 'Billing' }))
    await click(page.getByRole('link', { name: 'History' }))
    await click(page.getByRole('button', { name: 'Restore this version' }).first())
    await click(page.getByRole('button', { name: 'Restore version' }))
    await page.getByText('Version restored').waitFor()
    expect((await client.get(`/api/hooks/${billing.id}`)).json.hook.target_url).toBe(billing.url)
  },
  'Watch the failures of one webhook live': async ({ page, click }) => {
    await click(page.getByRole('link', { name: 'Billing' }))
    await click(page.getByRole('link', { name: 'View pending events' }))
    await click(page.getByRole('switch', { name: 'Live' }))
    await page.getByText('Connected', { exact: true }).waitFor()
    const id = await client.submitEventFor(billing)
    await page.locator(`a[href="/events/${id}"]`).waitFor()
  },
  'Create a webhook for two event types': async ({ page, click, choose }) => {
    await page.keyboard.press('n')
    await page.getByLabel('Endpoint URL').fill(deliveries.receiver.url('/two-types'))
    await choose(page.getByLabel('Event type'), 'one of several events')
    await click(page.getByLabel('Inbound SMS', { exact: true }))
    await click(page.getByLabel('Delivery report', { exact: true }))
    await click(page.getByRole('button', { name: 'Create', exact: true }))
    await page.getByText(/two-types created/).waitFor()
  },
  'Export the failed events as CSV': async ({ page, click, choose }) => {
    await click(page.getByRole('link', { name: 'Events', exact: true }))
    await choose(page.getByLabel('State', { exact: true }), 'Failed')
    await click(page.getByRole('button', { name: 'Export…' }))
    const download = page.waitForEvent('download')
    await click(page.getByRole('button', { name: 'Export events' }))
    expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^\uFEFFid,/)
  },
  'Copy code that verifies signatures in Go': async ({ page, click }) => {
    await click(page.getByRole('link', { name: 'Guides' }))
    await click(page.getByRole('link', { name: /signatures/i }))
    await click(page.getByRole('tab', { name: 'Go' }).first())
    await page.getByText('hmac.Equal').first().waitFor()
  },
  'Disable a webhook': async (hand) => {
    await search(hand, 'disable orders', 'Disable Orders')
    await hand.page.getByText(/disabled, new events are held/).waitFor()
  },
}

/** Returns task and clicks now of each row. */
async function readTable(): Promise<Map<string, number>> {
  const text = await readFile(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (?<task>[^|]+?) +\|[^|]+\| +(?<now>\d+) +\|$/gm)]
  return new Map(rows.map(({ groups }) => [groups?.task ?? '', Number(groups?.now)]))
}

test('the documentation lists the tasks', async () => {
  expect([...(await readTable()).keys()]).toEqual(Object.keys(tasks))
})

test.each(Object.entries(tasks))('%s', async (task, run) => {
  await client.visit(desktop, async ({ page }) => {
    let clicks = 0
    await page.goto('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('table', { name: 'Issues' }).waitFor()
    await run({
      page,
      click: (target) => {
        clicks += 1
        return target.click()
      },
      choose: async (list, label) => {
        clicks += 2
        await list.selectOption({ label })
      },
    })
    expect(clicks).toBe((await readTable()).get(task))
  })
})
