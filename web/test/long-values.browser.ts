/** Long values: truncated URLs and IDs are selected and copied whole, and tables stay inside their card. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { desktop, type Visit } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries, type TestHook } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let hook: TestHook
let event: string

const longName = 'n'.repeat(60)

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  hook = await client.createHook(`/broken/${'segment/'.repeat(60)}last?token=0123456789`)
  await client.post(`/api/hooks/${hook.id}`, { event_filter: `${hook.number},${'x'.repeat(200)}` })
  for (const type of ['voice_status', 'voice_dtmf', 'rcs_dlr'])
    await client.createHook('/idle', { event_type: type, event_filter: 'f'.repeat(200) })
  event = await client.submitEventFor(hook, { sender: 's'.repeat(200), id: '7'.repeat(200) })
  await client.submitEvent('dlr', { msg_id: '9'.repeat(200), status: 'DELIVERED', timestamp: '1731656400' })
  for (const scopes of [['all'], ['hooks', 'events:read', 'deliveries:replay']])
    expect((await client.post('/api/keys', { name: longName, scopes })).status).toBe(200)
  const app = { name: longName, is_public: true, redirect_uris: [`https://app.example/${'r'.repeat(200)}`] }
  expect((await client.post('/api/apps', app)).status).toBe(200)
  await deliveries.receiver.until(() => deliveries.receiver.at(hook.path).length > 0)
  const idle = await client.createHook('/replayed')
  const delivered = await client.submitEventFor(idle)
  await client.waitForState(idle, 'delivered', 1)
  const selection = { events: [delivered], hook_id: idle.id, state: 'delivered' }
  expect((await client.post('/api/replays', { selection })).status).toBe(200)
})
afterAll(() => deliveries.close())

function valueOf(page: Page, text: string): Locator {
  return page.locator(`code[title="${text}"]`).first()
}

async function selected(page: Page): Promise<string> {
  return (await page.evaluate<string>('getSelection().toString()')).trim()
}

/** Copies the selection with the keyboard and pastes it into an input. */
async function copied({ page, context }: Visit): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('Control+C')
  return page.evaluate<string>('navigator.clipboard.readText()')
}

async function dragOver(page: Page, value: Locator): Promise<void> {
  const box = await value.boundingBox()
  if (box === null) throw new Error('value is not visible')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 1, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, y, { steps: 4 })
  await page.mouse.move(box.x + box.width - 1, y, { steps: 4 })
  await page.mouse.up()
}

describe('a truncated value', () => {
  test.each([
    { name: 'URL', path: () => `/webhooks/${hook.id}`, text: () => hook.url, isTruncated: true },
    { name: 'short ID', path: () => `/events/${event}`, text: () => event, isTruncated: false },
  ])('is selected and copied whole: $name', async ({ path, text, isTruncated }) => {
    await client.visit(desktop, async (visit) => {
      const { page } = visit
      await page.goto(path())
      const value = valueOf(page, text())
      await value.waitFor()
      const width = (await value.boundingBox())?.width ?? 0
      expect(width).toBeLessThan(desktop.width)
      const overflows = await value.evaluate((code) =>
        [code, ...code.children].some((part) => part.scrollWidth > part.clientWidth + 1),
      )
      expect(overflows).toBe(isTruncated)

      await value.click({ clickCount: 3 })
      expect(await selected(page)).toBe(text())
      expect((await copied(visit)).trim()).toBe(text())
      await page.mouse.click(5, 400)
      await dragOver(page, value)
      expect(await selected(page)).toBe(text())
      expect((await copied(visit)).trim()).toBe(text())
    })
  })
})

/** Tables and cells that are wider than the card around them, or whose content is, as "tag: text". */
const tooWide = `[...document.querySelectorAll('section')].flatMap((card) => {
  const { right } = card.getBoundingClientRect()
  return [...card.querySelectorAll('table, td')]
    .filter((part) => part.getBoundingClientRect().right > right + 0.5 || part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.tagName + ': ' + part.textContent.slice(0, 40))
})`

test('tables with long values stay inside their card', async () => {
  await client.visit(desktop, async ({ page }) => {
    for (const path of ['/webhooks', '/events', '/keys', '/apps', '/replays']) {
      await page.goto(path)
      await page.getByRole('table').first().waitFor()
      await page.locator('[aria-busy=false][role=table]').first().waitFor()
      expect(await page.evaluate(tooWide), path).toEqual([])
    }
  })
})
