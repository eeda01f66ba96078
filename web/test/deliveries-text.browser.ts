/**
 * Untrusted content is rendered as text. Responses, headers, filters, URLs and event data that contain script or markup
 * are checked on every page that shows them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

const script = '<script>globalThis.taken = 1</script>'
const image = '<img src=x onerror="globalThis.taken = 2">'
const drawing = '"><svg onload="globalThis.taken = 3">'
const template = '{{constructor.constructor("globalThis.taken = 4")()}}'

let deliveries: Deliveries
let client: AccountClient
let hook: TestHook
let other: TestHook
let eventId: string

const inboundSms = { sender: drawing, text: script, unknown: { [image]: template } }

beforeAll(async () => {
  deliveries = await startDeliveries((request, response) => {
    response.statusCode = request.url.startsWith('/broken') ? 500 : 200
    response.setHeader('content-type', 'text/html')
    response.setHeader('x-hostile', image)
    response.end(`${script}${image}${drawing}`)
  })
  client = await deliveries.createAccount()
  hook = await client.createHook(`/broken?${drawing}`, { headers: `X-Hostile: ${image}` })
  other = await client.createHook('/other', { event_filter: `cel:data.text == '${image}'` })
  eventId = await client.submitEventFor(hook, { id: template, ...inboundSms })
  await client.submitEvent('dlr', { msg_id: image, status: 'FAILED', timestamp: script, foreign_id: drawing })
  await deliveries.receiver.until((got) => got.some(({ headers }) => headers['webhook-id'] === eventId))
  const selection = { deliveries: [{ event_id: eventId, hook_id: hook.id }] }
  await client.post('/api/replays', { selection })
})
afterAll(() => deliveries.close())

async function expectTexts(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor()
}

interface PageCase {
  name: string
  visit: (page: Page) => Promise<void>
}

const pages: PageCase[] = [
  {
    name: 'the overview',
    async visit(page) {
      await page.goto('/')
      await page.getByRole('table', { name: 'Issues' }).getByText('Failing').waitFor()
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
      const group = page.getByRole('button', { name: /\d+ times/ })
      const attempt = page.getByRole('button', { name: /^(Attempt 1 )?\d+ Responded/ })
      await attempt.or(group).first().waitFor()
      // Equal attempts in a row are one line.
      if ((await group.count()) > 0) await group.last().click()
      await attempt.last().click()
      const response = page.getByRole('group', { name: 'Response', exact: true }).last()
      await response.getByText(image, { exact: true }).waitFor()
      await response.getByText(`${script}${image}${drawing}`).waitFor()
      await page.goto(`/webhooks/${other.id}?tab=settings`)
      await page.getByRole('region', { name: 'Settings' }).getByTitle(image).waitFor()
    },
  },
  {
    name: 'a test event',
    async visit(page) {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('button', { name: 'Send test event' }).click()
      await page.getByRole('button', { name: 'Send event' }).click()
      await page.getByRole('dialog').getByText(`${script}${image}${drawing}`).waitFor()
    },
  },
  {
    name: 'the forms',
    async visit(page) {
      await page.goto(`/webhooks/${hook.id}/edit`)
      await page.getByText('of your last').waitFor()
      expect(await page.getByLabel('Headers', { exact: true }).inputValue()).toBe(`X-Hostile: ${image}`)
      const preview = page.getByRole('group', { name: 'Request', exact: true })
      await preview.getByText(image, { exact: true }).waitFor()
      await page.goto(`/webhooks/${other.id}/edit`)
      expect(await page.getByLabel('Expression').inputValue()).toBe(`data.text == '${image}'`)
      await page.getByRole('tab', { name: 'Not matched' }).click()
      await expectTexts(page, 'data.text ==')
    },
  },
  {
    name: 'the events',
    async visit(page) {
      await page.goto('/events')
      await expectTexts(page, template, drawing)
      await page.goto(`/events?q=${encodeURIComponent(script)}`)
      await expectTexts(page, 'No matching events')
    },
  },
  {
    name: 'a revealed event and its cURL command',
    async visit(page) {
      await page.goto(`/events/${eventId}`)
      await page.getByRole('region', { name: 'Not delivered to' }).getByText(image).first().waitFor()
      await page.getByRole('button', { name: 'Reveal data…' }).click()
      await page.getByRole('button', { name: 'Reveal data', exact: true }).click()
      const data = page.getByRole('region', { name: 'Data' })
      for (const text of [script, drawing, template]) await data.getByText(text).first().waitFor()
      const response = page.getByRole('group', { name: 'Response', exact: true }).last()
      await response.getByText(`${script}${image}${drawing}`).waitFor()
      await page.getByRole('button', { name: 'Copy as cURL' }).click()
      await page.getByRole('button', { name: 'Show command' }).click()
      await page.getByRole('dialog').getByLabel('command').getByText('globalThis.taken').waitFor()
    },
  },
  {
    name: 'live',
    async visit(page) {
      await page.goto('/live')
      await expectTexts(page, 'Connected')
      const id = await client.submitEventFor(other, inboundSms)
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

test.each(pages)('$name: untrusted content is rendered as text only', async ({ visit }) => {
  await client.visit(desktop, async ({ page }) => {
    await visit(page)
    expect(await page.evaluate('globalThis.taken')).toBeUndefined()
    expect(await page.locator('[onerror], [onload]').count()).toBe(0)
  })
})
