/** Events as they happen: shown at once, kept while paused, and none missed when the line breaks. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { createGateway, inboundSms, type Gateway } from '../gateway.ts'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries
/** The one that browsers call, and that is stopped and started anew. */
let api: ServiceProcess
/** Of another process, which goes on all the time. */
let gateway: Gateway

beforeAll(async () => {
  deliveries = await startDeliveries(undefined, 'api')
  api = deliveries.world.service
  const other = await deliveries.world.startAnother({ PORT: '0' })
  gateway = await createGateway(deliveries.world, other.internalUrl)
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

/** A program that listens as long as it is let. */
async function listen({ key }: { key: string }): Promise<() => void> {
  const stop = new AbortController()
  const answer = await fetch(`${deliveries.world.url}/api/events/stream`, {
    headers: { 'x-api-key': key },
    signal: stop.signal,
  })
  expect(answer.status).toBe(200)
  // What is not read may be given up before it is stopped.
  answer.text().catch(() => {})
  return () => stop.abort()
}

describe.each(screens)('on $name', ({ viewport }) => {
  let owner: Owner
  let hook: OwnHook
  let other: OwnHook

  beforeAll(async () => {
    owner = await deliveries.owner()
    hook = await owner.hook('/live')
    other = await owner.hook('/live-other')
  })

  /** Through the process that goes on. */
  async function send({ number }: OwnHook): Promise<string> {
    const { accepted } = await gateway.handIn(inboundSms(owner.account.accountId, { system: number }))
    return accepted[0] ?? ''
  }

  test('events stand there as they happen, with what becomes of them; paused, they are kept', async () => {
    await owner.look(viewport, async ({ page }) => {
      await openLive(page)
      await page.getByText('Listening').waitFor()
      const first = await send(hook)
      await page.locator(`a[href="/events/${first}"]`).waitFor()
      await page.getByText(`${hook.id}Delivered`).waitFor()
      await page.getByText('4917••••••01').waitFor()

      await page.getByRole('button', { name: 'Pause' }).click()
      await page
        .getByText('Paused: of what comes meanwhile the newest 200 events are kept for you.')
        .waitFor()
      const meanwhile = [await send(hook), await send(other)]
      await page.getByRole('button', { name: 'Go on (2 new)' }).waitFor()
      expect(await listed(page)).toEqual([first])
      await page.getByRole('button', { name: 'Go on (2 new)' }).click()
      await expect.poll(() => listed(page)).toEqual([...meanwhile.toReversed(), first])
      await page.getByText(`${other.id}Delivered`).waitFor()
      await page.getByText('3 events since you came').waitFor()
      const last = await send(hook)
      await expect.poll(() => listed(page)).toEqual([last, ...meanwhile.toReversed(), first])
    })
  })

  test('they are filtered by type and webhook, as the address says', async () => {
    await owner.look(viewport, async ({ page }) => {
      await openLive(page)
      const sms = await send(hook)
      const others = await send(other)
      await gateway.handIn({
        account_id: owner.account.accountId,
        type: 'dlr',
        data: { msg_id: '1', status: 'DELIVERED', timestamp: '1' },
      })
      await page.getByText('3 events since you came').waitFor()
      await page.getByLabel('Webhook', { exact: true }).selectOption(String(hook.id))
      await expect.poll(() => listed(page)).toEqual([sms])
      await page.getByLabel('Webhook', { exact: true }).selectOption('')
      await page.getByLabel('Type', { exact: true }).selectOption('sms_mo')
      await expect.poll(() => listed(page)).toEqual([others, sms])
      await page.getByLabel('Type', { exact: true }).selectOption('rcs')
      await page.getByText('Nothing of this kind yet').waitFor()
      await page.getByText('3 events came that the filters leave out.').waitFor()
      await openLive(page, `?type=sms_mo&hook_id=${hook.id}`)
      await send(other)
      const wanted = await send(hook)
      await expect.poll(() => listed(page)).toEqual([wanted])
    })
  })

  test('only what the stream tells can be filtered by, and nothing is promised that may never come', async () => {
    await owner.look(viewport, async ({ page }) => {
      await openLive(page, '?state=waiting')
      const became = page.getByLabel('Became', { exact: true })
      expect(await became.inputValue()).toBe('')
      const offered = await became.locator('option').allTextContents()
      expect(offered).toEqual(['Any', 'Delivered', 'Failed', 'Expired', 'Cancelled'])
      const unwanted = await send({ ...hook, number: '490000000000' })
      await expect.poll(() => listed(page)).toEqual([unwanted])
      await page.getByText('No delivery, or none that has ended yet').waitFor()
      await page.getByLabel('Webhook', { exact: true }).selectOption(String(hook.id))
      await page
        .getByText(`as soon as its delivery to webhook ${hook.id} has ended. What is still tried stands in`)
        .waitFor()
    })
  })

  test.each([
    // Then the browser goes on by itself; what was refused we take up again.
    { how: 'nobody answers', refusal: undefined },
    { how: 'a proxy refuses', refusal: { status: 503, body: 'not now' } },
  ])('while $how the page says so, and what came meanwhile stands there once', async ({ refusal }) => {
    const stream = '**/api/events/stream?*'
    await owner.look(
      viewport,
      async ({ page, context }) => {
        await openLive(page)
        const before = await send(hook)
        await page.getByText(`${hook.id}Delivered`).waitFor()
        if (refusal !== undefined) await context.route(stream, (route) => route.fulfill(refusal))
        const refused = refusal && page.waitForResponse((answer) => answer.status() === refusal.status)
        await api.stop()
        await page.getByRole('alert').getByText('The line broke. Connecting again…').waitFor()
        await refused
        const meanwhile = [await send(hook), await send(hook), await send(other)]
        await deliveries.receiver.until((got) =>
          meanwhile.every((id) => got.some(({ headers }) => headers['webhook-id'] === id)),
        )
        expect(await listed(page)).toEqual([before])
        await context.unroute(stream)
        api = await deliveries.world.startAnother({}, 'api')
        await page.getByText('Connected again. Nothing was missed.').waitFor()
        const all = [...meanwhile.toReversed(), before]
        await expect.poll(() => listed(page), { timeout: 30_000 }).toEqual(all)
        const after = await send(hook)
        await expect.poll(() => listed(page), { timeout: 30_000 }).toEqual([after, ...all])
        await page.getByText('5 events since you came').waitFor()
        await page.getByText('Connected', { exact: true }).waitFor()
      },
      /net::ERR_|status of 503/,
    )
  })

  test('who has too many lines open reads what that means and what to do, and is let in when one is closed', async () => {
    const listening: Array<() => void> = []
    for (let count = 0; count < 10; count++) listening.push(await listen(owner.account))
    await owner.look(
      viewport,
      async ({ page }) => {
        await page.goto('/live')
        const alert = page.getByRole('alert')
        await alert.getByText('Your account has as many live lines open as it may have.').waitFor()
        await alert
          .getByText('Close Live in another tab or browser, or stop a program that listens.')
          .waitFor()
        listening[0]?.()
        await page.getByText('Connected again.').waitFor()
        const id = await send(hook)
        await page.locator(`a[href="/events/${id}"]`).waitFor()
      },
      /status of 429/,
    )
    for (const stop of listening) stop()
  })
})
