/** Deliveries sent again from the developer area: one, a selection, all that a search finds; watched, paused, cancelled. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundSms } from '../gateway.ts'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries

beforeAll(async () => {
  deliveries = await startDeliveries()
})
afterAll(() => deliveries.close())

/** Events that were delivered once. */
async function delivered(owner: Owner, hook: OwnHook, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () =>
    inboundSms(owner.account.accountId, { system: hook.number }),
  )
  const { accepted } = await deliveries.gateway.handIn(...events)
  await owner.until(hook, 'delivered', count)
  return accepted
}

/** A webhook that long texts do not fit, and one that takes the same events. */
async function hookThatFails(owner: Owner, path: string): Promise<{ mended: OwnHook; steady: OwnHook }> {
  const mended = await owner.hook(path, { request_method: 'GET' })
  return { mended, steady: await owner.hook(`${path}-steady`, { event_filter: mended.number }) }
}

/** Events with long texts, which fail at once as the query of a GET. */
async function failed(owner: Owner, hook: OwnHook, count: number): Promise<string[]> {
  const events: string[] = []
  for (let made = 0; made < count; made++)
    events.push(await owner.eventFor(hook, { text: 'long '.repeat(2_000) }))
  await owner.until(hook, 'failed', count)
  return events
}

/** Which events came again to a webhook. */
function cameAgain({ path }: OwnHook): string[] {
  return deliveries.receiver
    .at(path)
    .filter(({ headers }) => headers['x-hookline-replay'] === '1')
    .map(({ headers }) => String(headers['webhook-id']))
}

/** Starts what the dialog offers, after it has said how many that is; answers the number of the replay. */
async function sendAgain(page: Page, count: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Send again' })
  await dialog.getByText(count, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.waitForURL(/\/replays\/\d+$/)
  return page.url().split('/').at(-1) ?? ''
}

describe.each(screens)('on $name', ({ viewport }) => {
  let owner: Owner
  let hook: OwnHook
  let other: OwnHook
  let events: string[]

  beforeAll(async () => {
    owner = await deliveries.owner()
    hook = await owner.hook(`/again-${viewport.width}`)
    // Wants the same events, and must not get them again unless it is meant.
    other = await owner.hook(`/other-${viewport.width}`, { event_filter: hook.number })
    events = await delivered(owner, hook, 3)
    await owner.until(other, 'delivered', 3)
  })

  test('one delivery, a selection and all that a search finds are sent again, those and no others', async () => {
    const [first = '', second = '', third = ''] = events
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/replays')
      await page.getByText('Nothing was sent again yet').waitFor()

      await page.goto(`/events/${first}`)
      const panel = page.getByRole('region', { name: `Webhook ${hook.id}`, exact: true })
      await panel.getByRole('button', { name: 'Replay…' }).click()
      const one = await sendAgain(page, '1 delivery')
      await page.getByText('Done: 1 delivered, 0 failed.').first().waitFor()
      expect(cameAgain(hook)).toEqual([first])
      await page.goto(`/events/${first}`)
      await panel.getByRole('group', { name: 'Round 2' }).getByText('Sent again (1)').waitFor()

      await page.goto(`/events?hook_id=${hook.id}`)
      for (const id of [second, third]) await page.getByLabel(`Select the event ${id}`).check()
      await page.getByText('2 events selected.').waitFor()
      await page.getByRole('button', { name: 'Replay…', exact: true }).click()
      const some = await sendAgain(page, '2 deliveries')
      await page.getByText('Done: 2 delivered, 0 failed.').first().waitFor()
      expect(cameAgain(hook).toSorted()).toEqual(events.toSorted())
      expect(cameAgain(other)).toEqual([])

      await page.goto(`/events?hook_id=${other.id}&state=delivered`)
      await page.getByRole('button', { name: 'Replay all that fit…' }).click()
      const all = await sendAgain(page, '3 deliveries')
      await page.getByText('Done: 3 delivered, 0 failed.').first().waitFor()
      expect(cameAgain(other).toSorted()).toEqual(events.toSorted())

      await page.getByRole('link', { name: '← All replays' }).click()
      const table = page.getByRole('table', { name: 'Replays' })
      for (const { id, words } of [
        { id: one, words: '1 of 1 (100 %)' },
        { id: some, words: '2 of 2 (100 %)' },
        { id: all, words: '3 of 3 (100 %)' },
      ]) {
        const row = table.getByRole('row').filter({ has: page.locator(`a[href="/replays/${id}"]`) })
        for (const text of [words, 'Done']) await row.getByText(text, { exact: true }).waitFor()
      }
    })
  })

  test('what failed and arrives when it is sent again has not failed any more, wherever one looks', async () => {
    const path = `/mended-${viewport.width}`
    const { mended, steady } = await hookThatFails(owner, path)
    const [event = ''] = await failed(owner, mended, 1)
    await owner.until(steady, 'delivered', 1)
    await owner.post(`/api/hooks/${mended.id}`, { request_method: 'JSON' })
    await owner.look(viewport, async ({ page }) => {
      const link = page.locator(`td[data-kind=main] a[href="/events/${event}"]`)
      const chips = async () =>
        (
          await page
            .getByText(new RegExp(`^(${mended.id}|${steady.id})(Failed|Delivered)$`))
            .allTextContents()
        )
          .filter((words) => words !== '')
          .toSorted()
      await page.goto('/events?reason=address_too_long')
      // Both stories are known to the page before they change.
      await link.click()
      await page.getByRole('group', { name: 'Delivery' }).getByText('Failed', { exact: true }).waitFor()
      await page.goBack()
      await page.getByLabel(`Select the event ${event}`).check()
      await page.getByRole('button', { name: 'Replay…', exact: true }).click()
      // Not to the other webhook, which has it.
      const id = await sendAgain(page, '1 delivery')
      await page.getByText('Done: 1 delivered, 0 failed.').waitFor()
      expect(await page.getByRole('region', { name: 'Replay under way' }).count()).toBe(0)
      expect(cameAgain(mended)).toEqual([event])
      expect(cameAgain(steady)).toEqual([])

      await page.getByRole('link', { name: 'To the event' }).click()
      const round = page
        .getByRole('region', { name: `Webhook ${mended.id}`, exact: true })
        .getByRole('group', { name: 'Round 2' })
      await round.getByText('Delivered', { exact: true }).waitFor()
      await page.goBack()
      await page.waitForURL(`**/replays/${id}`)
      await page.goBack()
      await page.getByText('No event fits').waitFor()
      await page.getByRole('button', { name: 'Clear all' }).click()
      await page.getByLabel('Webhook', { exact: true }).selectOption(String(mended.id))
      await page.getByText('1 event on this page').waitFor()
      expect(await chips()).toEqual([`${mended.id}Delivered`, `${steady.id}Delivered`].toSorted())
    })
  })

  test('what failed again, or was not sent again, says why and where to look', async () => {
    const { mended: failing } = await hookThatFails(owner, `/failing-${viewport.width}`)
    const [first = '', second = ''] = await failed(owner, failing, 2)
    const replay = async (...ids: string[]): Promise<number> => {
      const named = ids.map((event_id) => ({ event_id, hook_id: failing.id }))
      return (await owner.post('/api/replays', { selection: { deliveries: named } })).json.replay.id
    }
    await owner.look(viewport, async ({ page }) => {
      const figures = page.getByRole('list', { name: 'How far it is' })
      await page.goto(`/replays/${await replay(first)}`)
      await page.getByText('Done: 0 delivered, 1 failed.').waitFor()
      await figures.getByRole('link', { name: /^Failed again/ }).click()
      await page.waitForURL(`**/events/${first}`)

      await page.goto(`/replays/${await replay(first, second)}`)
      await page.getByText('Done: 0 delivered, 2 failed.').waitFor()
      await figures.getByRole('link', { name: /^Failed again/ }).click()
      await page.getByText('2 events on this page').waitFor()
      expect(new URL(page.url()).search).toBe(`?state=failed&hook_id=${failing.id}`)

      await owner.post(`/api/hooks/${failing.id}/disable`)
      await page.goto(`/replays/${await replay(first, second)}`)
      await page.getByText('Done: 0 delivered, 0 failed, 2 not sent again.').waitFor()
      await figures
        .getByText('2 of them not sent again: still waiting, or the webhook is deleted or disabled')
        .waitFor()
    })
  })

  test('the whole of everything is never offered, and nothing is sent while the pace is none', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/events')
      await page.getByRole('button', { name: /^Select all/ }).waitFor()
      expect(await page.getByRole('button', { name: 'Replay all that fit…' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Replay…', exact: true }).isDisabled()).toBe(true)
      await page.goto(`/events?hook_id=${hook.id}`)
      await page.getByRole('button', { name: 'Replay all that fit…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('3 deliveries', { exact: true }).waitFor()
      await dialog.getByLabel('At most so many a second').fill('1001')
      await dialog.getByText('Give a whole number from 1 to 1000.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
    })
  })

  test('a replay shows how far it is, is paused, goes on, and is cancelled for good', async () => {
    const slow = await owner.hook(`/slow-${viewport.width}`)
    await delivered(owner, slow, 60)
    const arrived = () => cameAgain(slow).length
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/events?hook_id=${slow.id}`)
      await page.getByRole('button', { name: 'Replay all that fit…' }).click()
      // One a second leaves a minute for what follows.
      await page.getByLabel('At most so many a second').fill('1')
      await page.getByText(/^Takes about 1 min/).waitFor()
      const id = await sendAgain(page, '60 deliveries')
      const progress = page.getByRole('region', { name: 'Progress' }).getByRole('meter')
      const ended = async () =>
        Number(/^\d+/.exec((await progress.getAttribute('aria-valuetext')) ?? '')?.[0])
      await expect.poll(ended, { timeout: 30_000 }).toBeGreaterThan(0)
      expect(await ended()).toBeLessThanOrEqual(arrived())

      // Read out is that it runs, not every figure.
      const readOut = page.getByRole('status').filter({ hasText: `Replay ${id}` })
      expect(await readOut.textContent()).toBe(`Replay ${id} is running`)
      expect(await page.getByRole('status').filter({ hasText: 'started' }).count()).toBe(0)

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText(/^Paused\. \d+ of 60 deliveries started/).waitFor()
      expect(await readOut.textContent()).toBe(`Replay ${id} is paused`)
      const { started } = (await owner.get(`/api/replays/${id}`)).json.replay
      // Fresh events go their way meanwhile; behind them no more of the replay has come than was started before.
      const fresh = await owner.eventFor(slow)
      await deliveries.receiver.until(() => deliveries.received(slow.path, fresh).length === 1)
      expect(arrived()).toBeLessThanOrEqual(started)
      await page.goto('/webhooks')
      const banner = page.getByRole('region', { name: 'Replay under way' })
      await banner.getByRole('link', { name: `Replay ${id} is paused` }).click()

      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await expect.poll(arrived, { timeout: 30_000 }).toBeGreaterThan(started)

      await page.getByRole('button', { name: 'Cancel' }).click()
      const dialog = page.getByRole('dialog', { name: `Cancel replay ${id}?` })
      await dialog.getByText(/^\d+ of 60 deliveries were started\./).waitFor()
      await dialog.getByRole('button', { name: 'Cancel the replay' }).click()
      await page.getByText(/^Cancelled[.;]/).waitFor()
      expect(await readOut.textContent()).toBe(`Replay ${id} is cancelled`)
      // The button that asked for it is gone.
      await page.locator('h1:focus').waitFor()
      expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
      await page.goto('/replays')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/replays/${id}"]`) })
      await row.getByText('Cancelled', { exact: true }).waitFor()
      expect(arrived()).toBeLessThan(60)
    })
  })
})
