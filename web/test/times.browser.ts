/** Times appear in the time zone of the browser. Daily stats keep their UTC day. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let broken: TestHook
let eventId: string

const filterText = 'Call me at 12:05:00 UTC, it is 12,345'

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  broken = await client.createHook('/broken/away')
  await client.createHook('/other', { event_filter: `cel:data.text == "${filterText}"` })
  eventId = await client.submitEventFor(broken)
  await vi.waitFor(async () => expect(await health()).toMatchObject({ state: 'failing' }), 30_000)
  // No further attempt runs during the tests.
  await deliveries.hookline.database.query(
    `UPDATE work SET due_at = now() + interval '2 hours' WHERE hook_id = $1`,
    [broken.id],
  )
})
afterAll(() => deliveries.close())

async function health() {
  return (await client.get(`/api/hooks/${broken.id}`)).json.health
}

/** Opens the pages in a browser with another time zone. */
async function visitFrom(timezoneId: string, run: (page: Page) => Promise<void>): Promise<void> {
  await client.visit(desktop, async ({ context }) => {
    const away = await context.browser()?.newContext({
      baseURL: deliveries.hookline.url,
      storageState: await context.storageState(),
      viewport: desktop,
      timezoneId,
    })
    if (away === undefined) throw new Error('browser closed')
    try {
      await run(await away.newPage())
    } finally {
      await away.close()
    }
  })
}

/** Returns the text of the notice about failing attempts. */
async function failing(page: Page): Promise<string | null> {
  return page
    .getByText(/All attempts since .+ failed/)
    .first()
    .textContent()
}

async function failsSince(moment: string): Promise<string> {
  await deliveries.hookline.database.query(
    `UPDATE hook_failures SET failing_since = ${moment} WHERE hook_id = $1`,
    [broken.id],
  )
  return (await health()).failing_since
}

// Zones without daylight saving time, so the expected values are constant.
const east = 'Asia/Tokyo'
const west = 'America/Phoenix'

test.each([
  { zone: east, minute: '09:00' },
  { zone: west, minute: '17:00' },
])('a time of today in a message appears in local time in $zone', async ({ zone, minute }) => {
  const since = await failsSince(`date_trunc('day', now(), 'UTC') + interval '5 seconds'`)
  await visitFrom(zone, async (page) => {
    await page.goto(`/webhooks/${broken.id}`)
    expect(await failing(page)).toMatch(new RegExp(`since (\\d+ \\w+, )?${minute}:05 failed`))
    await page.goto('/')
    const alert = page.getByRole('table', { name: 'Issues' }).locator('time').first()
    expect(await alert.textContent()).toMatch(new RegExp(`^(\\d+ \\w+, )?${minute}$`))
    expect(await alert.getAttribute('datetime')).toBe(since)
    expect(await page.getByRole('main').getByText('UTC').count()).toBe(0)
  })
})

test('a time of another day includes the local date', async () => {
  // Still the previous day in the west.
  const since = await failsSince(`date_trunc('day', now(), 'UTC') - interval '2 days' + interval '5 seconds'`)
  const dayBefore = new Date(Date.parse(since) - 86_400_000).getUTCDate()
  await visitFrom(west, async (page) => {
    await page.goto(`/webhooks/${broken.id}`)
    expect(await failing(page)).toMatch(new RegExp(`since ${dayBefore} \\w+, 17:00:05 failed`))
  })
})

test('the next attempt appears in local time, and user text is not converted', async () => {
  const { hooks } = (await client.get(`/api/events/${eventId}`)).json
  const next = hooks[0].deliveries[0].next_attempt_at
  await visitFrom(east, async (page) => {
    await page.goto(`/events/${eventId}`)
    const inTokyo = new Date(Date.parse(next) + 9 * 3_600_000).toISOString().slice(11, 19)
    await page.getByText(new RegExp(`Next attempt at (\\d+ \\w+, )?${inTokyo} \\(2 of 12\\)`)).waitFor()
    await page.getByText(`The filter requires data.text == "${filterText}"`).waitFor()
  })
})

test('the selection of a replay appears in local time, with formatted numbers', async () => {
  const { replay } = (
    await client.post('/api/replays', {
      selection: { search: { state: 'failed', from: '2026-01-15T10:31:16Z' } },
      max_per_second: 50,
    })
  ).json
  const state = async () => (await client.get(`/api/replays/${replay.id}`)).json.replay.state
  await expect.poll(state, { timeout: 30_000 }).toBe('done')
  await deliveries.hookline.database.query(
    'UPDATE replays SET started = 1234567, delivered = 1234567 WHERE id = $1',
    [replay.id],
  )
  await visitFrom(east, async (page) => {
    for (const path of [`/replays/${replay.id}`, '/replays']) {
      await page.goto(path)
      await page.getByText(/All results of a search: failed, from 15 Jan 2026, 19:31, before /).waitFor()
      await page.getByText('Done: 1,234,567 delivered, 0 failed.').waitFor()
    }
  })
})

test('daily stats keep their UTC day in western time zones', async () => {
  const { buckets } = (await client.get(`/api/hooks/${broken.id}/stats?range=30d`)).json
  const days = buckets.map(({ start }: { start: string }) => Number(start.slice(8, 10)))
  await visitFrom(west, async (page) => {
    await page.goto(`/webhooks/${broken.id}?range=30d`)
    const chart = page.getByRole('figure')
    const table = chart.getByRole('table', { name: 'Last 30 days, daily (UTC)' })
    await table.getByRole('rowheader').first().waitFor()
    const headers = await table.getByRole('rowheader').allTextContents()
    expect(headers.map((name) => Number(/\d+/.exec(name)?.[0]))).toEqual(days)
    const tick = chart.locator('[data-drawing] + div [data-label]').first()
    expect(Number.parseInt((await tick.textContent()) ?? '', 10)).toBe(days[0])
  })
})
