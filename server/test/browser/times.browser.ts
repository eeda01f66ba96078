/** Times as the reader's own clock shows them, wherever the reader is; days of figures as they were counted. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { desk } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries
let owner: Owner
let broken: OwnHook
let eventId: string

const lookedFor = 'Call me at 12:05:00 UTC, it is 12,345'

beforeAll(async () => {
  deliveries = await startDeliveries()
  owner = await deliveries.owner()
  broken = await owner.hook('/broken/away')
  await owner.hook('/other', { event_filter: `cel:data.text == "${lookedFor}"` })
  eventId = await owner.eventFor(broken)
  await vi.waitFor(async () => expect(await health()).toMatchObject({ state: 'failing' }), 30_000)
  // Nothing more happens while somebody looks.
  await deliveries.world.database.query(
    `UPDATE work SET due_at = now() + interval '2 hours' WHERE hook_id = $1`,
    [broken.id],
  )
})
afterAll(() => deliveries.close())

async function health() {
  return (await owner.get(`/api/hooks/${broken.id}`)).json.health
}

/** The pages in a browser of another time zone. */
async function lookFrom(timezoneId: string, what: (page: Page) => Promise<void>): Promise<void> {
  await owner.look(desk, async ({ context }) => {
    const away = await context.browser()?.newContext({
      baseURL: deliveries.world.url,
      storageState: await context.storageState(),
      viewport: desk,
      timezoneId,
    })
    if (away === undefined) throw new Error('the browser is gone')
    try {
      await what(await away.newPage())
    } finally {
      await away.close()
    }
  })
}

/** To the second, as sentences have them. */
function second(time: string): string {
  return time.slice(0, 19)
}

/** What is meant and what is written. */
async function timeIn(words: Locator): Promise<{ meant: string; written: string }> {
  const time = words.locator('time')
  return {
    meant: second((await time.getAttribute('datetime')) ?? ''),
    written: (await time.textContent()) ?? '',
  }
}

function failing(page: Page): Locator {
  return page.getByText(/Every attempt since .+ has failed/).first()
}

async function failsSince(moment: string): Promise<string> {
  await deliveries.world.database.query(
    `UPDATE hook_failures SET failing_since = ${moment} WHERE hook_id = $1`,
    [broken.id],
  )
  return (await health()).failing_since
}

// Both without a summer time, so that what is awaited can be written down.
const east = 'Asia/Tokyo'
const west = 'America/Phoenix'

test.each([
  { zone: east, written: /^(\d+ \w+, )?09:00:05$/ },
  { zone: west, written: /^(\d+ \w+, )?17:00:05$/ },
])('a time of today in a sentence is told in $zone by its clock', async ({ zone, written }) => {
  const since = await failsSince(`date_trunc('day', now(), 'UTC') + interval '5 seconds'`)
  await lookFrom(zone, async (page) => {
    await page.goto(`/webhooks/${broken.id}`)
    expect(await timeIn(failing(page))).toEqual({
      meant: second(since),
      written: expect.stringMatching(written),
    })
    await page.goto('/')
    expect(await timeIn(failing(page))).toEqual({
      meant: second(since),
      written: expect.stringMatching(written),
    })
    expect(await page.getByRole('main').getByText('UTC').count()).toBe(0)
  })
})

test('a time of another day has its day, that of the reader', async () => {
  // In the west it is still the day before.
  const since = await failsSince(`date_trunc('day', now(), 'UTC') - interval '2 days' + interval '5 seconds'`)
  const dayBefore = new Date(Date.parse(since) - 86_400_000).getUTCDate()
  await lookFrom(west, async (page) => {
    await page.goto(`/webhooks/${broken.id}`)
    expect(await timeIn(failing(page))).toEqual({
      meant: second(since),
      written: expect.stringMatching(new RegExp(`^${dayBefore} \\w+, 17:00:05$`)),
    })
  })
})

test('when an event is tried again is told by the clock of the reader; what people wrote is left alone', async () => {
  const { hooks } = (await owner.get(`/api/events/${eventId}`)).json
  const next = hooks[0].deliveries[0].next_attempt_at
  await lookFrom(east, async (page) => {
    await page.goto(`/events/${eventId}`)
    const sentence = page.getByText(/We try again at .+ \(attempt 2 of 12\)/)
    const inTokyo = new Date(Date.parse(next) + 9 * 3_600_000).toISOString().slice(11, 19)
    expect(await timeIn(sentence)).toEqual({
      meant: second(next),
      written: expect.stringMatching(new RegExp(`^(\\d+ \\w+, )?${inTokyo}$`)),
    })
    await page.getByText(`Its filter needs data.text == "${lookedFor}"`).waitFor()
  })
})

test('what a replay sends again is told by the clock of the reader, its numbers as all others', async () => {
  const { replay } = (
    await owner.post('/api/replays', {
      selection: { search: { state: 'failed', from: '2026-01-15T10:31:16Z' } },
      most_per_second: 50,
    })
  ).json
  const state = async () => (await owner.get(`/api/replays/${replay.id}`)).json.replay.state
  await expect.poll(state, { timeout: 30_000 }).toBe('done')
  await deliveries.world.database.query('UPDATE replays SET delivered = 1234567 WHERE id = $1', [replay.id])
  await lookFrom(east, async (page) => {
    for (const path of [`/replays/${replay.id}`, '/replays']) {
      await page.goto(path)
      await page.getByText(/All deliveries of a search: failed, from 15 Jan, 19:31:16 on, before /).waitFor()
      await page.getByText('Done: 1\u202f234\u202f567 delivered, 0 failed.').waitFor()
    }
  })
})

test('days of figures have the name of the day that was counted, west of Greenwich too', async () => {
  const { buckets } = (await owner.get(`/api/hooks/${broken.id}/stats?range=30d`)).json
  const days = buckets.map(({ start }: { start: string }) => Number(start.slice(8, 10)))
  await lookFrom(west, async (page) => {
    await page.goto(`/webhooks/${broken.id}?range=30d`)
    const chart = page.getByRole('figure')
    const table = chart.getByRole('table', { name: 'The last 30 days, by the day (UTC)' })
    await table.getByRole('rowheader').first().waitFor()
    const heard = await table.getByRole('rowheader').allTextContents()
    expect(heard.map((name) => Number(/\d+/.exec(name)?.[0]))).toEqual(days)
    const tick = chart.locator('.recharts-xAxis-tick-labels text').first()
    expect(Number.parseInt((await tick.textContent()) ?? '', 10)).toBe(days[0])
  })
})
