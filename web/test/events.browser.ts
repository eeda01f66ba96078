/** Event pages of the dashboard: search, pagination, and the deliveries of each event with their reasons. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundSms } from '../../server/test/support/gateway.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

const sender = '491705550001'
const smsText = 'Where is parcel 4711?'

let deliveries: Deliveries
let client: AccountClient
let steady: TestHook
let broken: TestHook
let dead: TestHook
/** Event with a unique sender and text. */
let eventId: string

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  steady = await client.createHook('/steady')
  broken = await client.createHook('/broken/one')
  dead = await client.createHook('', { target_url: deliveries.closedUrl })
  const { accountId } = client.account
  const many = Array.from({ length: 55 }, (_, count) =>
    inboundSms(accountId, { id: String(88_001 + count), system: steady.number }),
  )
  expect((await deliveries.gateway.submitEvents(...many)).accepted).toHaveLength(55)
  await client.submitEvent('dlr', {
    msg_id: '99100',
    status: 'FAILED',
    timestamp: '1731656400',
    foreign_id: 'order-4711',
  })
  await client.submitEventFor(dead, { id: '99002' })
  eventId = await client.submitEventFor(broken, { id: '99001', sender, text: smsText })
  await client.waitForState(steady, 'delivered', 55)
  await client.waitForState(dead, 'waiting', 1)
  await deliveries.receiver.until(() => deliveries.received(broken.path, eventId).length > 0)
})
afterAll(() => deliveries.close())

/** Returns the IDs of the listed events, newest first. */
async function listed(page: Page): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Events' }).locator('td[data-kind=main] a')
  const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  return hrefs.map((href) => href.split('/').at(-1) ?? '')
}

function onThisPage(page: Page, count: number) {
  return page.getByText(`${count} ${count === 1 ? 'event' : 'events'} on this page`)
}

async function searchFor(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search events').fill(text)
  await page.keyboard.press('Enter')
}

function chip(title: string, value: () => string) {
  return (page: Page) => page.getByLabel(title, { exact: true }).selectOption(value())
}

function searchBox(text: () => string) {
  return (page: Page) => searchFor(page, text())
}

/** Formats a time for `datetime-local`. The test browsers run in UTC. */
function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16)
}

function between(from: number, to: number) {
  return async (page: Page) => {
    await page.getByLabel('Time', { exact: true }).selectOption('exact')
    await page.getByLabel('From', { exact: true }).fill(minutesFromNow(from))
    await page.getByLabel('To', { exact: true }).fill(minutesFromNow(to))
  }
}

function isSearchBy(url: string, field: string): boolean {
  const { pathname, searchParams } = new URL(url)
  return pathname === '/api/events' && searchParams.has(field)
}

const searches = [
  { by: 'message id', ask: searchBox(() => '99001'), field: 'q', finds: 1 },
  { by: 'number', ask: searchBox(() => '+49 170 555 0001'), field: 'q', finds: 1 },
  { by: 'foreign id', ask: searchBox(() => 'order-4711'), field: 'q', finds: 1 },
  { by: 'event id', ask: searchBox(() => eventId), field: 'q', finds: 1 },
  { by: 'webhook id', ask: searchBox(() => String(dead.id)), field: 'q', finds: 1 },
  { by: 'something unknown', ask: searchBox(() => 'no-such-thing'), field: 'q', finds: 0 },
  { by: 'type', ask: chip('Type', () => 'dlr'), field: 'type', finds: 1 },
  { by: 'webhook', ask: chip('Webhook', () => String(broken.id)), field: 'hook_id', finds: 1 },
  { by: 'state', ask: chip('State', () => 'waiting'), field: 'state', finds: 2 },
  { by: 'status', ask: chip('Response', () => '500'), field: 'status', finds: 1 },
  { by: 'reason', ask: chip('Reason', () => 'connection_refused'), field: 'reason', finds: 1 },
  { by: 'the last hour', ask: chip('Time', () => '1h'), field: 'since', finds: 50 },
  { by: 'the time about now', ask: between(-60, 60), field: 'to', finds: 50 },
  { by: 'a time long ago', ask: between(-180, -120), field: 'to', finds: 0 },
]

test('events are found by ID, number, type, webhook, state, response, reason and time', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/events')
    for (const { by, ask, field, finds } of searches) {
      await onThisPage(page, 50).waitFor()
      // Also checks the API response: the page may still show a previous count.
      const response = page.waitForResponse((one) =>
        isSearchBy(one.url(), field === 'since' ? 'from' : field),
      )
      await ask(page)
      await page.waitForURL((url) => url.searchParams.has(field))
      expect((await (await response).json()).events, by).toHaveLength(finds)
      if (finds === 0) await page.getByText('No matching events').waitFor()
      else await onThisPage(page, finds).waitFor()
      await expect.poll(async () => (await listed(page)).length, { message: by }).toBe(finds)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.waitForURL('**/events')
      expect(await page.getByLabel('From', { exact: true }).count()).toBe(0)
    }
  })
})

test.each(screens)(
  'the URL holds the search, which survives a reload and going back, and is cleared at once, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/events')
      await searchFor(page, sender)
      await onThisPage(page, 1).waitFor()
      await chip('State', () => 'waiting')(page)
      await chip('Response', () => '500')(page)
      await page.waitForURL((url) => url.searchParams.get('status') === '500')
      await page.reload()
      await onThisPage(page, 1).waitFor()
      expect(await page.getByLabel('Search events').inputValue()).toBe(sender)
      expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('waiting')
      expect(await listed(page)).toEqual([eventId])
      await page.getByRole('link', { name: 'Inbound SMS' }).click()
      await page.getByRole('heading', { name: 'Inbound SMS', level: 1 }).waitFor()
      await page.goBack()
      await onThisPage(page, 1).waitFor()
      await page.getByRole('button', { name: 'Remove filter Response' }).click()
      await page.waitForURL((url) => !url.searchParams.has('status'))
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await onThisPage(page, 50).waitFor()
      expect(new URL(page.url()).search).toBe('')
    })
  },
)

test('typed input is kept, and only complete times are searched', async () => {
  await client.visit(desktop, async ({ page }) => {
    const requested: string[] = []
    page.on('framenavigated', (frame) => requested.push(new URL(frame.url()).searchParams.get('from') ?? ''))
    await page.goto('/events?from=2026-11-14T08:30:00.000Z')
    const from = page.getByLabel('From', { exact: true })
    expect(await from.inputValue()).toBe('2026-11-14T08:30')
    await from.focus()
    await page.keyboard.type('11152025')
    await page.waitForURL((url) => url.searchParams.get('from') === '2025-11-15T08:30:00.000Z')
    expect(await from.inputValue()).toBe('2025-11-15T08:30')
    expect(requested.filter((time) => time.startsWith('0'))).toEqual([])

    const box = page.getByLabel('Search events')
    await box.pressSequentially('9900')
    await page.keyboard.press('Enter')
    await page.getByText('No matching events').waitFor()
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await onThisPage(page, 1).waitFor()
    expect(await box.inputValue()).toBe('99001')
    await page.goBack()
    await page.getByText('No matching events').waitFor()
    expect(await box.inputValue()).toBe('9900')
  })
})

test('the pages of a long list contain each event once, forward and back', async () => {
  await client.visit(desktop, async ({ page }) => {
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

test('numbers are found by their last digits and in the national form of the default country', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/account')
    await page.getByLabel('Country', { exact: true }).selectOption('DE')
    await page.getByText('Default country saved').waitFor()
    await page.goto('/events')
    for (const text of ['5550001', '0170 555-0001']) {
      await searchFor(page, text)
      await onThisPage(page, 1).waitFor()
      expect(await listed(page)).toEqual([eventId])
    }
    await searchFor(page, '0170 555-0009')
    await page.getByText('No matching events').waitFor()
  })
})

test.each(screens)(
  'rows take one line, or three on phones, with times as the user prefers, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/events')
      await onThisPage(page, 50).waitFor()
      const row = page.getByRole('table', { name: 'Events' }).locator('tbody tr').nth(5)
      expect((await row.boundingBox())?.height).toBeLessThan(viewport.width > 1_000 ? 40 : 120)
      const time = row.locator('time')
      expect(await time.textContent()).toMatch(/^\d\d:\d\d:\d\d$/)
      await time.hover()
      await page
        .getByRole('tooltip')
        .getByText(/ago|just now/)
        .waitFor()
      await page.getByRole('button', { name: 'Show relative times' }).click()
      await page.reload()
      await onThisPage(page, 50).waitFor()
      expect(await time.textContent()).toMatch(/ago|just now/)
      await page.getByRole('button', { name: 'Show absolute times' }).click()
    })
  },
)

test('a search is exported as a file, masked or with an audit entry, and a formula is not executed', async () => {
  const another = await client.createHook('/exported')
  await client.submitEventFor(another, { id: '=1+1', sender: '491707770001' })
  await client.waitForState(another, 'delivered', 1)
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/events?hook_id=${another.id}`)
    await onThisPage(page, 1).waitFor()
    const exported = async (): Promise<string> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export events' }).click()
      const file = await (await download).path()
      await page.getByText('1 event exported').waitFor()
      await page.getByRole('button', { name: 'Close' }).last().click()
      return readFile(file, 'utf8')
    }
    await page.getByRole('button', { name: 'Export…' }).click()
    const csv = await exported()
    expect(csv).toContain("'=1+1,4917••••••01")
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.getByLabel('JSON Lines, one event per line').check()
    await page.getByLabel('Reveal personal data').check()
    expect(JSON.parse(await exported())).toMatchObject({ from: '491707770001', message_id: '=1+1' })
    await page.goto('/account/audit?about=webhooks')
    await page.getByText('exported events with personal data').waitFor()
  })
})

test('numbers and texts are masked until revealed, and each reveal is audited', async () => {
  const another = await client.createHook('/masked')
  const secret = await client.submitEventFor(another, { sender: '491706660001', text: 'Not for everybody' })
  const reveals = () =>
    deliveries.hookline.database.query(
      `SELECT actor FROM audit WHERE action = 'event.reveal' AND subject = $1`,
      [`event:${secret}`],
    )
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/events?q=${secret}`)
    await page.getByText('4917••••••01').waitFor()
    await page.goto(`/events/${secret}`)
    await page.getByText('4917••••••01').first().waitFor()
    const unmasked = page.getByText(/491706660001|Not for everybody/)
    expect(await unmasked.count()).toBe(0)
    await page.getByRole('button', { name: 'Reveal data…' }).click()
    await page.getByRole('dialog', { name: 'Reveal personal data?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await unmasked.count()).toBe(0)
    expect(await reveals()).toEqual([])

    await page.getByRole('button', { name: 'Reveal data…' }).click()
    await page.getByRole('button', { name: 'Reveal data', exact: true }).click()
    const data = page.getByRole('region', { name: 'Data' })
    for (const content of ['491706660001', 'Not for everybody', 'Revealed'])
      await data.getByText(content).waitFor()
    expect(await reveals()).toEqual([{ actor: `login:${client.account.loginId}` }])
    await page.reload()
    await page.getByText('4917••••••01').first().waitFor()
    expect(await unmasked.count()).toBe(0)
    await page.goto('/account/audit?about=webhooks')
    await page.getByText(`revealed personal data of event ${secret}`).waitFor()
  })
})

test.each(screens)(
  'the global search opens a message ID, event ID or webhook ID directly, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      for (const { query, path } of [
        { query: '99001', path: `/events/${eventId}` },
        { query: eventId, path: `/events/${eventId}` },
        { query: String(broken.id), path: `/webhooks/${broken.id}` },
      ]) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /Search/ }).fill(query)
        await page.locator('[role=option][aria-selected=true]').waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.waitForURL(`**${path}`)
      }
    })
  },
)

test('chips show problems first, or the delivery that the search is for', async () => {
  const first = await client.createHook('/chips/first')
  const forSame = { event_filter: first.number }
  const second = await client.createHook('/chips/second', forSame)
  const failing = await client.createHook('/broken/chips', forSame)
  await client.submitEventFor(first, { id: '99200' })
  await client.waitForState(failing, 'waiting', 1)
  await client.waitForState(second, 'delivered', 1)
  await client.visit(desktop, async ({ page }) => {
    const cell = page.getByRole('table', { name: 'Events' }).locator('tbody td').last()
    for (const { search, text } of [
      { search: 'q=99200', text: `${failing.endpoint}Pending` },
      { search: `q=99200&hook_id=${second.id}`, text: `${second.endpoint}Delivered` },
    ]) {
      await page.goto(`/events?${search}`)
      await cell.getByText(text).waitFor()
      expect(await cell.textContent()).toMatch(/\+1$/)
      expect((await cell.textContent())?.startsWith(text)).toBe(true)
    }
  })
})

test('a delivery is copied as a cURL command with its URL and data', async () => {
  await client.visit(desktop, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/events/${eventId}`)
    await page.getByRole('button', { name: 'Copy as cURL' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('the audit log records your access').waitFor()
    expect(await dialog.getByText(broken.url).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Show command' }).click()
    await dialog.getByRole('button', { name: 'Copy command' }).click()
    await dialog.getByText('Copied').first().waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toMatch(/^curl /)
    for (const part of [broken.url, '"webhook_event":"sms_mo"', sender, smsText])
      expect(copied).toContain(part)
  })
})

test('a long text scrolls within the event page', async () => {
  const hook = await client.createHook('/long-text')
  const id = await client.submitEventFor(hook, { text: 'long '.repeat(20_000) })
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/events/${id}`)
    const text = page.getByRole('group', { name: 'text', exact: true })
    await text.waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5_000)
    expect(await text.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
  })
})

describe('the event page', () => {
  let detailClient: AccountClient
  let detailEventId: string
  let hooks: Record<
    'fine' | 'waits' | 'tooLong' | 'held' | 'ended' | 'byType' | 'byValue' | 'byClause' | 'later',
    TestHook
  >

  beforeAll(async () => {
    detailClient = await deliveries.createAccount()
    const forAll = { event_filter: '' }
    const hook = (path: string, more: object = {}) => detailClient.createHook(path, { ...forAll, ...more })
    const before = {
      fine: await hook('/fine'),
      waits: await hook('/broken/waits'),
      // A GET with the long text below exceeds the URL limit.
      tooLong: await hook('/too-long', { request_method: 'GET' }),
      held: await hook('/held'),
      ended: await hook('/broken/ended'),
      byType: await hook('/by-type', { event_type: 'dlr' }),
      byValue: await hook('/by-value', { event_filter: '4999, 4998' }),
      byClause: await hook('/by-clause', { event_filter: 'cel:has(data.text) && data.text == "other"' }),
    }
    await detailClient.post(`/api/hooks/${before.held.id}/disable`)
    detailEventId = await detailClient.submitEventFor(
      { number: '493012345678' },
      { text: 'long '.repeat(2_000) },
    )
    for (const { path } of [before.fine, before.waits, before.ended])
      await deliveries.receiver.until(() => deliveries.received(path, detailEventId).length > 0)
    await detailClient.remove(`/api/hooks?id=${before.ended.id}`)
    hooks = { ...before, later: await hook('/later') }
    await detailClient.waitForState(hooks.ended, 'cancelled', 1)
  })

  test.each(screens)('shows the result for every webhook, on $name', async ({ viewport }) => {
    await detailClient.visit(viewport, async ({ page }) => {
      await page.goto(`/events/${detailEventId}`)
      const progress = page.getByRole('list', { name: 'Progress' })
      for (const text of [
        '9 webhooks checked',
        '1 delivered',
        '1 failed',
        '1 canceled',
        '1 pending',
        '1 held',
        '4 not matched',
      ])
        await progress.getByText(text).waitFor()

      const retrying = /^Responded 500 in .+ Next attempt at .+ \(\d+ of 12\)\. Backoff after attempt \d+\.$/
      for (const { hook, state, message } of [
        { hook: hooks.fine, state: 'Delivered', message: /^Responded 200 in .+ Delivered\.$/ },
        { hook: hooks.waits, state: 'Pending', message: retrying },
        {
          hook: hooks.tooLong,
          state: 'Failed',
          message: /exceeds 8 KiB\. Nothing was sent\. Not retried\.$/,
        },
        {
          hook: hooks.held,
          state: 'Held',
          message: /On hold for up to 7 days, until you enable it\.$/,
        },
        {
          hook: hooks.ended,
          state: 'Canceled',
          message: /^Canceled: the webhook was deleted\.$/,
        },
      ]) {
        const delivery = page
          .getByRole('region', { name: hook.endpoint, exact: true })
          .getByRole('group', { name: 'Delivery' })
        await delivery.getByText(state, { exact: true }).waitFor()
        await delivery.getByText(message).first().waitFor()
      }

      const unmatched = page.getByRole('region', { name: 'Not delivered to' })
      for (const { hook, verdict, message } of [
        {
          hook: hooks.byType,
          verdict: 'Not matched',
          message: 'The webhook receives events of type dlr. This event is sms_mo.',
        },
        {
          hook: hooks.byValue,
          verdict: 'Not matched',
          message: 'system is 4930••••••78, which is not one of the 2 values of the filter.',
        },
        {
          hook: hooks.byClause,
          verdict: 'Not matched',
          message: 'The filter requires data.text == "other", but data.text is long',
        },
        {
          hook: hooks.later,
          verdict: 'Created later',
          message: 'The webhook was created after this event.',
        },
      ]) {
        const item = unmatched.getByRole('listitem').filter({ hasText: hook.endpoint })
        for (const text of [verdict, message]) await item.getByText(text).first().waitFor()
      }
    })
  })

  test.each(screens)('is listed within its row with all its webhooks, on $name', async ({ viewport }) => {
    await detailClient.visit(viewport, async ({ page }) => {
      await page.goto('/events')
      await onThisPage(page, 1).waitFor()
      const table = page.getByRole('table', { name: 'Events' })
      expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBe(0)
      const { height = 0 } = (await table.locator('tbody tr').boundingBox()) ?? {}
      if (viewport.width > 1_000) expect(height).toBeLessThan(40)
    })
  })

  test.each(screens)(
    'shows each attempt with its timing, request and response, on $name',
    async ({ viewport }) => {
      await detailClient.visit(viewport, async ({ page }) => {
        await page.goto(`/events/${detailEventId}`)
        const fine = page.getByRole('region', { name: hooks.fine.endpoint, exact: true })
        await fine.getByRole('button', { name: /^Attempt 1 200/ }).click()
        for (const phase of ['DNS', 'Connect', 'TLS', 'Wait', 'Read', 'Total'])
          await fine
            .getByRole('term')
            .filter({ hasText: new RegExp(`^${phase}$`) })
            .waitFor()
        const request = fine.getByRole('group', { name: 'Request', exact: true })
        await request.getByText(`POST ${hooks.fine.url}`).waitFor()
        await request.getByText('webhook-id').waitFor()
        const response = fine.getByRole('group', { name: 'Response', exact: true })
        for (const text of ['Status 200', 'thank you']) await response.getByText(text).waitFor()

        const waits = page.getByRole('region', { name: hooks.waits.endpoint, exact: true })
        await waits.getByText(/^(in \d+ (s|min)|now)/).waitFor()
        await waits.getByText('Check the logs of your server at this time').last().waitFor()
        const tooLong = page.getByRole('region', { name: hooks.tooLong.endpoint, exact: true })
        await tooLong.getByText('Use POST or JSON for this webhook').waitFor()
        await tooLong.getByText('No request was sent', { exact: true }).waitFor()
        const timeline = page.getByRole('region', { name: 'Timeline' })
        for (const text of [
          'Accepted from test.',
          'Matched 5 webhooks.',
          `${hooks.fine.endpoint}, attempt 1: Responded 200`,
          `${hooks.waits.endpoint}: next attempt`,
        ])
          await timeline.getByText(text).first().waitFor()
      })
    },
  )
})
