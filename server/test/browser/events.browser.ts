/** Events in the developer area: found, read page by page, and each told with what became of it and why. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundSms } from '../gateway.ts'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

const sender = '491705550001'
const text = 'Where is parcel 4711?'

let deliveries: Deliveries
let owner: Owner
let steady: OwnHook
let broken: OwnHook
let dead: OwnHook
/** Of the one that is easy to tell from the others. */
let eventId: string

beforeAll(async () => {
  deliveries = await startDeliveries()
  owner = await deliveries.owner()
  steady = await owner.hook('/steady')
  broken = await owner.hook('/broken/one')
  dead = await owner.hook('', { target_url: deliveries.deadUrl })
  const { accountId } = owner.account
  const many = Array.from({ length: 55 }, (_, count) =>
    inboundSms(accountId, { id: String(88_001 + count), system: steady.number }),
  )
  expect((await deliveries.gateway.handIn(...many)).accepted).toHaveLength(55)
  await owner.event('dlr', {
    msg_id: '99100',
    status: 'FAILED',
    timestamp: '1731656400',
    foreign_id: 'order-4711',
  })
  await owner.eventFor(dead, { id: '99002' })
  eventId = await owner.eventFor(broken, { id: '99001', sender, text })
  await owner.until(steady, 'delivered', 55)
  await owner.until(dead, 'waiting', 1)
  await deliveries.receiver.until(() => deliveries.received(broken.path, eventId).length > 0)
})
afterAll(() => deliveries.close())

/** The ids of the events that are listed, newest first. */
async function listed(page: Page): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Events' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => href.split('/').at(-1) ?? '')
}

function onThisPage(page: Page, count: number) {
  return page.getByText(`${count} ${count === 1 ? 'event' : 'events'} on this page`)
}

async function searchFor(page: Page, words: string): Promise<void> {
  await page.getByLabel('Search events').fill(words)
  await page.keyboard.press('Enter')
}

function chip(title: string, value: () => string) {
  return (page: Page) => page.getByLabel(title, { exact: true }).selectOption(value())
}

function inTheBox(words: () => string) {
  return (page: Page) => searchFor(page, words())
}

/** As the field for a time takes it; the browsers of these tests are in UTC. */
function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16)
}

function between(from: number, to: number) {
  return async (page: Page) => {
    await page.getByLabel('When', { exact: true }).selectOption('exact')
    await page.getByLabel('From', { exact: true }).fill(minutesFromNow(from))
    await page.getByLabel('To', { exact: true }).fill(minutesFromNow(to))
  }
}

function isSearchBy(address: string, field: string): boolean {
  const { pathname, searchParams } = new URL(address)
  return pathname === '/api/events' && searchParams.has(field)
}

const searches = [
  { by: 'message id', ask: inTheBox(() => '99001'), field: 'q', finds: 1 },
  { by: 'number', ask: inTheBox(() => '+49 170 555 0001'), field: 'q', finds: 1 },
  { by: 'foreign id', ask: inTheBox(() => 'order-4711'), field: 'q', finds: 1 },
  { by: 'event id', ask: inTheBox(() => eventId), field: 'q', finds: 1 },
  { by: 'webhook id', ask: inTheBox(() => String(dead.id)), field: 'q', finds: 1 },
  { by: 'something unknown', ask: inTheBox(() => 'no-such-thing'), field: 'q', finds: 0 },
  { by: 'type', ask: chip('Type', () => 'dlr'), field: 'type', finds: 1 },
  { by: 'webhook', ask: chip('Webhook', () => String(broken.id)), field: 'hook_id', finds: 1 },
  { by: 'state', ask: chip('Became', () => 'waiting'), field: 'state', finds: 2 },
  { by: 'status', ask: chip('Answer', () => '500'), field: 'status', finds: 1 },
  { by: 'reason', ask: chip('Reason', () => 'connection_refused'), field: 'reason', finds: 1 },
  { by: 'the last hour', ask: chip('When', () => '1h'), field: 'since', finds: 50 },
  { by: 'the time about now', ask: between(-60, 60), field: 'to', finds: 50 },
  { by: 'a time long ago', ask: between(-180, -120), field: 'to', finds: 0 },
]

describe.each(screens)('on $name', ({ viewport }) => {
  test('events are found by everything that people know of them', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/events')
      for (const { by, ask, field, finds } of searches) {
        await onThisPage(page, 50).waitFor()
        // What the service answered, too: a number of events may stand there from before.
        const answer = page.waitForResponse((one) =>
          isSearchBy(one.url(), field === 'since' ? 'from' : field),
        )
        await ask(page)
        await page.waitForURL((url) => url.searchParams.has(field))
        expect((await (await answer).json()).events, by).toHaveLength(finds)
        if (finds === 0) await page.getByText('No event fits').waitFor()
        else await onThisPage(page, finds).waitFor()
        await expect.poll(async () => (await listed(page)).length, { message: by }).toBe(finds)
        await page.getByRole('button', { name: 'Clear all' }).click()
        await page.waitForURL('**/events')
        expect(await page.getByLabel('From', { exact: true }).count()).toBe(0)
      }
    })
  })

  test('what is asked stands in the address: it survives a reload, the way back, and is cleared at once', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/events')
      await searchFor(page, sender)
      await onThisPage(page, 1).waitFor()
      await chip('Became', () => 'waiting')(page)
      await chip('Answer', () => '500')(page)
      await page.waitForURL((url) => url.searchParams.get('status') === '500')
      await page.reload()
      await onThisPage(page, 1).waitFor()
      expect(await page.getByLabel('Search events').inputValue()).toBe(sender)
      expect(await page.getByLabel('Became', { exact: true }).inputValue()).toBe('waiting')
      expect(await listed(page)).toEqual([eventId])
      await page.getByRole('link', { name: 'Inbound SMS' }).click()
      await page.getByRole('heading', { name: 'Inbound SMS', level: 1 }).waitFor()
      await page.goBack()
      await onThisPage(page, 1).waitFor()
      await page.getByRole('button', { name: 'Take away the filter Answer' }).click()
      await page.waitForURL((url) => !url.searchParams.has('status'))
      await page.getByRole('button', { name: 'Clear all' }).click()
      await onThisPage(page, 50).waitFor()
      expect(new URL(page.url()).search).toBe('')
    })
  })

  test('what is typed stays as it is typed, and only whole times are asked for', async () => {
    await owner.look(viewport, async ({ page }) => {
      const asked: string[] = []
      page.on('framenavigated', (frame) => asked.push(new URL(frame.url()).searchParams.get('from') ?? ''))
      await page.goto('/events?from=2026-11-14T08:30:00.000Z')
      const from = page.getByLabel('From', { exact: true })
      expect(await from.inputValue()).toBe('2026-11-14T08:30')
      await from.focus()
      await page.keyboard.type('11152025')
      await page.waitForURL((url) => url.searchParams.get('from') === '2025-11-15T08:30:00.000Z')
      expect(await from.inputValue()).toBe('2025-11-15T08:30')
      expect(asked.filter((time) => time.startsWith('0'))).toEqual([])

      const box = page.getByLabel('Search events')
      await box.pressSequentially('9900')
      await page.keyboard.press('Enter')
      await page.getByText('No event fits').waitFor()
      await page.keyboard.type('1')
      await page.keyboard.press('Enter')
      await onThisPage(page, 1).waitFor()
      expect(await box.inputValue()).toBe('99001')
      await page.goBack()
      await page.getByText('No event fits').waitFor()
      expect(await box.inputValue()).toBe('9900')
    })
  })

  test('the pages of a long list hold each event once, forward and back', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/events?hook_id=${steady.id}`)
      await onThisPage(page, 50).waitFor()
      const first = await listed(page)
      await page.getByRole('link', { name: 'Older' }).click()
      await onThisPage(page, 5).waitFor()
      const second = await listed(page)
      expect(new Set([...first, ...second]).size).toBe(55)
      expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
      await page.goBack()
      await onThisPage(page, 50).waitFor()
      expect(await listed(page)).toEqual(first)
      await page.goForward()
      await onThisPage(page, 5).waitFor()
      await page.reload()
      await onThisPage(page, 5).waitFor()
      expect(await listed(page)).toEqual(second)
      await page.getByRole('link', { name: 'Newest' }).click()
      await onThisPage(page, 50).waitFor()
      expect(await listed(page)).toEqual(first)
    })
  })

  test('switched to live, the list shows what comes', async () => {
    const watched = await owner.hook('/watched')
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/events?hook_id=${watched.id}`)
      await page.getByText('No event fits').waitFor()
      await page
        .locator('label')
        .filter({ hasText: /^Live$/ })
        .click()
      await page.waitForURL((url) => url.searchParams.get('live') === 'true')
      const id = await owner.eventFor(watched)
      await page.locator(`a[href="/events/${id}"]`).waitFor()
      await page.getByText(`${watched.id}Delivered`).waitFor()
    })
  })

  test('numbers and texts are masked until somebody asks on purpose, and that is recorded', async () => {
    const another = await owner.hook('/masked')
    const secret = await owner.eventFor(another, { sender: '491706660001', text: 'Not for everybody' })
    const looked = () =>
      deliveries.world.database.query(
        `SELECT actor FROM audit WHERE action = 'event.reveal' AND subject = $1`,
        [`event:${secret}`],
      )
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/events?q=${secret}`)
      await page.getByText('4917••••••01').waitFor()
      await page.goto(`/events/${secret}`)
      await page.getByText('4917••••••01').first().waitFor()
      const shown = page.getByText(/491706660001|Not for everybody/)
      expect(await shown.count()).toBe(0)
      await page.getByRole('button', { name: 'Reveal…' }).click()
      await page.getByRole('dialog', { name: 'Reveal numbers and texts?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await shown.count()).toBe(0)
      expect(await looked()).toEqual([])

      await page.getByRole('button', { name: 'Reveal…' }).click()
      await page.getByRole('button', { name: 'Reveal', exact: true }).click()
      const data = page.getByRole('region', { name: 'Data' })
      for (const words of ['491706660001', 'Not for everybody', 'Revealed'])
        await data.getByText(words).waitFor()
      expect(await looked()).toEqual([{ actor: `login:${owner.account.loginId}` }])
      await page.reload()
      await page.getByText('4917••••••01').first().waitFor()
      expect(await shown.count()).toBe(0)
      await page.goto('/account/audit?about=webhooks')
      await page.getByText(`looked at the numbers and texts of event ${secret}`).waitFor()
    })
  })

  test('a message id, the id of an event and that of a webhook lead straight to them', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      for (const { words, path } of [
        { words: '99001', path: `/events/${eventId}` },
        { words: eventId, path: `/events/${eventId}` },
        { words: String(broken.id), path: `/webhooks/${broken.id}` },
      ]) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /Search/ }).fill(words)
        await page.locator('[role=option][aria-selected=true]').waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL(`**${path}`)
      }
    })
  })

  test('a delivery is copied as a line for a shell, with its address and its data', async () => {
    await owner.look(viewport, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`/events/${eventId}`)
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('that you asked for it is kept in the audit log').waitFor()
      expect(await dialog.getByText(broken.url).count()).toBe(0)
      await dialog.getByRole('button', { name: 'Show the line' }).click()
      await dialog.getByRole('button', { name: 'Copy command' }).click()
      await dialog.getByText('Copied').first().waitFor()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      expect(copied).toMatch(/^curl /)
      for (const part of [broken.url, '"webhook_event":"sms_mo"', sender, text])
        expect(copied).toContain(part)
    })
  })
})

describe('one event', () => {
  let judged: Owner
  let told: string
  let hooks: Record<
    'fine' | 'waits' | 'tooLong' | 'held' | 'ended' | 'byType' | 'byValue' | 'byClause' | 'later',
    OwnHook
  >

  beforeAll(async () => {
    judged = await deliveries.owner()
    const forAll = { event_filter: '' }
    const hook = (path: string, more: object = {}) => judged.hook(path, { ...forAll, ...more })
    const before = {
      fine: await hook('/fine'),
      waits: await hook('/broken/waits'),
      // With a text like the one below a GET would pass what an address may hold.
      tooLong: await hook('/too-long', { request_method: 'GET' }),
      held: await hook('/held'),
      ended: await hook('/broken/ended'),
      byType: await hook('/by-type', { event_type: 'dlr' }),
      byValue: await hook('/by-value', { event_filter: '4999, 4998' }),
      byClause: await hook('/by-clause', { event_filter: 'cel:has(data.text) && data.text == "other"' }),
    }
    await judged.post(`/api/hooks/${before.held.id}/disable`)
    told = await judged.eventFor({ number: '493012345678' }, { text: 'long '.repeat(2_000) })
    for (const { path } of [before.fine, before.waits, before.ended])
      await deliveries.receiver.until(() => deliveries.received(path, told).length > 0)
    await judged.remove(`/api/hooks?id=${before.ended.id}`)
    hooks = { ...before, later: await hook('/later') }
    await judged.until(hooks.ended, 'cancelled', 1)
  })

  test.each(screens)('is told with every verdict in words, on $name', async ({ viewport }) => {
    await judged.look(viewport, async ({ page }) => {
      await page.goto(`/events/${told}`)
      const way = page.getByRole('list', { name: 'What became of it' })
      for (const words of [
        '9 webhooks considered',
        'delivered to 1',
        'failed at 1',
        'cancelled at 1',
        'waiting for 1',
        'held for 1',
        'not wanted by 4',
      ])
        await way.getByText(words).waitFor()

      const tried =
        /^Your server answered 500 after .+ We try again at .+ \(attempt \d+ of 12\)\. That is the pause after attempt \d+\.$/
      for (const { hook, state, says } of [
        { hook: hooks.fine, state: 'Delivered', says: /^Your server answered 200 after .+ Delivered\.$/ },
        { hook: hooks.waits, state: 'Waiting', says: tried },
        {
          hook: hooks.tooLong,
          state: 'Failed',
          says: /would pass 8 KiB, so nothing was sent\. It is not tried again\.$/,
        },
        {
          hook: hooks.held,
          state: 'Held',
          says: /this is held until it is enabled again, for up to 7 days\.$/,
        },
        {
          hook: hooks.ended,
          state: 'Cancelled',
          says: /^The webhook was deleted before it was delivered\.$/,
        },
      ]) {
        const delivery = page
          .getByRole('region', { name: `Webhook ${hook.id}`, exact: true })
          .getByRole('group', { name: 'Delivery' })
        await delivery.getByText(state, { exact: true }).waitFor()
        await delivery.getByText(says).first().waitFor()
      }

      const unwanted = page.getByRole('region', { name: 'Not sent to' })
      for (const { hook, verdict, says } of [
        {
          hook: hooks.byType,
          verdict: 'Not matched',
          says: 'It wants events of type dlr, and this one is sms_mo.',
        },
        {
          hook: hooks.byValue,
          verdict: 'Not matched',
          says: 'system is 4930••••••78, which is not one of the 2 values of its filter.',
        },
        {
          hook: hooks.byClause,
          verdict: 'Not matched',
          says: 'Its filter needs data.text == "other", and data.text is long',
        },
        {
          hook: hooks.later,
          verdict: 'Created later',
          says: 'It was created afterwards: only events that come later reach it.',
        },
      ]) {
        const item = unwanted.getByRole('listitem').filter({ hasText: `Webhook ${hook.id}` })
        for (const words of [verdict, says]) await item.getByText(words).first().waitFor()
      }
    })
  })

  test.each(screens)(
    'shows each attempt with its times, request and answer, on $name',
    async ({ viewport }) => {
      await judged.look(viewport, async ({ page }) => {
        await page.goto(`/events/${told}`)
        const fine = page.getByRole('region', { name: `Webhook ${hooks.fine.id}`, exact: true })
        await fine.getByRole('button', { name: /^Attempt 1 200/ }).click()
        for (const phase of ['DNS', 'Connect', 'TLS', 'Wait', 'Read', 'Total'])
          await fine
            .getByRole('term')
            .filter({ hasText: new RegExp(`^${phase}$`) })
            .waitFor()
        const request = fine.getByRole('group', { name: 'Request', exact: true })
        await request.getByText(`POST ${hooks.fine.url}`).waitFor()
        await request.getByText('webhook-id').waitFor()
        const answer = fine.getByRole('group', { name: 'Answer', exact: true })
        for (const words of ['Status 200', 'thank you']) await answer.getByText(words).waitFor()

        const waits = page.getByRole('region', { name: `Webhook ${hooks.waits.id}`, exact: true })
        await waits.getByText(/^(in \d+ (s|min)|now)/).waitFor()
        await waits.getByText('Look into the log of your server at this time').last().waitFor()
        const tooLong = page.getByRole('region', { name: `Webhook ${hooks.tooLong.id}`, exact: true })
        await tooLong.getByText('Use POST or JSON for this webhook').waitFor()
        await tooLong.getByText('Nothing was sent.', { exact: true }).waitFor()
        const timeline = page.getByRole('region', { name: 'Timeline' })
        for (const words of [
          'Accepted from test.',
          'It matched 5 webhooks.',
          `Webhook ${hooks.fine.id}, attempt 1: Your server answered 200`,
          `Webhook ${hooks.waits.id}: next attempt`,
        ])
          await timeline.getByText(words).first().waitFor()
      })
    },
  )
})
