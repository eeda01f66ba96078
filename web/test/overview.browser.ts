/** The overview: charts that fit, problems of webhooks, time ranges. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { desktop, expectAccessible } from './support/dashboard.ts'
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
  test('issues are one list with reason and next attempt, and can be retried from it', async () => {
    const client = await deliveries.createAccount()
    const broken = await client.createHook('/broken/issues')
    const held = await client.createHook('/held')
    await client.submitEventFor(broken)
    await deliveries.postponeRetries(broken)
    await client.submitEventFor(held)
    await client.waitForState(held, 'delivered', 1)
    await client.post(`/api/hooks/${held.id}/disable`, {})
    await client.submitEventFor(held)
    await client.waitForState(held, 'held', 1)
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/')
      const issues = page.getByRole('table', { name: 'Issues' })
      const row = issues.getByRole('row').filter({ hasText: new URL(broken.url).pathname })
      for (const text of ['Failing', 'Responded 500.', '1']) await row.getByText(text).first().waitFor()
      const other = issues.getByRole('row').filter({ hasText: 'Disabled' })
      await other.getByRole('link', { name: /^Enable/ }).waitFor()
      expect(
        await page.getByRole('list', { name: 'Last 24 hours, hourly' }).getByRole('listitem').count(),
      ).toBe(4)
      // The figures and the first issue need no scrolling.
      const first = await issues.boundingBox()
      expect(first?.y).toBeLessThan(viewport.height)
      if (viewport === desktop) {
        const order = () => issues.getByRole('row').allInnerTexts()
        expect((await order()).findIndex((text) => text.includes('Failing'))).toBe(1)
        await issues.getByRole('button', { name: 'State' }).click()
        expect((await order()).findIndex((text) => text.includes('Failing'))).toBe(2)
        await expectAccessible(page)
      }

      await deliveries.ageFailedAttempts(broken)
      const before = deliveries.receiver.at(broken.path).length
      await row.getByRole('button', { name: /^Retry now/ }).click()
      await expect.poll(() => deliveries.receiver.at(broken.path).length).toBeGreaterThan(before)

      for (const [range, label, rows] of [
        ['1h', 'Last hour, by minute', 60],
        ['7d', 'Last 7 days, hourly', 168],
        ['30d', 'Last 30 days, daily (UTC)', 30],
      ] as const) {
        await page.getByRole('button', { name: range, exact: true }).click()
        await page.waitForURL(`**/?range=${range}`)
        const codes = page.getByRole('region', { name: 'Response codes' })
        const table = codes.getByRole('table', { name: label })
        await table.waitFor()
        expect(await table.getByRole('row').count()).toBe(1 + rows)
        const sums = async () => {
          const cells = (await table.getByRole('row').allInnerTexts())
            .slice(1)
            .map((text) => text.split('\t'))
          const sum = (column: number) => cells.reduce((all, values) => all + Number(values[column]), 0)
          return { ok: sum(1), redirects: sum(2), serverErrors: sum(4) }
        }
        await expect.poll(sums).toEqual({ ok: 1, redirects: 0, serverErrors: expect.toSatisfy((n) => n > 0) })
        const times = page.getByRole('region', { name: 'Response times' }).getByRole('table', { name: label })
        expect(await times.innerText()).toMatch(/\d ms/)
      }
    })
  })

  test('axis labels and tooltips of charts are never cut off', async () => {
    const client = await deliveries.createAccount()
    await client.visit(viewport, async ({ page }) => {
      for (const count of [1_234, 98_765, 1_200_000]) {
        await storeCounts(client, count)
        await page.goto('/')
        const plots = page.locator('[data-drawing]')
        await plots.first().waitFor()
        expect(await clipped(page, 'figure [data-label]'), `labels at ${count}`).toEqual([])
        for (const [number, plot] of (await plots.all()).entries())
          for (const position of [0.01, 0.5, 0.99]) {
            await plot.scrollIntoViewIfNeeded()
            const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
            await page.mouse.move(x + position * width, y + height / 2)
            const tooltip = page.locator('[data-tooltip]')
            // The first two plots share a chart with the counts.
            const value = position === 0.5 || number > 1 ? ' to ' : count.toLocaleString('en-US')
            await tooltip.getByText(value).first().waitFor()
            expect(await clipped(page, '[data-tooltip]'), `tooltip at ${position}, ${count}`).toEqual([])
          }
      }
    })
  })
})

test('with 200 failing webhooks, the list shows the most urgent ones and their number', async () => {
  const client = await deliveries.createAccount()
  const hook = await client.createHook('/broken/many')
  const { accountId } = client.account
  const { query } = deliveries.hookline.database
  await query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT account_id, target_url || n, call_url || n, event_type, request_method, decode(md5(n::text), 'hex')
     FROM hooks, generate_series(1, 199) AS n WHERE account_id = $1 AND id = $2`,
    [accountId, hook.id],
  )
  await query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts) SELECT account_id, id, now(), 3 FROM hooks
     WHERE account_id = $1`,
    [accountId],
  )
  await client.visit(phone, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('heading', { name: 'Issues (200)' }).waitFor()
    expect(await page.getByRole('table', { name: 'Issues' }).getByRole('row').count()).toBe(1 + 20)
    await page.getByText('20 of 200 webhooks with issues.').waitFor()
    await page.getByRole('link', { name: 'View all webhooks' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  })
})
