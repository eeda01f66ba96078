/** Webhooks in the developer area: how each is doing, and everything that can be done with one. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { ReceivedRequest } from '../../../dev/receiver.ts'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries
/** Whose webhooks change with every test. */
let owner: Owner
/** Whose webhooks stay as they are. */
let watcher: Owner
/** One in every state that people ask about. */
let hooks: Record<'steady' | 'broken' | 'held' | 'off' | 'idle', OwnHook>

beforeAll(async () => {
  deliveries = await startDeliveries()
  owner = await deliveries.owner()
  watcher = await deliveries.owner()
  hooks = {
    steady: await watcher.hook('/a-steady'),
    broken: await watcher.hook('/broken/b'),
    held: await watcher.hook('/c-held'),
    off: await watcher.hook('/d-off', { event_type: 'dlr', event_filter: '' }),
    idle: await watcher.hook('/e-idle', { event_type: 'voice_call', request_method: 'GET' }),
  }
  for (const { id } of [hooks.held, hooks.off]) await watcher.post(`/api/hooks/${id}/disable`)
  for (const hook of [hooks.steady, hooks.steady, hooks.broken, hooks.held, hooks.held])
    await watcher.eventFor(hook)
  await watcher.until(hooks.steady, 'delivered', 2)
  await watcher.until(hooks.held, 'held', 2)
  await deliveries.receiver.until(() => deliveries.receiver.at('/broken/b').length > 0)
})
afterAll(() => deliveries.close())

function rowOf(page: Page, { id }: OwnHook) {
  return page
    .getByRole('table', { name: 'Webhooks' })
    .getByRole('row')
    .filter({ has: page.locator(`a[href="/webhooks/${id}"]`) })
}

/** The ids of the webhooks that are listed, from top to bottom. */
async function listed(page: Page): Promise<number[]> {
  const links = page.getByRole('table', { name: 'Webhooks' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => Number(href.split('/').at(-1)))
}

function ids(...some: OwnHook[]): number[] {
  return some.map(({ id }) => id)
}

async function choose(page: Page, { id }: OwnHook, deed: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with webhook ${id}` }).click()
  await page.getByRole('menuitem', { name: deed }).click()
}

function headersOf({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

describe.each(screens)('on $name', ({ name, viewport }) => {
  /** A path of this screen's own. */
  const own = (path: string) => `${path}/${name.slice(2)}`

  test('the list says how each webhook is doing, and is filtered and sorted by what the address says', async () => {
    const { steady, broken, held, off, idle } = hooks
    await watcher.look(viewport, async ({ page }) => {
      await page.goto('/webhooks')
      for (const [hook, ...words] of [
        [steady, 'Healthy', '100 %'],
        [broken, 'Failing', 'See why', 'None finished yet'],
        [held, 'Disabled', 'holds 2 events'],
        [off, 'Disabled', 'Delivery report'],
        [idle, 'Idle', 'Never', 'GET', 'No deliveries'],
      ] as const)
        for (const word of words) await rowOf(page, hook).getByText(word).first().waitFor()
      expect(await rowOf(page, off).getByText('holds').count()).toBe(0)
      // What needs attention first, and of the same kind the newest.
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
      await page.getByText('No webhook fits').waitFor()
    })
  })

  test('one webhook shows state, figures, chart with its table, errors with advice, and attempts', async () => {
    const { steady, broken } = hooks
    await watcher.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${steady.id}`)
      await page.getByText('Healthy. 2 deliveries in the last 24 hours.').waitFor()
      const figures = page.getByRole('list', { name: 'Figures of the last 24 hours' })
      for (const words of ['100 %', '2 delivered, 0 failed', '0 of them failed', 'Nothing waits'])
        await figures.getByText(words).waitFor()
      await page.getByText('No attempt failed in this time.').waitFor()

      await page.goto(`/webhooks/${broken.id}`)
      await page.getByText(/^Failing\. Every attempt since .+ has failed\./).waitFor()
      const errors = page.getByRole('region', { name: 'Why attempts failed' })
      await errors.getByText('Look into the log of your server at this time').waitFor()
      await errors.getByText('500').first().waitFor()

      const chart = page.getByRole('figure')
      await chart.locator('svg').first().waitFor()
      const heard = chart.getByRole('table', { name: 'The last 24 hours, by the hour' })
      expect(await heard.getByRole('row').count()).toBe(1 + 24)
      const made = deliveries.receiver.at(broken.path).length
      const failed = await heard.locator('tbody tr td:nth-of-type(2)').allTextContents()
      expect(failed.reduce((sum, text) => sum + Number(text), 0)).toBeGreaterThanOrEqual(1)
      expect(failed.reduce((sum, text) => sum + Number(text), 0)).toBeLessThanOrEqual(made)
      await page.getByRole('button', { name: '30 d' }).click()
      const byDay = chart.getByRole('table', { name: 'The last 30 days, by the day' })
      await expect.poll(() => byDay.getByRole('row').count()).toBe(1 + 30)

      const attempts = page.getByRole('region', { name: 'Recent attempts' })
      const first = attempts.getByRole('button', { name: /^Attempt 1 500 Your server answered 500 after/ })
      await first.click()
      const request = attempts.getByRole('group', { name: 'Request', exact: true }).last()
      await request.getByText(`POST ${broken.url}`).waitFor()
      await request.getByText('"webhook_event": "sms_mo"').waitFor()
      const answer = attempts.getByRole('group', { name: 'Answer', exact: true }).last()
      await answer.getByText('Status 500').waitFor()
      await answer.getByText('the database is locked').waitFor()
      for (const phase of ['DNS', 'Connect', 'TLS', 'Wait', 'Read', 'Total'])
        await attempts.getByRole('term').filter({ hasText: phase }).last().waitFor()
    })
  })

  test.each([
    { held: 'Deliver', arrive: 2, said: 'are on the way' },
    { held: 'Drop', arrive: 0, said: 'are dropped' },
  ])(
    'disabled, it holds its events; enabled with "$held", $arrive of 2 arrive',
    async ({ held, arrive, said }) => {
      const hook = await owner.hook(own(`/switched-${held}`))
      await owner.look(viewport, async ({ page }) => {
        await page.goto('/webhooks')
        await choose(page, hook, 'Disable')
        await page.getByText(`Webhook ${hook.id} is disabled. Events for it are held from now on.`).waitFor()
        await rowOf(page, hook).getByText('Disabled').waitFor()
        const events = [await owner.eventFor(hook), await owner.eventFor(hook)]
        await owner.until(hook, 'held', 2)

        await page.goto(`/webhooks/${hook.id}`)
        await page.getByText('You have disabled it. 2 events are held for it.').waitFor()
        await page.getByText('you choose whether they are delivered or dropped').waitFor()
        expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true)
        await page.getByRole('button', { name: 'Enable' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('While it was disabled, 2 events were held for it.').waitFor()
        await dialog.getByRole('radio', { name: `${held} them` }).check()
        await dialog.getByRole('button', { name: 'Enable' }).click()
        await page.getByText(`Webhook ${hook.id} is enabled. 2 held events ${said}.`).waitFor()
        if (arrive > 0) await page.getByText('Done: 2 delivered').first().waitFor()

        await owner.until(hook, arrive > 0 ? 'delivered' : 'cancelled', 2)
        for (const id of events) expect(deliveries.received(hook.path, id)).toHaveLength(arrive / 2)
        const next = await owner.eventFor(hook)
        await deliveries.receiver.until(() => deliveries.received(hook.path, next).length === 1)
        expect(deliveries.receiver.at(hook.path)).toHaveLength(arrive + 1)
      })
    },
  )

  test('who disables a webhook with waiting deliveries is told that they are held', async () => {
    const hook = await owner.hook(own('/broken/waiting'))
    await owner.eventFor(hook)
    await deliveries.receiver.until(() => deliveries.receiver.at(hook.path).length === 1)
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Failing\./).waitFor()
      await page.getByRole('button', { name: 'Disable' }).click()
      await page
        .getByText(`Webhook ${hook.id} is disabled. 1 waiting delivery is held until you enable it.`)
        .waitFor()
      await page.getByRole('button', { name: 'Enable' }).waitFor()
      await page.getByText('You have disabled it. 1 event is held for it.').waitFor()
    })
  })

  test('a webhook is deleted only when that is confirmed', async () => {
    const hook = await owner.hook(own('/deleted'))
    const kept = await owner.hook(own('/kept'))
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks')
      await choose(page, hook, 'Delete')
      await page.getByRole('dialog', { name: `Delete webhook ${hook.id}?` }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect((await owner.get(`/api/hooks/${hook.id}`)).status).toBe(200)

      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('button', { name: 'Delete the webhook' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }).click()
      await page.getByText(`Webhook ${hook.id} is deleted.`).waitFor()
      await page.waitForURL('**/webhooks')
      await rowOf(page, kept).waitFor()
      expect(await rowOf(page, hook).count()).toBe(0)
      expect((await owner.get(`/api/hooks/${hook.id}`)).status).toBe(404)
    })
    const event = await owner.eventFor(hook)
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/events/${event}`)
      await page.getByText('It had been deleted before.').first().waitFor()
    })
    expect(deliveries.receiver.at(hook.path)).toEqual([])
  })

  test('a test of every type that is offered arrives, and what was answered is shown', async () => {
    const hook = await owner.hook(own('/tested'), { event_type: 'all' })
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks')
      await choose(page, hook, 'Send a test')
      const dialog = page.getByRole('dialog', { name: `Send a test to webhook ${hook.id}` })
      const types = dialog.getByLabel('Which event')
      const offered = await types
        .getByRole('option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''))
      expect(new Set(offered)).toEqual(
        new Set(['dlr', 'rcs', 'sms_mo', 'tracking', 'voice_call', 'voice_dtmf', 'voice_status']),
      )
      for (const type of offered) {
        await types.selectOption(type)
        await dialog.getByRole('button', { name: /^Send (the test|another)$/ }).click()
        await dialog.getByText(`"webhook_event": "${type}"`).waitFor()
        await dialog.getByText(/^Your server answered 200 after .+ Delivered\.$/).waitFor()
        await dialog.getByText('thank you').waitFor()
      }
      const got = deliveries.receiver.at(hook.path)
      expect(got.map(({ body }) => JSON.parse(body).webhook_event)).toEqual(offered)
      expect(got.map(({ headers }) => headers['x-hookline-test'])).toEqual(offered.map(() => '1'))
    })
  })

  test.each([
    {
      how: 'is answered with 500',
      url: () => deliveries.receiver.url(own('/broken/tested')),
      says: /^Your server answered 500 after/,
      advice: 'Look into the log of your server at this time: it broke while it handled the event.',
      answer: 'the database is locked',
    },
    {
      how: 'finds nobody there',
      url: () => `${deliveries.deadUrl}${own('/tested')}`,
      says: /^Your server refused the connection\./,
      advice: 'Check that your server runs and listens on this port.',
      answer: 'No answer came.',
    },
  ])('a test that $how says so, and what to do', async ({ url, says, advice, answer }) => {
    const hook = await owner.hook('', { target_url: url() })
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('button', { name: 'Send a test' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Send the test' }).click()
      for (const words of [says, advice, answer]) await dialog.getByText(words).first().waitFor()
    })
  })

  test('a test of a paused webhook says that it waits, why, and until when', async () => {
    const hook = await owner.hook(own('/broken/paused'))
    for (let count = 0; count < 5; count++) await owner.eventFor(hook)
    const state = async () => (await owner.get(`/api/hooks/${hook.id}`)).json.health.state
    await expect.poll(state, { timeout: 30_000 }).toBe('paused')
    await deliveries.world.database.query(
      `UPDATE lane SET not_before = now() + interval '5 minutes' WHERE hook_id = $1`,
      [hook.id],
    )
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByText(/^Paused\. Most of the latest attempts have failed/).waitFor()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Send the test' }).click()
      await page
        .getByRole('dialog')
        .getByText(/We try at .+ so deliveries pause until then\./)
        .waitFor()
    })
  })

  test('the signing secret is shown when asked for, and a new one signs beside the old one', async () => {
    const hook = await owner.hook(own('/signed'))
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      const secrets = page.getByRole('region', { name: 'Signing secret' })
      await secrets.getByRole('button', { name: 'Show the secret' }).waitFor()
      const shown = secrets.getByText(/^whsec_\S{20}/)
      expect(await shown.count()).toBe(0)
      await secrets.getByRole('button', { name: 'Show the secret' }).click()
      const old = (await shown.textContent()) ?? ''

      await secrets.getByRole('button', { name: 'Make a new secret' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('For 24 hours calls carry two signatures').waitFor()
      await dialog.getByRole('button', { name: 'Make a new secret' }).click()
      await secrets.getByText('calls are signed with the secret before this one too').waitFor()
      const fresh = (await shown.textContent()) ?? ''
      expect(fresh).not.toBe(old)
      await secrets.getByText('Last changed').waitFor()

      const event = await owner.eventFor(hook)
      await deliveries.receiver.until(() => deliveries.received(hook.path, event).length === 1)
      const [request] = deliveries.received(hook.path, event)
      for (const secret of [fresh, old]) {
        const verified = request && new Webhook(secret).verify(request.body, headersOf(request))
        expect(verified).toMatchObject({ webhook_event: 'sms_mo' })
      }
      await page.goto('/account/audit?about=webhooks')
      await page.getByText(`looked at the signing secret of hook ${hook.id}`).waitFor()
      await page.getByText(`made a new signing secret for hook ${hook.id}`).waitFor()
    })
  })

  test('the overview says which webhooks need attention, and leads there', async () => {
    await watcher.look(viewport, async ({ page }) => {
      await page.goto('/')
      const attention = page.getByRole('region', { name: 'What needs attention' })
      await attention.getByText(`Webhook ${hooks.broken.id} is failing since`).waitFor()
      await attention.getByText('The receiver answered 500. Every attempt since').waitFor()
      await attention.getByText(`Webhook ${hooks.held.id} is disabled`).waitFor()
      await page
        .getByRole('list', { name: 'The last 24 hours, by the hour' })
        .getByText('Waiting now')
        .waitFor()
      const chart = page.getByRole('figure')
      await chart.locator('svg').first().waitFor()
      expect(await chart.getByRole('table').getByRole('row').count()).toBe(1 + 24)
      await attention.locator(`a[href="/webhooks/${hooks.broken.id}"]`).click()
      await page.getByRole('heading', { name: `Webhook ${hooks.broken.id}`, level: 1 }).waitFor()
    })
  })
})
