/** Live events: shown immediately, buffered while paused, and complete after a reconnect. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  client = await deliveries.createAccount()
  hook = await client.createHook('/live')
  other = await client.createHook('/live-other')
})
afterAll(() => deliveries.close())

async function listed(page: Page): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Live events' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => href.split('/').at(-1) ?? '')
}

async function openLive(page: Page, search = ''): Promise<void> {
  await page.goto(`/live${search}`)
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
  'events and deliveries appear as they happen and are buffered while paused, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await openLive(page)
      await page.getByText('Waiting for events').waitFor()
      const first = await send(hook)
      await page.locator(`a[href="/events/${first}"]`).waitFor()
      await page.getByText(`${hook.id}Delivered`).waitFor()
      await page.getByText('4917••••••01').waitFor()

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused. The newest 200 events are kept.').waitFor()
      const meanwhile = [await send(hook), await send(other)]
      await page.getByRole('button', { name: 'Resume (2 new)' }).waitFor()
      expect(await listed(page)).toEqual([first])
      await page.getByRole('button', { name: 'Resume (2 new)' }).click()
      await expect.poll(() => listed(page)).toEqual([...meanwhile.toReversed(), first])
      await page.getByText(`${other.id}Delivered`).waitFor()
      await page.getByText('3 events received').waitFor()
      const last = await send(hook)
      await expect.poll(() => listed(page)).toEqual([last, ...meanwhile.toReversed(), first])
    })
  },
)

test('events are filtered by the type and webhook in the URL', async () => {
  await client.visit(desktop, async ({ page }) => {
    await openLive(page)
    const sms = await send(hook)
    const others = await send(other)
    await gateway.submitEvents({
      account_id: client.account.accountId,
      type: 'dlr',
      data: { msg_id: '1', status: 'DELIVERED', timestamp: '1' },
    })
    await page.getByText('3 events received').waitFor()
    await page.getByLabel('Webhook', { exact: true }).selectOption(String(hook.id))
    await expect.poll(() => listed(page)).toEqual([sms])
    await page.getByLabel('Webhook', { exact: true }).selectOption('')
    await page.getByLabel('Type', { exact: true }).selectOption('sms_mo')
    await expect.poll(() => listed(page)).toEqual([others, sms])
    await page.getByLabel('Type', { exact: true }).selectOption('rcs')
    await page.getByText('No matching events').waitFor()
    await page.getByText('3 events hidden by filters').waitFor()
    await openLive(page, `?type=sms_mo&hook_id=${hook.id}`)
    await send(other)
    const requested = await send(hook)
    await expect.poll(() => listed(page)).toEqual([requested])
  })
})

test('the state filter offers only states that the stream reports', async () => {
  await client.visit(desktop, async ({ page }) => {
    await openLive(page, '?state=waiting')
    const state = page.getByLabel('State', { exact: true })
    expect(await state.inputValue()).toBe('')
    const offered = await state.locator('option').allTextContents()
    expect(offered).toEqual(['Any', 'Delivered', 'Failed', 'Expired', 'Canceled'])
    const unmatched = await send({ ...hook, number: '490000000000' })
    await expect.poll(() => listed(page)).toEqual([unmatched])
    await page.getByText('No finished deliveries').waitFor()
    await page.getByLabel('Webhook', { exact: true }).selectOption(String(hook.id))
    await page
      .getByText(`once their delivery to webhook ${hook.id} has finished. Pending deliveries are in`)
      .waitFor()
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
      await page.getByText(`${hook.id}Delivered`).waitFor()
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
      await page.goto('/live')
      const alert = page.getByRole('alert')
      await alert.getByText('Live connection limit reached').waitFor()
      await alert.getByText('Close Live in another tab, or stop another client.').waitFor()
      listening[0]?.()
      await page.getByText('Reconnected').waitFor()
      const id = await send(hook)
      await page.locator(`a[href="/events/${id}"]`).waitFor()
    },
    /status of 429/,
  )
  for (const stop of listening) stop()
})
