/** What the pages of webhooks say is true: of losses, of what could not be renewed, of ranges, and of what was done. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failForGood } from '../last-attempt.ts'
import { desk, screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries

beforeAll(async () => {
  deliveries = await startDeliveries()
})
afterAll(() => deliveries.close())

/** A webhook that has failed once for good and works since. */
async function losingHook(owner: Owner, path: string): Promise<OwnHook> {
  const hook = await owner.hook(`/broken${path}`)
  await failForGood(deliveries.world, await owner.eventFor(hook), hook.id)
  await owner.post(`/api/hooks/${hook.id}`, { target_url: deliveries.receiver.url(path) })
  await owner.eventFor(hook)
  await owner.until(hook, 'delivered', 1)
  return hook
}

function attention(page: Page) {
  return page.getByRole('region', { name: 'What needs attention' })
}

/** As when somebody comes back to the window. */
async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}

/** Holds back every answer to a call until it is let go. */
async function holdBack(page: Page, calls: string): Promise<() => void> {
  const { promise: isLetGo, resolve } = Promise.withResolvers<void>()
  await page.route(calls, async (route) => {
    await isLetGo
    await route.continue()
  })
  return resolve
}

async function newHook(path: string): Promise<{ owner: Owner; hook: OwnHook }> {
  const owner = await deliveries.owner()
  return { owner, hook: await owner.hook(path) }
}

/** From a list that does not show it once it is disabled. */
async function disable(page: Page, { id }: OwnHook): Promise<void> {
  await page.goto('/webhooks?state=idle')
  await page.getByRole('button', { name: `What to do with webhook ${id}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
}

const unreachable = /Failed to load resource: net::ERR_CONNECTION_REFUSED/

describe.each(screens)('on $name', ({ name, viewport }) => {
  test('a webhook that loses deliveries is called so everywhere, with why and what to do', async () => {
    const owner = await deliveries.owner()
    const hook = await losingHook(owner, `/lossy/${name.slice(2)}`)
    const lost = '1 of 2 deliveries in the last 24 hours failed for good.'
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/')
      await attention(page).getByText(`Webhook ${hook.id} loses deliveries`).waitFor()
      await attention(page).getByText(`The receiver answered 500. ${lost}`).waitFor()
      expect(await page.getByText('All quiet.').count()).toBe(0)

      await page.goto('/webhooks')
      const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').last()
      for (const words of ['Losing', '1 failed']) await row.getByText(words).waitFor()
      await row.getByRole('link', { name: 'See why' }).click()

      await page.getByText(`Losing. ${lost}`).waitFor()
      await page
        .getByText(/^Last, .+: The receiver answered 500\. Look into the log of your server/)
        .waitFor()
      await page.getByText('They are not tried again by themselves').waitFor()
      await page.getByRole('link', { name: 'Failed events, to send again' }).click()
      await page.waitForURL(`**/events?hook_id=${hook.id}&state=failed`)
    })
  })
})

test('all is quiet only where nothing was lost, however long ago', async () => {
  const owner = await deliveries.owner()
  const steady = await owner.hook('/quiet')
  await owner.eventFor(steady)
  await owner.until(steady, 'delivered', 1)
  await owner.look(desk, async ({ page }) => {
    await page.goto('/')
    await attention(page).getByText('All quiet.').waitFor()
    const lossy = await losingHook(owner, '/quiet-lossy')
    await owner.remove(`/api/hooks?id=${lossy.id}`)
    await page.reload()
    await attention(page).getByText('Nothing needs your attention now.').waitFor()
    await attention(page).getByText('1 of 3 deliveries in the last 24 hours failed for good.').waitFor()
    expect(await page.getByText('All quiet.').count()).toBe(0)

    await deliveries.world.database.query(
      `UPDATE rollups SET hour = hour - interval '3 days' WHERE account_id = $1`,
      [owner.account.accountId],
    )
    await page.reload()
    await attention(page).getByText('All quiet.').waitFor()
    await page.getByRole('button', { name: '30 d' }).click()
    await attention(page).getByText('1 of 3 deliveries in the last 30 days failed for good.').waitFor()
    expect(await page.getByText('All quiet.').count()).toBe(0)
  })
})

test('what could not be renewed is said, until it could', async () => {
  const owner = await deliveries.owner()
  const hook = await owner.hook('/renewed')
  await owner.look(
    desk,
    async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Idle\./).waitFor()
      const line = page.getByText(/^Not renewed since \d\d:\d\d; trying again\.$/)
      await page.route('**/api/**', (route) => route.abort('connectionrefused'))
      await lookAgain(page)
      await line.waitFor()
      await page.getByText(/^Idle\./).waitFor()
      await page.unroute('**/api/**')
      // Nothing is pressed: it is tried again by itself.
      await line.waitFor({ state: 'detached', timeout: 40_000 })
    },
    unreachable,
  )
})

test('the newest attempts are renewed by themselves', async () => {
  const owner = await deliveries.owner()
  const hook = await owner.hook('/watched')
  await owner.look(desk, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('No attempt yet').waitFor()
    await owner.eventFor(hook)
    await owner.until(hook, 'delivered', 1)
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    await attempts.getByText('Your server answered 200').waitFor({ timeout: 40_000 })
  })
})

test.each([
  { of: 'the overview', path: () => '/', calls: '**/api/overview?range=30d' },
  { of: 'a webhook', path: (id: number) => `/webhooks/${id}`, calls: '**/stats?range=30d' },
])('figures of $of keep the words of their own range until those of another are there', async (one) => {
  const owner = await deliveries.owner()
  const hook = await losingHook(owner, '/ranges')
  await owner.look(desk, async ({ page }) => {
    await page.goto(one.path(hook.id))
    const chart = page.getByRole('figure')
    const hours = chart.getByRole('table', { name: 'The last 24 hours, by the hour' })
    await hours.getByRole('row').nth(24).waitFor({ state: 'attached' })
    const letGo = await holdBack(page, one.calls)
    await page.getByRole('button', { name: '30 d' }).click()
    const old = page.locator('[data-old=true]').filter({ has: chart })
    await old.waitFor()
    expect(await hours.getByRole('row').count()).toBe(1 + 24)
    expect(await page.getByText('The last 30 days').count()).toBe(0)
    letGo()
    const days = chart.getByRole('table', { name: /^The last 30 days, by the day/ })
    await days.getByRole('row').nth(30).waitFor({ state: 'attached' })
    expect(await page.locator('[data-old=true]').count()).toBe(0)
  })
})

test('what is typed into the filter of webhooks stays as it is typed', async () => {
  const owner = await deliveries.owner()
  const one = await owner.hook('/typed-one')
  await owner.hook('/typed-two')
  await owner.look(desk, async ({ page }) => {
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
    // Who leaves before the address has followed is not called back.
    await filter.fill('gone')
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await page.waitForTimeout(500)
    expect(new URL(page.url()).search).toBe('')
  })
})

describe('in a list that a filter narrows', () => {
  test('that a webhook is disabled is said though its row is gone, and can be undone there', async () => {
    const { owner, hook } = await newHook('/narrowed')
    await owner.look(desk, async ({ page }) => {
      await disable(page, hook)
      await page.getByText(`Webhook ${hook.id} is disabled. Events for it are held from now on.`).waitFor()
      expect(await page.locator(`a[href="/webhooks/${hook.id}"]`).count()).toBe(0)
      await page.getByRole('button', { name: 'Undo' }).press('Enter')
      await page.getByText(`Webhook ${hook.id} is enabled.`).waitFor()
      await page.getByText(`Webhook ${hook.id} is disabled.`).waitFor({ state: 'detached' })
      await page.locator('h1:focus').waitFor()
      await page.locator(`a[href="/webhooks/${hook.id}"]`).waitFor()
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
      expect((await owner.get(`/api/hooks/${hook.id}`)).json.hook.enabled).toBe(true)
    })
  })

  test('that it could not be disabled is said too', async () => {
    const { owner, hook } = await newHook('/narrowed')
    await owner.look(
      desk,
      async ({ page }) => {
        await page.route('**/disable', (route) => route.abort('connectionrefused'))
        await disable(page, hook)
        await page.getByText(`Webhook ${hook.id} is still enabled: Hookline could not be reached`).waitFor()
        await page.locator(`a[href="/webhooks/${hook.id}"]`).waitFor()
      },
      unreachable,
    )
  })
})

test('who enables a webhook is asked about what it held until it is answered', async () => {
  const owner = await deliveries.owner()
  const hook = await owner.hook('/asked')
  await owner.post(`/api/hooks/${hook.id}/disable`)
  await owner.eventFor(hook)
  await owner.until(hook, 'held', 1)
  await owner.look(desk, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByRole('button', { name: 'Enable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Drop it' }).check()
    const letGo = await holdBack(page, '**/enable')
    await dialog.getByRole('button', { name: 'Enable' }).click()
    // It is shown as enabled already.
    await page.getByText('Idle. It is enabled.').waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(2)
    expect(await dialog.getByText('Nothing was held for it').count()).toBe(0)
    letGo()
    await page.getByText(`Webhook ${hook.id} is enabled. 1 held event is dropped.`).waitFor()
  })
})

test('whoever saves to send a test has sent one, and no second one by coming back or loading again', async () => {
  const owner = await deliveries.owner()
  const path = '/saved-to-test'
  await owner.look(desk, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Address').fill(deliveries.receiver.url(path))
    const letGo = await holdBack(page, '**/test')
    await page.getByRole('button', { name: 'Create and send a test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('On its way…').waitFor()
    await expect
      .poll(() => page.evaluate(`document.querySelector('[role=dialog]')?.contains(document.activeElement)`))
      .toBe(true)
    letGo()
    await dialog.getByText('Your server answered 200').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    const address = page.url()

    await dialog.getByRole('link', { name: 'Open the event' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.goBack()
    await page.getByText(/^Healthy\./).waitFor()
    expect(page.url()).toBe(address)
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await page.getByText(/^Healthy\./).waitFor()
    expect(await dialog.count()).toBe(0)
    expect(deliveries.receiver.at(path)).toHaveLength(1)

    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.getByRole('button', { name: 'Save and send a test' }).click()
    await dialog.getByText('Your server answered 200').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('h1:focus').waitFor()
  })
})

test('a webhook that was deleted elsewhere is said to be gone, and not to be old', async () => {
  const { owner, hook } = await newHook('/gone-elsewhere')
  await owner.look(
    desk,
    async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Idle\./).waitFor()
      await owner.remove(`/api/hooks?id=${hook.id}`)
      await lookAgain(page)
      await page.getByText(`There is no webhook ${hook.id}`).waitFor()
      expect(await page.getByText(/^Not renewed since/).count()).toBe(0)
    },
    /status of 404/,
  )
})

test('an attempt that is read stays where it is, whatever comes', async () => {
  const { owner, hook } = await newHook('/read')
  const first = await owner.eventFor(hook)
  await owner.until(hook, 'delivered', 1)
  await owner.look(desk, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    await attempts.getByRole('button', { name: /Attempt 1/ }).click()
    const link = attempts.getByRole('link', { name: first })
    await link.waitFor()
    for (let more = 0; more < 30; more++) await owner.eventFor(hook)
    await owner.until(hook, 'delivered', 31)
    await lookAgain(page)
    // By now it would have been renewed once.
    await page.waitForTimeout(17_000)
    expect(await link.isVisible()).toBe(true)
    await attempts.getByRole('button', { name: /Attempt 1/ }).click()
    await link.waitFor({ state: 'detached', timeout: 40_000 })
  })
})
