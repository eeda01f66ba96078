/** Accuracy of the webhook pages: failed deliveries, stale data, time ranges and action results. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exhaustRetries } from '../../server/test/support/exhaust-retries.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries

beforeAll(async () => {
  deliveries = await startDeliveries()
})
afterAll(() => deliveries.close())

/** Creates a webhook with one failed delivery that has worked since. */
async function createDegradedHook(client: AccountClient, path: string): Promise<TestHook> {
  const hook = await client.createHook(`/broken${path}`)
  await exhaustRetries(deliveries.hookline, await client.submitEventFor(hook), hook.id)
  await client.post(`/api/hooks/${hook.id}`, { target_url: deliveries.receiver.url(path) })
  await client.submitEventFor(hook)
  await client.waitForState(hook, 'delivered', 1)
  return hook
}

function alerts(page: Page) {
  return page.getByRole('region', { name: 'Alerts' })
}

/** Simulates a return to the window, which refetches data. */
async function refocusWindow(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}

/** Blocks matching requests until the returned function is called. */
async function blockRequests(page: Page, calls: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(calls, async (route) => {
    await released
    await route.continue()
  })
  return resolve
}

async function newHook(path: string): Promise<{ client: AccountClient; hook: TestHook }> {
  const client = await deliveries.createAccount()
  return { client, hook: await client.createHook(path) }
}

/** Disables a webhook from a list that hides disabled webhooks. */
async function disable(page: Page, { endpoint }: TestHook): Promise<void> {
  await page.goto('/webhooks?state=idle')
  await page.getByRole('button', { name: `Actions for ${endpoint}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
}

const unreachable = /Failed to load resource: net::ERR_CONNECTION_REFUSED/

describe.each(screens)('on $name', ({ name, viewport }) => {
  test('a degraded webhook shows its state, reason and next step on every page', async () => {
    const client = await deliveries.createAccount()
    const hook = await createDegradedHook(client, `/lossy/${name.slice(2)}`)
    const lost = '1 of 2 deliveries in the last 24 hours failed or expired.'
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/')
      await alerts(page).getByText('Degraded').waitFor()
      await alerts(page).getByText(`Responded 500. ${lost}`).waitFor()
      expect(await page.getByText('No issues').count()).toBe(0)

      await page.goto('/webhooks')
      const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').last()
      for (const text of ['Degraded', '1 failed']) await row.getByText(text).waitFor()
      await row.getByRole('link', { name: 'View reasons' }).click()

      await page.getByText(`Degraded. ${lost}`).waitFor()
      await page.getByText(/^Last failure .+: Responded 500\. Check the logs of your server/).waitFor()
      await page.getByText('Failed deliveries are not retried automatically').waitFor()
      await page.getByRole('link', { name: 'View failed events' }).click()
      await page.waitForURL(`**/events?hook_id=${hook.id}&state=failed`)
    })
  })
})

test('the overview reports no issues only if no delivery failed in the period', async () => {
  const client = await deliveries.createAccount()
  const steady = await client.createHook('/quiet')
  await client.submitEventFor(steady)
  await client.waitForState(steady, 'delivered', 1)
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/')
    await alerts(page).getByText('No issues').waitFor()
    const lossy = await createDegradedHook(client, '/quiet-lossy')
    await client.remove(`/api/hooks?id=${lossy.id}`)
    await page.reload()
    await alerts(page).getByText('No current issues').waitFor()
    await alerts(page).getByText('1 of 3 deliveries in the last 24 hours failed or expired.').waitFor()
    expect(await page.getByText('No issues').count()).toBe(0)

    await deliveries.hookline.database.query(
      `UPDATE rollups SET hour = hour - interval '3 days' WHERE account_id = $1`,
      [client.account.accountId],
    )
    await page.reload()
    await alerts(page).getByText('No issues').waitFor()
    await page.getByRole('button', { name: '30d' }).click()
    await alerts(page).getByText('1 of 3 deliveries in the last 30 days failed or expired.').waitFor()
    expect(await page.getByText('No issues').count()).toBe(0)
  })
})

test('a notice shows stale data until a refetch succeeds', async () => {
  const client = await deliveries.createAccount()
  const hook = await client.createHook('/renewed')
  await client.visit(
    desktop,
    async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Idle\./).waitFor()
      const notice = page.getByText(/^Last updated \d\d:\d\d\. Retrying…$/)
      await page.route('**/api/**', (route) => route.abort('connectionrefused'))
      await refocusWindow(page)
      await notice.waitFor()
      await page.getByText(/^Idle\./).waitFor()
      await page.unroute('**/api/**')
      // Retried automatically.
      await notice.waitFor({ state: 'detached', timeout: 40_000 })
    },
    unreachable,
  )
})

test('the newest attempts refresh automatically', async () => {
  const client = await deliveries.createAccount()
  const hook = await client.createHook('/watched')
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('No attempts yet').waitFor()
    await client.submitEventFor(hook)
    await client.waitForState(hook, 'delivered', 1)
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    await attempts.getByText('Responded 200').waitFor({ timeout: 40_000 })
  })
})

test.each([
  { name: 'the overview', path: () => '/', calls: '**/api/overview?range=30d' },
  { name: 'a webhook', path: (id: number) => `/webhooks/${id}`, calls: '**/stats?range=30d' },
])('stats of $name keep their range label until data of another range arrives', async ({ path, calls }) => {
  const client = await deliveries.createAccount()
  const hook = await createDegradedHook(client, '/ranges')
  await client.visit(desktop, async ({ page }) => {
    await page.goto(path(hook.id))
    const chart = page.getByRole('figure').first()
    const hours = chart.getByRole('table', { name: 'Last 24 hours, hourly' })
    await hours.getByRole('row').nth(24).waitFor({ state: 'attached' })
    const release = await blockRequests(page, calls)
    await page.getByRole('button', { name: '30d' }).click()
    const stale = page.locator('[data-stale=true]').filter({ has: chart })
    await stale.waitFor()
    expect(await hours.getByRole('row').count()).toBe(1 + 24)
    expect(await page.getByText('Last 30 days').count()).toBe(0)
    release()
    const days = chart.getByRole('table', { name: /^Last 30 days, daily/ })
    await days.getByRole('row').nth(30).waitFor({ state: 'attached' })
    expect(await page.locator('[data-stale=true]').count()).toBe(0)
  })
})

test('the webhook filter keeps typed text while the URL follows', async () => {
  const client = await deliveries.createAccount()
  const one = await client.createHook('/typed-one')
  await client.createHook('/typed-two')
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks')
    const filter = page.getByLabel('Filter webhooks')
    await filter.fill('one')
    await page.waitForURL('**/webhooks?q=one')
    await filter.press('Home')
    await page.keyboard.type('typed-')
    expect(await filter.inputValue()).toBe('typed-one')
    await page.waitForURL('**/webhooks?q=typed-one')
    await page.getByRole('button', { name: 'Idle 2' }).click()
    await page.waitForURL('**/webhooks?*state=idle*')
    await filter.fill('two')
    await page.waitForURL('**/webhooks?*q=two*')
    await page.goBack()
    await expect.poll(() => filter.inputValue()).toBe('typed-one')
    await page.locator(`a[href="/webhooks/${one.id}"]`).waitFor()
    // Leaving before the URL update does not navigate back.
    await filter.fill('gone')
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await page.waitForTimeout(500)
    expect(new URL(page.url()).search).toBe('')
  })
})

describe('in a filtered list', () => {
  test('disabling a webhook shows a toast with undo even though its row is gone', async () => {
    const { client, hook } = await newHook('/narrowed')
    await client.visit(desktop, async ({ page }) => {
      await disable(page, hook)
      await page.getByText(`${hook.endpoint} disabled, new events are held`).waitFor()
      expect(await page.locator(`a[href="/webhooks/${hook.id}"]`).count()).toBe(0)
      await page.getByRole('button', { name: 'Undo' }).press('Enter')
      await page.getByText(`${hook.endpoint} enabled`).waitFor()
      await page.getByText(`${hook.endpoint} disabled`).waitFor({ state: 'detached' })
      await page.locator('h1:focus').waitFor()
      await page.locator(`a[href="/webhooks/${hook.id}"]`).waitFor()
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
      expect((await client.get(`/api/hooks/${hook.id}`)).json.hook.enabled).toBe(true)
    })
  })

  test('a failure to disable a webhook shows an error', async () => {
    const { client, hook } = await newHook('/narrowed')
    await client.visit(
      desktop,
      async ({ page }) => {
        await page.route('**/disable', (route) => route.abort('connectionrefused'))
        await disable(page, hook)
        await page.getByText(`Failed to disable ${hook.endpoint}: Hookline is unreachable`).waitFor()
        await page.locator(`a[href="/webhooks/${hook.id}"]`).waitFor()
      },
      unreachable,
    )
  })
})

test('the enable dialog keeps its question about held events until the request finishes', async () => {
  const client = await deliveries.createAccount()
  const hook = await client.createHook('/enable-dialog')
  await client.post(`/api/hooks/${hook.id}/disable`)
  await client.submitEventFor(hook)
  await client.waitForState(hook, 'held', 1)
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByRole('button', { name: 'Enable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Drop event' }).check()
    const release = await blockRequests(page, '**/enable')
    await dialog.getByRole('button', { name: 'Enable webhook' }).click()
    // The page already shows the webhook as enabled.
    await page.getByText('Idle. No deliveries in the last 24 hours.').waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(2)
    expect(await dialog.getByText('No events on hold').count()).toBe(0)
    release()
    await page.getByText(`${hook.endpoint} enabled, 1 held event dropped`).waitFor()
  })
})

test('saving with a test sends one test event, and none on going back or reloading', async () => {
  const client = await deliveries.createAccount()
  const path = '/saved-to-test'
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Endpoint URL').fill(deliveries.receiver.url(path))
    const release = await blockRequests(page, '**/test')
    await page.getByRole('button', { name: 'Create and test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Sending…').waitFor()
    await expect
      .poll(() => page.evaluate(`document.querySelector('[role=dialog]')?.contains(document.activeElement)`))
      .toBe(true)
    release()
    await dialog.getByText('Responded 200').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    const url = page.url()

    await dialog.getByRole('link', { name: 'View event', exact: true }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.goBack()
    await page.getByText(/^Healthy\./).waitFor()
    expect(page.url()).toBe(url)
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await page.getByText(/^Healthy\./).waitFor()
    expect(await dialog.count()).toBe(0)
    expect(deliveries.receiver.at(path)).toHaveLength(1)

    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByRole('button', { name: 'Save and test' }).click()
    await dialog.getByText('Responded 200').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('h1:focus').waitFor()
  })
})

test('a webhook deleted elsewhere is reported as not found, not as stale', async () => {
  const { client, hook } = await newHook('/gone-elsewhere')
  await client.visit(
    desktop,
    async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Idle\./).waitFor()
      await client.remove(`/api/hooks?id=${hook.id}`)
      await refocusWindow(page)
      await page.getByText('Webhook not found').waitFor()
      expect(await page.getByText(/^Last updated/).count()).toBe(0)
    },
    /status of 404/,
  )
})

test('an open attempt stays in place while new attempts arrive', async () => {
  const { client, hook } = await newHook('/read')
  const first = await client.submitEventFor(hook)
  await client.waitForState(hook, 'delivered', 1)
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    await attempts.getByRole('button', { name: /Responded 200 in/ }).click()
    const link = attempts.getByRole('link', { name: first })
    await link.waitFor()
    for (let more = 0; more < 30; more++) await client.submitEventFor(hook)
    await client.waitForState(hook, 'delivered', 31)
    await refocusWindow(page)
    // Longer than one refetch interval.
    await page.waitForTimeout(17_000)
    expect(await link.isVisible()).toBe(true)
    await attempts.getByRole('button', { name: /Responded 200 in/ }).click()
    await link.waitFor({ state: 'detached', timeout: 40_000 })
  })
})
