/** Webhook pages of the dashboard: health, settings, actions and attempts. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { ReceivedRequest } from '../../dev/receiver.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

const narrow = { width: 375, height: 740 }

let deliveries: Deliveries
/** Account whose webhooks change with every test. */
let client: AccountClient
/** Account whose webhooks never change. */
let watcher: AccountClient
/** One webhook per state. */
let hooks: Record<'steady' | 'broken' | 'held' | 'off' | 'idle', TestHook>

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  watcher = await deliveries.createAccount()
  hooks = {
    steady: await watcher.createHook('/a-steady'),
    broken: await watcher.createHook('/broken/b'),
    held: await watcher.createHook('/c-held'),
    off: await watcher.createHook('/d-off', { event_type: 'dlr', event_filter: '' }),
    idle: await watcher.createHook('/e-idle', { event_type: 'voice_call', request_method: 'GET' }),
  }
  for (const { id } of [hooks.held, hooks.off]) await watcher.post(`/api/hooks/${id}/disable`)
  for (const hook of [hooks.steady, hooks.steady, hooks.broken, hooks.held, hooks.held])
    await watcher.submitEventFor(hook)
  await watcher.waitForState(hooks.steady, 'delivered', 2)
  await watcher.waitForState(hooks.held, 'held', 2)
  await deliveries.receiver.until(() => deliveries.receiver.at('/broken/b').length > 0)
})
afterAll(() => deliveries.close())

function rowOf(page: Page, { id }: TestHook) {
  return page
    .getByRole('table', { name: 'Webhooks' })
    .getByRole('row')
    .filter({ has: page.locator(`a[href="/webhooks/${id}"]`) })
}

/** Returns the IDs of the listed webhooks, from top to bottom. */
async function listed(page: Page): Promise<number[]> {
  const links = page.getByRole('table', { name: 'Webhooks' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => Number(href.split('/').at(-1)))
}

function ids(...some: TestHook[]): number[] {
  return some.map(({ id }) => id)
}

async function choose(page: Page, { endpoint }: TestHook, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${endpoint}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

function headersOf({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

test.each(screens)(
  'the list shows the state of each webhook and applies the filter and sort order of the URL, on $name',
  async ({ viewport }) => {
    const { steady, broken, held, off, idle } = hooks
    await watcher.visit(viewport, async ({ page }) => {
      await page.goto('/webhooks')
      for (const [hook, ...texts] of [
        [steady, 'Healthy', '100%'],
        [broken, 'Failing', 'View reasons', 'None finished yet'],
        [held, 'Disabled', '2 events on hold'],
        [off, 'Disabled', 'Delivery report'],
        [idle, 'Idle', 'Never', 'GET', 'No deliveries'],
      ] as const)
        for (const text of texts) await rowOf(page, hook).getByText(text).first().waitFor()
      expect(await rowOf(page, off).getByText('on hold').count()).toBe(0)
      // Needs attention first; the newest first within a state.
      expect(await listed(page)).toEqual(ids(broken, off, held, idle, steady))

      const sort = page.getByLabel('Sort by')
      await sort.selectOption('newest')
      await expect.poll(() => listed(page)).toEqual(ids(idle, off, held, broken, steady))
      await sort.selectOption('address')
      await expect.poll(() => listed(page)).toEqual(ids(steady, broken, held, off, idle))
      await sort.selectOption('delivery')
      await expect.poll(async () => (await listed(page))[0]).toBe(steady.id)

      await page.getByRole('button', { name: 'Disabled 2' }).click()
      await expect.poll(() => listed(page)).toEqual(expect.arrayContaining(ids(held, off)))
      await expect.poll(async () => (await listed(page)).length).toBe(2)
      await page.getByLabel('Filter webhooks').fill('C-HELD')
      await expect.poll(() => listed(page)).toEqual(ids(held))
      await page.reload()
      await rowOf(page, held).waitFor()
      expect(await listed(page)).toEqual(ids(held))
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        state: 'disabled',
        sort: 'delivery',
        q: 'C-HELD',
      })
      await page.getByLabel('Filter webhooks').fill('nothing like it')
      await page.getByText('No matching webhooks').waitFor()
    })
  },
)

test.each(screens)(
  'a webhook page shows state, stats, a chart with its table, failure reasons with hints, and attempts, on $name',
  async ({ viewport }) => {
    const { steady, broken } = hooks
    await watcher.visit(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${steady.id}`)
      await page.getByText('Healthy. 2 deliveries in the last 24 hours.').waitFor()
      const stats = page.getByRole('list', { name: 'Stats, last 24 hours' })
      for (const text of ['100%', '2 delivered, 0 failed', '0 failed attempts', 'None pending'])
        await stats.getByText(text).waitFor()
      await page.getByText('No failed attempts in this period').waitFor()

      await page.goto(`/webhooks/${broken.id}`)
      await page.getByText(/^Failing\. All attempts since .+ failed\./).waitFor()
      const errors = page.getByRole('region', { name: 'Failure reasons' })
      await errors.getByText('Check the logs of your server at this time').waitFor()
      await errors.getByText('500').first().waitFor()

      const chart = page.getByRole('figure')
      await chart.locator('svg').first().waitFor()
      const hours = chart.getByRole('table', { name: 'Last 24 hours, hourly' })
      expect(await hours.getByRole('row').count()).toBe(1 + 24)
      const attemptCount = deliveries.receiver.at(broken.path).length
      const failed = await hours.locator('tbody tr td:nth-of-type(2)').allTextContents()
      expect(failed.reduce((sum, text) => sum + Number(text), 0)).toBeGreaterThanOrEqual(1)
      expect(failed.reduce((sum, text) => sum + Number(text), 0)).toBeLessThanOrEqual(attemptCount)
      await page.getByRole('button', { name: '30d' }).click()
      const byDay = chart.getByRole('table', { name: 'Last 30 days, daily' })
      await expect.poll(() => byDay.getByRole('row').count()).toBe(1 + 30)

      const attempts = page.getByRole('region', { name: 'Recent attempts' })
      const group = attempts.getByRole('button', { name: /^500 Responded 500 · \d+ times/ })
      const first = attempts.getByRole('button', { name: /^(Attempt 1 )?500 Responded 500 in/ })
      await first.or(group).first().waitFor()
      // Retries in a row are one line.
      if (await group.isVisible()) await group.click()
      await first.last().click()
      expect((await first.last().boundingBox())?.height).toBeLessThan(50)
      const request = attempts.getByRole('group', { name: 'Request', exact: true }).last()
      await request.getByText(`POST ${broken.url}`).waitFor()
      await request.getByText('"webhook_event": "sms_mo"').waitFor()
      const response = attempts.getByRole('group', { name: 'Response', exact: true }).last()
      await response.getByText('Status 500').waitFor()
      await response.getByText('the database is locked').waitFor()
      for (const phase of ['DNS', 'Connect', 'TLS', 'Wait', 'Read', 'Total'])
        await attempts.getByRole('term').filter({ hasText: phase }).last().waitFor()
    })
  },
)

test.each([
  { held: 'Deliver', arrive: 2, outcome: 'queued' },
  { held: 'Drop', arrive: 0, outcome: 'dropped' },
])(
  'a disabled webhook holds its events; enabled with "$held", $arrive of 2 arrive',
  async ({ held, arrive, outcome }) => {
    const hook = await client.createHook(`/switched-${held}`)
    await client.visit(desktop, async ({ page }) => {
      await page.goto('/webhooks')
      await choose(page, hook, 'Disable')
      await page.getByText(`${hook.endpoint} disabled, new events are held`).waitFor()
      await rowOf(page, hook).getByText('Disabled').waitFor()
      const events = [await client.submitEventFor(hook), await client.submitEventFor(hook)]
      await client.waitForState(hook, 'held', 2)

      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText('You disabled this webhook. 2 events on hold.').waitFor()
      await page.getByText('choose to deliver or drop them').waitFor()
      expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Enable' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('2 events on hold').waitFor()
      await dialog.getByRole('radio', { name: `${held} events` }).check()
      await dialog.getByRole('button', { name: 'Enable webhook' }).click()
      await page.getByText(`${hook.endpoint} enabled, 2 held events ${outcome}`).waitFor()
      if (arrive > 0) await page.getByText('Done: 2 delivered').first().waitFor()

      await client.waitForState(hook, arrive > 0 ? 'delivered' : 'cancelled', 2)
      for (const id of events) expect(deliveries.received(hook.path, id)).toHaveLength(arrive / 2)
      const next = await client.submitEventFor(hook)
      await deliveries.receiver.until(() => deliveries.received(hook.path, next).length === 1)
      expect(deliveries.receiver.at(hook.path)).toHaveLength(arrive + 1)
    })
  },
)

test('disabling a webhook reports how many pending deliveries are on hold', async () => {
  const hook = await client.createHook('/broken/waiting')
  await client.submitEventFor(hook)
  await deliveries.receiver.until(() => deliveries.receiver.at(hook.path).length === 1)
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText(/^Failing\./).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText(`${hook.endpoint} disabled, 1 delivery on hold`).waitFor()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByText('You disabled this webhook. 1 event on hold.').waitFor()
  })
})

test.each(screens)('a webhook is deleted only after confirmation, on $name', async ({ viewport }) => {
  const hook = await client.createHook('/deleted')
  const kept = await client.createHook('/kept')
  await client.visit(viewport, async ({ page }) => {
    await page.goto('/webhooks')
    await choose(page, hook, 'Delete')
    await page.getByRole('dialog', { name: `Delete ${hook.endpoint}?` }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await client.get(`/api/hooks/${hook.id}`)).status).toBe(200)

    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText(`${hook.endpoint} deleted`).waitFor()
    await page.waitForURL('**/webhooks')
    await rowOf(page, kept).waitFor()
    expect(await rowOf(page, hook).count()).toBe(0)
    expect((await client.get(`/api/hooks/${hook.id}`)).status).toBe(404)
  })
  const event = await client.submitEventFor(hook)
  await client.visit(viewport, async ({ page }) => {
    await page.goto(`/events/${event}`)
    await page.getByText('The webhook was deleted before this event.').first().waitFor()
  })
  expect(deliveries.receiver.at(hook.path)).toEqual([])
})

test('a test event of every type arrives and shows the response', async () => {
  const hook = await client.createHook('/tested', { event_type: 'all' })
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks')
    await choose(page, hook, 'Send test event')
    const dialog = page.getByRole('dialog', { name: `Send test event to ${hook.endpoint}` })
    const types = dialog.getByLabel('Event type')
    const offered = await types
      .getByRole('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''))
    expect(new Set(offered)).toEqual(
      new Set(['dlr', 'rcs', 'sms_mo', 'tracking', 'voice_call', 'voice_dtmf', 'voice_status', 'wa_mo']),
    )
    for (const type of offered) {
      await types.selectOption(type)
      await dialog.getByRole('button', { name: /^Send (event|another)$/ }).click()
      await dialog.getByText(`"webhook_event": "${type}"`).waitFor()
      await dialog.getByText(/^Responded 200 in .+ Delivered\.$/).waitFor()
      await dialog.getByText('thank you').waitFor()
    }
    const got = deliveries.receiver.at(hook.path)
    expect(got.map(({ body }) => JSON.parse(body).webhook_event)).toEqual(offered)
    expect(got.map(({ headers }) => headers['x-hookline-test'])).toEqual(offered.map(() => '1'))
  })
})

test.each([
  {
    how: 'gets a 500 response',
    url: () => deliveries.receiver.url('/broken/tested'),
    message: /^Responded 500 in/,
    hint: 'Check the logs of your server at this time: it failed while handling the event.',
    response: 'the database is locked',
  },
  {
    how: 'is refused a connection',
    url: () => `${deliveries.closedUrl}/tested`,
    message: /^Connection refused\./,
    hint: 'Check that your server is running and listens on this port.',
    response: 'No response received',
  },
])('a test event that $how shows the reason and a hint', async ({ url, message, hint, response }) => {
  const hook = await client.createHook('', { target_url: url() })
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByRole('button', { name: 'Send test event' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send event' }).click()
    for (const text of [message, hint, response]) await dialog.getByText(text).first().waitFor()
  })
})

test('a webhook that is backing off shows the next attempt until it is disabled', async () => {
  const hook = await client.createHook('/broken/paused')
  for (let count = 0; count < 5; count++) await client.submitEventFor(hook)
  const state = async () => (await client.get(`/api/hooks/${hook.id}`)).json.health.state
  await expect.poll(state, { timeout: 30_000 }).toBe('backing_off')
  await deliveries.hookline.database.query(
    `UPDATE lane SET not_before = now() + interval '5 minutes' WHERE hook_id = $1`,
    [hook.id],
  )
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText(/^Backing off\. Most recent attempts failed/).waitFor()
    const countdown = page.getByText(/^in \d/)
    await countdown.waitFor()
    // Test events do not wait.
    await page.getByRole('button', { name: 'Send test event' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send event' }).click()
    await dialog.getByText(/^Responded 500 in/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('You disabled this webhook').waitFor()
    expect(await countdown.count()).toBe(0)
  })
})

test('equal attempts in a row are one line that expands to each attempt', async () => {
  const hook = await client.createHook('/grouped')
  for (let more = 0; more < 3; more++) await client.submitEventFor(hook)
  await client.waitForState(hook, 'delivered', 3)
  await client.visit(narrow, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}`)
    const attempts = page.getByRole('region', { name: 'Recent attempts' })
    const group = attempts.getByRole('button', { name: /^200 Responded 200 · 3 times/ })
    await group.waitFor()
    expect((await group.boundingBox())?.height).toBeLessThan(50)
    expect(await attempts.getByRole('button').count()).toBe(1)
    await group.press('Enter')
    const single = attempts.getByRole('button', { name: /Responded 200 in/ })
    await expect.poll(() => single.count()).toBe(3)
    await single.first().press('Enter')
    await attempts.getByText('thank you').first().waitFor()
  })
})

describe.each([
  { name: 'desktop', viewport: desktop },
  { name: 'phone', viewport: narrow },
])('the tabs of a webhook, on $name', ({ viewport }) => {
  test('are part of the URL and reachable by keyboard, and Events links to the filtered search', async () => {
    const { steady } = hooks
    await watcher.visit(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${steady.id}?tab=settings`)
      const tabs = page.getByRole('navigation', { name: 'Webhook', exact: true })
      await page.getByRole('region', { name: 'Settings' }).waitFor()
      await page.getByText('Healthy. 2 deliveries in the last 24 hours.').waitFor()
      expect(await tabs.locator('[aria-current=page]').textContent()).toBe('Settings')
      await tabs.getByRole('link', { name: 'Settings' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/webhooks/${steady.id}?tab=signing`)
      await page.getByRole('region', { name: 'Signing secret' }).waitFor()
      await page.goBack()
      await page.getByRole('region', { name: 'Settings' }).waitFor()
      await tabs.getByRole('link', { name: 'Activity' }).click()
      await page.getByRole('region', { name: 'Recent attempts' }).waitFor()
      expect(new URL(page.url()).search).toBe('')

      await tabs.getByRole('link', { name: 'Events' }).click()
      const table = page.getByRole('table', { name: 'Latest events' })
      await expect.poll(() => table.getByRole('row').count()).toBe(1 + 2)
      await table.getByText('Delivered').first().waitFor()
      await page.getByRole('link', { name: 'View all events' }).click()
      await page.waitForURL(`**/events?hook_id=${steady.id}`)
    })
  })

  test('History shows who changed what without header values, and restores a version', async () => {
    const hook = await client.createHook(`/history-${viewport.width}`, { headers: 'X-Token: old-secret' })
    await client.post(`/api/hooks/${hook.id}`, {
      target_url: deliveries.receiver.url('/history-wrong'),
      headers: 'X-Token: new-secret',
      max_per_second: 5,
      name: 'n'.repeat(200),
    })
    await client.visit(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}?tab=history`)
      const history = page.getByRole('region', { name: 'History' })
      const versions = history.getByRole('listitem')
      await expect.poll(() => versions.count()).toBe(2)
      const edit = versions.first()
      await edit.getByText(client.account.alias).waitFor()
      for (const text of [
        'edited the webhook',
        'current',
        'Values changed: X-Token',
        '5 deliveries per second',
      ])
        await edit.getByText(text).first().waitFor()
      await edit.getByText(hook.url, { exact: true }).waitFor()
      expect(await history.textContent()).not.toContain('secret')
      expect(await edit.getByRole('button').count()).toBe(0)

      await versions.last().getByRole('button', { name: 'Restore this version' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(hook.url, { exact: true }).waitFor()
      await dialog.getByText('The state (enabled or disabled) and the signing secret stay').waitFor()
      await dialog.getByRole('button', { name: 'Restore version' }).click()
      await page.getByText('Version restored').waitFor()
      await expect.poll(() => versions.count()).toBe(3)
      const event = await client.submitEventFor(hook)
      await deliveries.receiver.until(() => deliveries.received(hook.path, event).length === 1)
      const [request] = deliveries.received(hook.path, event)
      expect(request?.headers['x-token']).toBe('old-secret')
      expect(deliveries.receiver.at('/history-wrong')).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)

      // A version that equals another webhook cannot be restored.
      const taken = await client.createHook(`/moved-${viewport.width}`, { event_filter: '' })
      await client.post(`/api/hooks/${taken.id}`, {
        target_url: deliveries.receiver.url(`/away-${viewport.width}`),
      })
      await client.createHook(`/moved-${viewport.width}`, { event_filter: '' })
      await page.goto(`/webhooks/${taken.id}?tab=history`)
      await versions.last().getByRole('button', { name: 'Restore this version' }).click()
      await dialog.getByText('already has this URL, type, method, filter and headers').waitFor()
      expect(await dialog.getByRole('button', { name: 'Restore version' }).isDisabled()).toBe(true)

      await page.goto('/account/audit?about=webhooks')
      await page
        .getByText(/restored an earlier version of/)
        .first()
        .waitFor()
    })
  })
})

test('the signing secret is revealed on request, and a rotated secret signs beside the previous one', async () => {
  const hook = await client.createHook('/signed')
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}?tab=signing`)
    const secrets = page.getByRole('region', { name: 'Signing secret' })
    await secrets.getByRole('button', { name: 'Reveal secret' }).waitFor()
    const revealed = secrets.getByText(/^whsec_\S{20}/)
    expect(await revealed.count()).toBe(0)
    await secrets.getByRole('button', { name: 'Reveal secret' }).click()
    const previous = (await revealed.textContent()) ?? ''

    await secrets.getByRole('button', { name: 'Rotate secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('For 24 hours, requests carry two signatures').waitFor()
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await secrets.getByText('The previous secret expires').waitFor()
    const rotated = (await revealed.textContent()) ?? ''
    expect(rotated).not.toBe(previous)
    await secrets.getByText('Last rotated').waitFor()

    const event = await client.submitEventFor(hook)
    await deliveries.receiver.until(() => deliveries.received(hook.path, event).length === 1)
    const [request] = deliveries.received(hook.path, event)
    for (const secret of [rotated, previous]) {
      const verified = request && new Webhook(secret).verify(request.body, headersOf(request))
      expect(verified).toMatchObject({ webhook_event: 'sms_mo' })
    }
    await page.goto('/account/audit?about=webhooks')
    await page.getByText(`revealed the signing secret of “${hook.endpoint}”`).waitFor()
    await page.getByText(`rotated the signing secret of “${hook.endpoint}”`).waitFor()
  })
})

test('every page shows webhooks by name or endpoint, never by id alone', async () => {
  const owner = await deliveries.createAccount()
  const named = await owner.createHook('/broken/named')
  const unnamed = await owner.createHook('/unnamed', { event_filter: named.number })
  const name = 'Orders to CRM'
  await owner.post(`/api/hooks/${named.id}`, { name })
  const event = await owner.submitEventFor(named)
  await owner.waitForState(unnamed, 'delivered', 1)
  await deliveries.receiver.until(() => deliveries.receiver.at(named.path).length > 0)
  const selection = { deliveries: [{ event_id: event, hook_id: unnamed.id }] }
  const { replay } = (await owner.post('/api/replays', { selection })).json
  await owner.post(`/api/hooks/${unnamed.id}/secret`)
  await owner.visit(desktop, async ({ page }) => {
    for (const [path, ...texts] of [
      ['/', name],
      ['/webhooks', name, unnamed.endpoint],
      [`/webhooks/${named.id}`, name],
      [`/webhooks/${unnamed.id}/edit`, unnamed.endpoint],
      ['/events', name, unnamed.endpoint],
      [`/events/${event}`, name, unnamed.endpoint],
      ['/replays', unnamed.endpoint],
      [`/replays/${replay.id}`, unnamed.endpoint],
      ['/account/audit?about=webhooks', unnamed.endpoint],
    ] as const) {
      await page.goto(path)
      for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor()
      expect(await page.locator('body').innerText(), path).not.toMatch(/\bwebhook \d+\b/i)
    }
  })
})
