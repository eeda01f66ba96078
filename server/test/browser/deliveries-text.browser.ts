/**
 * What strangers write is shown as what it is: text. Answers of receivers, headers, filters, addresses, and the data of
 * events that try to be script or markup are looked at on every page that shows them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

const script = '<script>globalThis.taken = 1</script>'
const image = '<img src=x onerror="globalThis.taken = 2">'
const drawing = '"><svg onload="globalThis.taken = 3">'
const template = '{{constructor.constructor("globalThis.taken = 4")()}}'

let deliveries: Deliveries
let owner: Owner
let hook: OwnHook
let other: OwnHook
let eventId: string

const inboundSms = { sender: drawing, text: script, unknown: { [image]: template } }

beforeAll(async () => {
  deliveries = await startDeliveries((request, response) => {
    response.statusCode = request.url.startsWith('/broken') ? 500 : 200
    response.setHeader('content-type', 'text/html')
    response.setHeader('x-hostile', image)
    response.end(`${script}${image}${drawing}`)
  })
  owner = await deliveries.owner()
  hook = await owner.hook(`/broken?${drawing}`, { headers: `X-Hostile: ${image}` })
  other = await owner.hook('/other', { event_filter: `cel:data.text == '${image}'` })
  eventId = await owner.eventFor(hook, { id: template, ...inboundSms })
  await owner.event('dlr', { msg_id: image, status: 'FAILED', timestamp: script, foreign_id: drawing })
  await deliveries.receiver.until((got) => got.some(({ headers }) => headers['webhook-id'] === eventId))
  const selection = { deliveries: [{ event_id: eventId, hook_id: hook.id }] }
  await owner.post('/api/replays', { selection })
})
afterAll(() => deliveries.close())

async function expectTexts(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor()
}

interface Place {
  name: string
  visit: (page: Page) => Promise<void>
}

const places: Place[] = [
  {
    name: 'the overview',
    async visit(page) {
      await page.goto('/')
      await expectTexts(page, `Webhook ${hook.id} is failing`)
    },
  },
  {
    name: 'the webhooks',
    async visit(page) {
      await page.goto('/webhooks')
      await expectTexts(page, image)
      await page.getByTitle(hook.url).waitFor()
    },
  },
  {
    name: 'a webhook and its attempts',
    async visit(page) {
      await page.goto(`/webhooks/${hook.id}`)
      await page
        .getByRole('button', { name: /^Attempt 1/ })
        .last()
        .click()
      const answer = page.getByRole('group', { name: 'Answer', exact: true }).last()
      await answer.getByText(image, { exact: true }).waitFor()
      await answer.getByText(`${script}${image}${drawing}`).waitFor()
      await page.goto(`/webhooks/${other.id}`)
      await page.getByRole('region', { name: 'Settings' }).getByTitle(image).waitFor()
    },
  },
  {
    name: 'a test',
    async visit(page) {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Send the test' }).click()
      await page.getByRole('dialog').getByText(`${script}${image}${drawing}`).waitFor()
    },
  },
  {
    name: 'the forms',
    async visit(page) {
      await page.goto(`/webhooks/${hook.id}/edit`)
      await page.getByText('Would have matched').waitFor()
      expect(await page.getByLabel('Headers', { exact: true }).inputValue()).toBe(`X-Hostile: ${image}`)
      const shown = page.getByRole('group', { name: 'Request', exact: true })
      await shown.getByText(image, { exact: true }).waitFor()
      await page.goto(`/webhooks/${other.id}/edit`)
      expect(await page.getByLabel('Expression').inputValue()).toBe(`data.text == '${image}'`)
      await page.getByRole('tab', { name: 'Would not get' }).click()
      await expectTexts(page, 'data.text ==')
    },
  },
  {
    name: 'the events',
    async visit(page) {
      await page.goto('/events')
      await expectTexts(page, template, drawing)
      await page.goto(`/events?q=${encodeURIComponent(script)}`)
      await expectTexts(page, 'No event fits')
    },
  },
  {
    name: 'an event, revealed, and as a line',
    async visit(page) {
      await page.goto(`/events/${eventId}`)
      await page.getByRole('region', { name: 'Not sent to' }).getByText(image).first().waitFor()
      await page.getByRole('button', { name: 'Reveal…' }).click()
      await page.getByRole('button', { name: 'Reveal', exact: true }).click()
      const data = page.getByRole('region', { name: 'Data' })
      for (const text of [script, drawing, template]) await data.getByText(text).first().waitFor()
      const answer = page.getByRole('group', { name: 'Answer', exact: true }).last()
      await answer.getByText(`${script}${image}${drawing}`).waitFor()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.getByRole('button', { name: 'Show the line' }).click()
      await page.getByRole('dialog').getByLabel('command').getByText('globalThis.taken').waitFor()
    },
  },
  {
    name: 'live',
    async visit(page) {
      await page.goto('/live')
      await expectTexts(page, 'Connected')
      const id = await owner.eventFor(other, inboundSms)
      await page.locator(`a[href="/events/${id}"]`).waitFor()
    },
  },
  {
    name: 'the replays',
    async visit(page) {
      await page.goto('/replays')
      await expectTexts(page, 'Replay ')
    },
  },
]

describe.each(screens)('on $name', ({ viewport }) => {
  test.each(places)('$name: nothing of it is more than text', async ({ visit }) => {
    await owner.look(viewport, async ({ page }) => {
      await visit(page)
      expect(await page.evaluate('globalThis.taken')).toBeUndefined()
      expect(await page.locator('[onerror], [onload]').count()).toBe(0)
    })
  })
})
