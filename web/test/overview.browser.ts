/** The overview: charts that fit, problems of webhooks, time ranges. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries } from './support/deliveries.ts'

const phone = { width: 375, height: 740 }

let deliveries: Deliveries

beforeAll(async () => {
  deliveries = await startDeliveries()
})
afterAll(() => deliveries.close())

/** Every part of a chart that a clipping ancestor or the edge of the window cuts off. */
const clippedTexts = `(selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
  const box = element.getBoundingClientRect()
  const isInside = (outer) => box.left >= outer.left - 0.5 && box.right <= outer.right + 0.5 &&
    box.top >= outer.top - 0.5 && box.bottom <= outer.bottom + 0.5
  const edges = [{ left: 0, right: innerWidth, top: -Infinity, bottom: Infinity }]
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
    if (getComputedStyle(parent).overflow !== 'visible') edges.push(parent.getBoundingClientRect())
  return edges.every(isInside) ? [] : [element.textContent]
})`

function clipped(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`(${clippedTexts})(${JSON.stringify(selector)})`)
}

/** Stores counts for the first and the current hour of the last day. */
async function storeCounts({ account }: AccountClient, count: number): Promise<void> {
  const hours = `generate_series(date_trunc('hour', now()) - interval '23 hours', now(), interval '23 hours') AS hour`
  const { query } = deliveries.hookline.database
  await query(
    `INSERT INTO event_rollups (account_id, hour, events) SELECT $1, hour, $2 FROM ${hours}
     ON CONFLICT (account_id, hour) DO UPDATE SET events = excluded.events`,
    [account.accountId, count],
  )
  await query(
    `INSERT INTO rollups (account_id, hook_id, hour, delivered, failed) SELECT $1, 1, hour, $2, $2 FROM ${hours}
     ON CONFLICT (account_id, hook_id, hour) DO UPDATE SET delivered = excluded.delivered, failed = excluded.failed`,
    [account.accountId, count],
  )
}

describe.each([desktop, phone])('at $width px', (viewport) => {
  test('axis labels and tooltips of charts are never cut off', async () => {
    const client = await deliveries.createAccount()
    await client.visit(viewport, async ({ page }) => {
      for (const count of [1_234, 98_765, 1_200_000]) {
        await storeCounts(client, count)
        await page.goto('/')
        const plots = page.locator('[data-drawing]')
        await plots.first().waitFor()
        expect(await clipped(page, 'figure [data-label]'), `labels at ${count}`).toEqual([])
        for (const plot of await plots.all())
          for (const position of [0.01, 0.5, 0.99]) {
            await plot.scrollIntoViewIfNeeded()
            const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
            await page.mouse.move(x + position * width, y + height / 2)
            const tooltip = page.locator('[data-tooltip]')
            if (position !== 0.5) await tooltip.getByText(count.toLocaleString('en-US')).first().waitFor()
            expect(await clipped(page, '[data-tooltip]'), `tooltip at ${position}, ${count}`).toEqual([])
          }
      }
    })
  })
})
