/** Replays from the dashboard: one delivery, a selection or all search results; progress, pause and cancel. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundSms } from '../../server/test/support/gateway.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let hook: TestHook
let other: TestHook
let events: string[]

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  hook = await client.createHook('/again')
  // Matches the same events, and must not receive replays of the other webhook.
  other = await client.createHook('/other', { event_filter: hook.number })
  events = await delivered(hook, 3)
  await client.waitForState(other, 'delivered', 3)
})
afterAll(() => deliveries.close())

/** Submits events and waits until they are delivered. */
async function delivered(to: TestHook, count: number): Promise<string[]> {
  const submitted = Array.from({ length: count }, () =>
    inboundSms(client.account.accountId, { system: to.number }),
  )
  const { accepted } = await deliveries.gateway.submitEvents(...submitted)
  await client.waitForState(to, 'delivered', count)
  return accepted
}

/** Creates a GET webhook that fails on long texts, and one that accepts the same events. */
async function hookThatFails(path: string): Promise<{ mended: TestHook; steady: TestHook }> {
  const mended = await client.createHook(path, { request_method: 'GET' })
  return { mended, steady: await client.createHook(`${path}-steady`, { event_filter: mended.number }) }
}

/** Submits events with long texts, which fail immediately as a GET query. */
async function failed(to: TestHook, count: number): Promise<string[]> {
  const submitted: string[] = []
  for (let index = 0; index < count; index++)
    submitted.push(await client.submitEventFor(to, { text: 'long '.repeat(2_000) }))
  await client.waitForState(to, 'failed', count)
  return submitted
}

/** Returns the events that a webhook received as replays. */
function replayedTo({ path }: TestHook): string[] {
  return deliveries.receiver
    .at(path)
    .filter(({ headers }) => headers['x-hookline-replay'] === '1')
    .map(({ headers }) => String(headers['webhook-id']))
}

/** Starts the replay once the dialog shows its count. Returns the replay ID. */
async function startReplay(page: Page, count: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Start replay' })
  await dialog.getByText(count, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Start replay' }).click()
  await page.waitForURL(/\/replays\/\d+$/)
  return page.url().split('/').at(-1) ?? ''
}

test('a replay of one delivery, a selection or all search results sends exactly those', async () => {
  const [first = '', second = '', third = ''] = events
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/replays')
    await page.getByText('No replays yet').waitFor()

    await page.goto(`/events/${first}`)
    const panel = page.getByRole('region', { name: hook.endpoint, exact: true })
    await panel.getByRole('button', { name: 'Replay…' }).click()
    const one = await startReplay(page, '1 delivery')
    await page.getByText('Done: 1 delivered, 0 failed.').first().waitFor()
    expect(replayedTo(hook)).toEqual([first])
    await page.goto(`/events/${first}`)
    await panel.getByRole('group', { name: 'Round 2' }).getByText('Replay 1').waitFor()

    await page.goto(`/events?hook_id=${hook.id}`)
    for (const id of [second, third]) await page.getByLabel(`Select event ${id}`).check()
    await page.getByText('2 events selected').waitFor()
    await page.getByRole('button', { name: 'Replay…', exact: true }).click()
    const some = await startReplay(page, '2 deliveries')
    await page.getByText('Done: 2 delivered, 0 failed.').first().waitFor()
    expect(replayedTo(hook).toSorted()).toEqual(events.toSorted())
    expect(replayedTo(other)).toEqual([])

    await page.goto(`/events?hook_id=${other.id}&state=delivered`)
    await page.getByRole('button', { name: 'Replay all results…' }).click()
    const all = await startReplay(page, '3 deliveries')
    await page.getByText('Done: 3 delivered, 0 failed.').first().waitFor()
    expect(replayedTo(other).toSorted()).toEqual(events.toSorted())

    await page.getByRole('link', { name: '← All replays' }).click()
    const table = page.getByRole('table', { name: 'Replays' })
    for (const { id, progress } of [
      { id: one, progress: '1 of 1 (100%)' },
      { id: some, progress: '2 of 2 (100%)' },
      { id: all, progress: '3 of 3 (100%)' },
    ]) {
      const row = table.getByRole('row').filter({ has: page.locator(`a[href="/replays/${id}"]`) })
      for (const text of [progress, 'Done']) await row.getByText(text, { exact: true }).waitFor()
    }
  })
})

test('a failed delivery that succeeds in a replay counts as delivered on every page', async () => {
  const path = '/mended'
  const { mended, steady } = await hookThatFails(path)
  const [event = ''] = await failed(mended, 1)
  await client.waitForState(steady, 'delivered', 1)
  await client.post(`/api/hooks/${mended.id}`, { request_method: 'JSON' })
  await client.visit(desktop, async ({ page }) => {
    const link = page.locator(`td[data-kind=main] a[href="/events/${event}"]`)
    const chips = async () =>
      (await page.getByText(new RegExp(`${path}(-steady)?(Failed|Delivered)$`)).allTextContents())
        .map((text) => text.slice(text.indexOf(path)))
        .toSorted()
    await page.goto('/events?reason=address_too_long')
    // Caches the list and the event before they change.
    await link.click()
    await page.getByRole('group', { name: 'Delivery' }).getByText('Failed', { exact: true }).waitFor()
    await page.goBack()
    await page.getByLabel(`Select event ${event}`).check()
    await page.getByRole('button', { name: 'Replay…', exact: true }).click()
    // Not to the other webhook, which already received the event.
    const id = await startReplay(page, '1 delivery')
    await page.getByText('Done: 1 delivered, 0 failed.').waitFor()
    expect(await page.getByRole('region', { name: 'Active replay' }).count()).toBe(0)
    expect(replayedTo(mended)).toEqual([event])
    expect(replayedTo(steady)).toEqual([])

    await page.getByRole('link', { name: 'View event', exact: true }).click()
    const round = page
      .getByRole('region', { name: mended.endpoint, exact: true })
      .getByRole('group', { name: 'Round 2' })
    await round.getByText('Delivered', { exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL(`**/replays/${id}`)
    await page.goBack()
    await page.getByText('No matching events').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Webhook', { exact: true }).selectOption(String(mended.id))
    await page.getByText('1 event on this page').waitFor()
    expect(await chips()).toEqual([`${path}-steadyDelivered`, `${path}Delivered`])
  })
})

test('failed and skipped deliveries of a replay show a reason and a link', async () => {
  const { mended: failing } = await hookThatFails('/failing')
  const [first = '', second = ''] = await failed(failing, 2)
  const replay = async (...ids: string[]): Promise<number> => {
    const named = ids.map((event_id) => ({ event_id, hook_id: failing.id }))
    return (await client.post('/api/replays', { selection: { deliveries: named } })).json.replay.id
  }
  await client.visit(desktop, async ({ page }) => {
    const counts = page.getByRole('list', { name: 'Replay counts' })
    await page.goto(`/replays/${await replay(first)}`)
    await page.getByText('Done: 0 delivered, 1 failed.').waitFor()
    await counts.getByRole('link', { name: /^Failed/ }).click()
    await page.waitForURL(`**/events/${first}`)

    await page.goto(`/replays/${await replay(first, second)}`)
    await page.getByText('Done: 0 delivered, 2 failed.').waitFor()
    await counts.getByRole('link', { name: /^Failed/ }).click()
    await page.getByText('2 events on this page').waitFor()
    expect(new URL(page.url()).search).toBe(`?state=failed&hook_id=${failing.id}`)

    await page.goto(`/replays/${await replay(first, second)}`)
    await page.getByText('2 failed: URL too long').waitFor()
  })
})

test.each(screens)(
  'a replay to a disabled webhook says before and after that nothing is sent, on $name',
  async ({ name, viewport }) => {
    const disabled = await client.createHook(`/disabled-${name}`)
    const ids = await delivered(disabled, 2)
    await client.post(`/api/hooks/${disabled.id}/disable`)
    await client.visit(viewport, async ({ page }) => {
      await page.goto(`/events?hook_id=${disabled.id}`)
      await page.getByRole('button', { name: 'Replay all results…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Start replay' })
      await dialog.getByText('Nothing to replay').waitFor()
      await dialog.getByText('2 deliveries will be skipped: webhook disabled').waitFor()
      await dialog.getByRole('link', { name: disabled.path }).waitFor()
      expect(await dialog.getByRole('button', { name: 'Start replay' }).isDisabled()).toBe(true)

      // Disabled after the count.
      const selection = { deliveries: ids.map((event_id) => ({ event_id, hook_id: disabled.id })) }
      const { replay } = (await client.post('/api/replays', { selection })).json
      await page.goto(`/replays/${replay.id}`)
      await page.getByText('Nothing sent: 2 skipped.').waitFor()
      await page.getByText('The webhook is disabled, so nothing is sent to it.').waitFor()
      expect(await page.locator('[data-tone=success]').count()).toBe(0)
      const counts = page.getByRole('list', { name: 'Replay counts' })
      await counts.getByText('Webhook disabled').waitFor()
      const progress = page.getByRole('region', { name: 'Progress' })
      await progress.getByRole('link', { name: 'View webhook' }).waitFor()
      await progress.getByRole('link', { name: 'View events' }).click()
      await page.waitForURL(`**/events?hook_id=${disabled.id}`)
      await page.goto('/replays')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/replays/${replay.id}"]`) })
      await row.getByText('Nothing sent', { exact: true }).waitFor()
    })
  },
)

test.each(screens)(
  'replaying all results needs a filter, and an invalid rate limit disables the start, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/events')
      await page.getByRole('button', { name: /^Select all/ }).waitFor()
      expect(await page.getByRole('button', { name: 'Replay all results…' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Replay…', exact: true }).isDisabled()).toBe(true)
      await page.goto(`/events?hook_id=${hook.id}`)
      await page.getByRole('button', { name: 'Replay all results…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('3 deliveries', { exact: true }).waitFor()
      await dialog.getByLabel('Rate limit (per second)').fill('1001')
      await dialog.getByText('Enter a whole number from 1 to 1000.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Start replay' }).isDisabled()).toBe(true)
    })
  },
)

test('a replay shows its progress, can be paused, resumed and canceled, and its banner dismissed', async () => {
  const slow = await client.createHook('/slow')
  await delivered(slow, 60)
  const arrived = () => replayedTo(slow).length
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/events?hook_id=${slow.id}`)
    await page.getByRole('button', { name: 'Replay all results…' }).click()
    // One per second leaves a minute for the steps below.
    await page.getByLabel('Rate limit (per second)').fill('1')
    await page.getByText(/^Takes about 1 min/).waitFor()
    const id = await startReplay(page, '60 deliveries')
    const progress = page.getByRole('region', { name: 'Progress' }).getByRole('meter')
    const finished = async () =>
      Number(/^\d+/.exec((await progress.getAttribute('aria-valuetext')) ?? '')?.[0])
    await expect.poll(finished, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await finished()).toBeLessThanOrEqual(arrived())

    // Screen readers announce the state, not every count.
    const announced = page.getByRole('status').filter({ hasText: `Replay ${id}` })
    expect(await announced.textContent()).toBe(`Replay ${id} is running`)
    expect(await page.getByRole('status').filter({ hasText: 'started' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^Paused\. \d+ of 60 deliveries started/).waitFor()
    expect(await announced.textContent()).toBe(`Replay ${id} is paused`)
    const { started } = (await client.get(`/api/replays/${id}`)).json.replay
    // New events are still delivered. By then, no more of the replay has arrived than had started.
    const fresh = await client.submitEventFor(slow)
    await deliveries.receiver.until(() => deliveries.received(slow.path, fresh).length === 1)
    expect(arrived()).toBeLessThanOrEqual(started)
    await page.goto('/webhooks')
    const banner = page.getByRole('region', { name: 'Active replay' })
    await banner.getByRole('link', { name: `Replay ${id} is paused` }).waitFor()
    await banner.getByRole('button', { name: 'Dismiss' }).click()
    await page.locator('h1:focus').waitFor()
    expect(await banner.count()).toBe(0)
    await page.goto(`/replays/${id}`)

    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(arrived, { timeout: 30_000 }).toBeGreaterThan(started)
    await page.getByText(/^\d(\.\d)? per second, about (\d+ seconds|1 minute) left/).waitFor()
    // Dismissed in this browser, not only on that page.
    expect(await banner.count()).toBe(0)

    await page.getByRole('button', { name: 'Cancel' }).click()
    const dialog = page.getByRole('dialog', { name: `Cancel replay ${id}?` })
    await dialog.getByText(/^\d+ of 60 deliveries started\./).waitFor()
    await dialog.getByRole('button', { name: 'Cancel replay' }).click()
    await page.getByText(/^Canceled[.,]/).waitFor()
    expect(await announced.textContent()).toBe(`Replay ${id} is canceled`)
    // The cancel button is gone, so focus moves to the heading.
    await page.locator('h1:focus').waitFor()
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    await page.goto('/replays')
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="/replays/${id}"]`) })
    await row.getByText('Canceled', { exact: true }).waitFor()
    expect(arrived()).toBeLessThan(60)
  })
})
