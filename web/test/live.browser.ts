/** Live events: every attempt is shown immediately, buffered while paused, and complete after a reconnect. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { createGateway, inboundSms, type Gateway } from '../../server/test/support/gateway.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
/** Serves the browsers. Tests stop and restart it. */
let api: ServiceProcess
/** Uses another process, which keeps running. */
let gateway: Gateway
let client: AccountClient
let hook: TestHook
let other: TestHook

beforeAll(async () => {
  deliveries = await startDeliveries(undefined, 'api')
  api = deliveries.hookline.service
  const { internalUrl } = await deliveries.hookline.startAnother({ PORT: '0' })
  gateway = await createGateway(deliveries.hookline, internalUrl)
})
afterAll(() => deliveries.close())

/** The list starts with earlier events, so each test has its own account. */
beforeEach(async () => {
  client = await deliveries.createAccount()
  hook = await client.createHook('/live')
  other = await client.createHook('/live-other')
})

async function listed(page: Page): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Live events' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => href.split('/').at(-1) ?? '')
}

/** The chip of a delivery: the endpoint of the webhook and a state. */
function chip(page: Page, { url }: TestHook, state: string) {
  const { host, pathname } = new URL(url)
  return page.getByText(`${host}${pathname}${state}`)
}

async function openLive(page: Page, search = ''): Promise<void> {
  await page.goto(`/events?live=true${search}`)
  await page.getByText('Connected', { exact: true }).waitFor()
}

/** Opens a stream and returns a function that closes it. */
async function listen({ key }: { key: string }): Promise<() => void> {
  const stop = new AbortController()
  const response = await fetch(`${deliveries.hookline.url}/api/events/stream`, {
    headers: { 'x-api-key': key },
    signal: stop.signal,
  })
  expect(response.status).toBe(200)
  // The aborted read rejects, which is expected.
  response.text().catch(() => {})
  return () => stop.abort()
}

/** Submits an event through the process that keeps running. */
async function send({ number }: TestHook): Promise<string> {
  const { accepted } = await gateway.submitEvents(inboundSms(client.account.accountId, { system: number }))
  return accepted[0] ?? ''
}

test.each(screens)(
  'events and attempts appear as they happen, also failed ones, and the list can be paused and cleared, on $name',
  async ({ viewport }) => {
    const broken = await client.createHook('/broken/live')
    const before = await send(hook)
    await client.waitForState(hook, 'delivered', 1)
    await client.visit(viewport, async ({ page }) => {
      await openLive(page)
      await expect.poll(() => listed(page)).toEqual([before])
      const unmatched = await send({ ...hook, number: '490000000000' })
      await page.getByText('No matching webhook').waitFor()
      const failed = await send(broken)
      await chip(page, broken, 'Pending').waitFor()
      await expect
        .poll(() =>
          page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        )
        .toBe(0)
      await chip(page, broken, 'Pending').hover()
      await page.getByText('pending (Non-2xx response, after 1 attempt)').waitFor()
      await page.getByText('4917••••••01').first().waitFor()
      await expect.poll(() => listed(page)).toEqual([failed, unmatched, before])
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused. New events are added when you resume.').waitFor()
      const meanwhile = [await send(hook), await send(other)]
      await page.getByRole('button', { name: 'Resume (2 new)' }).waitFor()
      expect(await listed(page)).toEqual([failed, unmatched, before])
      await page.getByRole('button', { name: 'Resume (2 new)' }).click()
      await expect.poll(() => listed(page)).toEqual([...meanwhile.toReversed(), failed, unmatched, before])
      await chip(page, other, 'Delivered').waitFor()
      await page.getByText('4 events received').waitFor()

      await page.getByRole('button', { name: 'Clear list' }).click()
      await page.getByText('Waiting for events').waitFor()
      const last = await send(hook)
      await expect.poll(() => listed(page)).toEqual([last])
    })
  },
)

test('the former path of live events leads here, and filters apply to both lists', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/live?type=sms_mo&hook_id=${hook.id}`)
    await page.getByText('Connected', { exact: true }).waitFor()
    const url = new URL(page.url())
    expect(url.pathname).toBe('/events')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      type: 'sms_mo',
      hook_id: String(hook.id),
      live: 'true',
    })
    const sms = await send(hook)
    const others = await send(other)
    await gateway.submitEvents({
      account_id: client.account.accountId,
      type: 'dlr',
      data: { msg_id: '1', status: 'DELIVERED', timestamp: '1' },
    })
    await expect.poll(() => listed(page)).toEqual([sms])
    await page.getByRole('button', { name: 'Remove filter Webhook' }).click()
    await expect.poll(() => listed(page)).toEqual([others, sms])
    // The server applies it, because the browser has only masked numbers.
    await page.getByLabel('Search events').fill(other.number.slice(-8))
    await page.keyboard.press('Enter')
    await expect.poll(() => listed(page)).toEqual([others])
    await send(hook)
    const next = await send(other)
    await expect.poll(() => listed(page)).toEqual([next, others])
    await page.getByLabel('State', { exact: true }).selectOption('failed')
    await page.getByText('Waiting for matching events').waitFor()
    expect(await page.getByLabel('Time', { exact: true }).count()).toBe(0)
    await page.getByLabel('State', { exact: true }).selectOption('delivered')
    await expect.poll(() => listed(page)).toEqual([next, others])
    await page
      .locator('label')
      .filter({ hasText: /^Live$/ })
      .click()
    await page.getByText('2 events on this page').waitFor()
  })
})

test.each([
  // The browser reconnects after a lost connection, the page after a rejected one.
  { how: 'the server is down', rejection: undefined },
  { how: 'a proxy rejects requests', rejection: { status: 503, body: 'not now' } },
])('while $how the page shows the lost connection, then each missed event once', async ({ rejection }) => {
  const stream = '**/api/events/stream?*'
  await client.visit(
    desktop,
    async ({ page, context }) => {
      await openLive(page)
      const before = await send(hook)
      await chip(page, hook, 'Delivered').waitFor()
      if (rejection !== undefined) await context.route(stream, (route) => route.fulfill(rejection))
      const rejected = rejection && page.waitForResponse((response) => response.status() === rejection.status)
      await api.stop()
      await page.getByRole('alert').getByText('Connection lost. Reconnecting…').waitFor()
      await rejected
      const meanwhile = [await send(hook), await send(hook), await send(other)]
      await deliveries.receiver.until((got) =>
        meanwhile.every((id) => got.some(({ headers }) => headers['webhook-id'] === id)),
      )
      expect(await listed(page)).toEqual([before])
      await context.unroute(stream)
      api = await deliveries.hookline.startAnother({}, 'api')
      await page.getByText('Reconnected, no events missed').waitFor()
      const all = [...meanwhile.toReversed(), before]
      await expect.poll(() => listed(page), { timeout: 30_000 }).toEqual(all)
      const after = await send(hook)
      await expect.poll(() => listed(page), { timeout: 30_000 }).toEqual([after, ...all])
      await page.getByText('5 events received').waitFor()
      await page.getByText('Connected', { exact: true }).waitFor()
    },
    /net::ERR_|status of 503/,
  )
})

test('the connection limit shows a notice, and the page connects once a stream closes', async () => {
  const listening: Array<() => void> = []
  for (let count = 0; count < 10; count++) listening.push(await listen(client.account))
  await client.visit(
    desktop,
    async ({ page }) => {
      await page.goto('/events?live=true')
      const alert = page.getByRole('alert')
      await alert.getByText('Live connection limit reached').waitFor()
      await alert.getByText('Turn Live off in another tab, or stop another client.').waitFor()
      listening[0]?.()
      await page.getByText('Reconnected').waitFor()
      const id = await send(hook)
      await page.locator(`a[href="/events/${id}"]`).waitFor()
    },
    /status of 429/,
  )
  for (const stop of listening) stop()
})
