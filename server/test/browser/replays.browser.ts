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
      await page.getByText('2 events selected, 2 deliveries.').waitFor()
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

      await page.getByRole('button', { name: 'Pause' }).click()
      await page
        .getByRole('status')
        .getByText(/^Paused\. \d+ of 60 deliveries started/)
        .waitFor()
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
      await page
        .getByRole('status')
        .getByText(/^Cancelled/)
        .waitFor()
      expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
      await page.goto('/replays')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/replays/${id}"]`) })
      await row.getByText('Cancelled', { exact: true }).waitFor()
      expect(arrived()).toBeLessThan(60)
    })
  })
})
