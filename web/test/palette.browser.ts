/** The command palette and keyboard shortcuts: search, actions on webhooks with their confirmations, general actions. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop, expectAccessible, screens } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries, type TestHook } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let orders: TestHook
let broken: TestHook

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  orders = await client.createHook('/incoming/orders')
  broken = await client.createHook('/broken/billing')
  await client.post(`/api/hooks/${orders.id}`, { name: 'Orders API' })
  // More than a page lists, and more than the palette may load.
  await deliveries.hookline.database.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $1, url, url, 'sms_dlr', 'JSON', sha256(url::bytea)
     FROM (SELECT 'https://many-' || n || '.example.com/in' AS url FROM generate_series(1, 1200) AS n) AS many`,
    [client.account.accountId],
  )
})
afterAll(() => deliveries.close())

function palette(page: Page) {
  return page.getByRole('dialog', { name: 'Search' })
}

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click()
  await palette(page).getByRole('combobox').and(page.locator(':focus')).waitFor()
}

/** Types a text and runs the option that is selected by then. */
async function run(page: Page, text: string, option: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('combobox').fill(text)
  await palette(page).getByRole('option', { name: option, selected: true }).waitFor()
  await page.keyboard.press('Enter')
}

test.each(screens)(
  'the palette finds webhooks by name, host and path among 1,200, and sends a test, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      await page.goto('/account')
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
      await openPalette(page)
      const field = palette(page).getByRole('combobox')
      for (const { text, found } of [
        { text: 'orders api', found: 'Orders API' },
        { text: 'incoming orders', found: 'Orders API' },
        { text: 'many-1177', found: 'many-1177.example.com/in' },
        { text: 'billing', found: '/broken/billing' },
      ]) {
        await field.fill(text)
        await page
          .getByRole('group', { name: 'Webhooks' })
          .getByRole('option', { name: found, selected: true })
          .waitFor()
      }
      await field.fill('many')
      await page.getByRole('option', { name: 'many-1.example.com/in', selected: true }).waitFor()
      expect(await palette(page).getByRole('option').count()).toBeLessThanOrEqual(20)
      // The list of all webhooks with their health is megabytes.
      expect(loaded).not.toContain('/api/hooks/health')
      await expectAccessible(page)

      const before = deliveries.receiver.at(orders.path).length
      await field.fill('test orders')
      await page.getByRole('option', { name: 'Send test event to Orders API' }).click()
      const dialog = page.getByRole('dialog', { name: /^Send test event/ })
      await dialog.getByRole('button', { name: 'Send event' }).click()
      await dialog.getByText('Responded 200').first().waitFor()
      expect(deliveries.receiver.at(orders.path)).toHaveLength(before + 1)
      await page.keyboard.press('Escape')
      // The focus returns to the button that opened the palette.
      await page.getByRole('button', { name: 'Search' }).and(page.locator(':focus')).waitFor()
    })
  },
)

test('actions on webhooks have the confirmations of the pages, by keyboard alone', async () => {
  await client.submitEventFor(broken)
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()

    await run(page, 'disable orders', 'Disable Orders API')
    await page.getByText(/disabled, new events are held/).waitFor()
    await run(page, 'orders enable', 'Enable Orders API')
    const enable = page.getByRole('dialog', { name: /^Enable/ })
    await enable.getByText('No events on hold.').waitFor()
    await page.keyboard.press('Escape')
    await enable.waitFor({ state: 'detached' })
    expect((await client.get(`/api/hooks/${orders.id}`)).json.hook.enabled).toBe(false)
    await client.post(`/api/hooks/${orders.id}/enable`)

    await run(page, 'replay billing', 'Replay failures of the last 24 hours:')
    await page.getByRole('dialog', { name: 'Start replay' }).getByText('Nothing to replay').waitFor()
    await page.keyboard.press('Escape')

    await deliveries.ageFailedAttempts(broken)
    await run(page, 'retry billing', 'Retry now:')
    await page.getByText('Retrying pending deliveries').waitFor()
    await deliveries.receiver.until(() => deliveries.receiver.at(broken.path).length >= 2)

    const secret = async () => (await client.get(`/api/hooks/${orders.id}/secret`)).json.secret
    const current = await secret()
    await run(page, 'rotate orders', 'Rotate secret of Orders API')
    const rotate = page.getByRole('dialog', { name: 'Rotate secret for Orders API?' })
    await rotate.getByText(/^For 24 hours/).waitFor()
    expect(await secret()).toBe(current)
    await rotate.getByRole('button', { name: 'Rotate secret' }).press('Enter')
    await page.waitForURL(`**/webhooks/${orders.id}`)
    expect(await secret()).not.toBe(current)
  })
})

test('general actions and shortcuts work by keyboard, but not while typing', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await run(page, 'dark', 'Use dark theme')
    await page.locator('[data-mantine-color-scheme=dark]').waitFor()

    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('New webhook').waitFor()
    await expectAccessible(page)
    // Shortcuts do not work behind a dialog.
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/account')

    for (const [key, path] of [
      ['o', '/'],
      ['e', '/events'],
      ['r', '/replays'],
      ['w', '/webhooks'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.waitForURL((url) => url.pathname === path)
    }
    await page.keyboard.press('n')
    await page.waitForURL('**/webhooks/new')
    await page.getByLabel('Endpoint URL').fill('')
    await page.getByLabel('Endpoint URL').pressSequentially('https://g.example/no?/')
    expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('https://g.example/no?/')
    expect(await page.getByRole('dialog').count()).toBe(0)

    await page.goto('/account')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await run(page, 'shortcuts', 'Show keyboard shortcuts')
    await list.getByRole('switch', { name: 'Use single-key shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.keyboard.press('/')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/account')
    await run(page, 'sign out', 'Sign out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
