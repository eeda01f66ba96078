/** The form of a webhook: judged while it is filled in, shown as it will be sent, tried on what has happened. */
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedRequest } from '../../../dev/receiver.ts'
import { screens } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries

beforeAll(async () => {
  deliveries = await startDeliveries()
})
afterAll(() => deliveries.close())

function shownRequest(page: Page) {
  return page
    .getByRole('region', { name: 'What your server gets' })
    .getByRole('group', { name: 'Request', exact: true })
}

function tried(page: Page) {
  return page.getByRole('region', { name: 'Tried on your last events' })
}

async function expectSamples(page: Page, tab: string, numbers: string[]): Promise<void> {
  await tried(page).getByRole('tab', { name: tab, exact: true }).click()
  for (const number of numbers) await tried(page).getByText(number).first().waitFor()
  expect(await tried(page).getByRole('listitem').count()).toBe(numbers.length)
}

/** Only the time of acceptance differs from one event to the next. */
function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\+|%2B)00(:|%3A)00/, 'then')
}

/** Spaces between the parts of JSON are for people. */
function withoutSpaces(text: string): string {
  return text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : text
}

/** What stands in the preview, and what came, in the same form. */
async function asShown(page: Page) {
  const request = shownRequest(page)
  const body = request.locator('pre')
  return {
    line: timeless((await request.getByText(/^(GET|POST) http/).textContent()) ?? ''),
    headers: (await request.getByRole('term').allTextContents()).toSorted(),
    body: (await body.count()) === 0 ? '' : timeless(withoutSpaces((await body.textContent()) ?? '')),
  }
}

const onTheWay = new Set(['host', 'connection', 'content-length', 'x-hookline-test'])

function asReceived({ method, url, headers, rawHeaders, body }: ReceivedRequest) {
  return {
    line: timeless(`${method} http://${headers.host}${url}`),
    headers: rawHeaders
      .filter((name, place) => place % 2 === 0 && !onTheWay.has(name.toLowerCase()))
      .toSorted(),
    body: timeless(withoutSpaces(body)),
  }
}

describe.each(screens)('on $name', ({ name, viewport }) => {
  const own = (path: string) => `${path}/${name.slice(2)}`
  let owner: Owner
  let hook: OwnHook

  // Four events: two to the number of the webhook, one each to two others.
  beforeAll(async () => {
    owner = await deliveries.owner()
    hook = await owner.hook(own('/known'))
    for (const number of [hook.number, hook.number, '49301', '49302']) await owner.eventFor({ number })
    await owner.until(hook, 'delivered', 2)
  })

  test('what is wrong is said beside the field while it is typed, and goes when it is mended', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByRole('button', { name: 'Headers', exact: true }).click()
      await page.getByLabel('For which numbers').selectOption('expression')
      for (const { field, wrong, says, right } of [
        { field: 'Address', wrong: 'no address', says: /Invalid URL/, right: deliveries.receiver.url('/x') },
        { field: 'Headers', wrong: 'Host: elsewhere', says: /Host/, right: 'X-Team: one' },
        { field: 'Expression', wrong: 'data.text ==', says: /expression|filter/i, right: 'data.text == "a"' },
      ]) {
        const input = page.getByLabel(field, { exact: true })
        const remark = page.locator('.mantine-InputWrapper-error').filter({ hasText: says })
        await input.fill(wrong)
        await remark.waitFor()
        expect(await input.getAttribute('aria-invalid')).toBe('true')
        await page.getByText('Shown as soon as nothing is wrong with the values.').first().waitFor()
        await input.fill(right)
        await remark.waitFor({ state: 'detached' })
      }
      await shownRequest(page).getByText('X-Team').waitFor()

      await page.getByLabel('Address').fill('')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('Give the address to which events are to be sent.').waitFor()
      expect((await owner.get('/api/hooks')).json.hooks).toHaveLength(1)
    })
  })

  test.each(['JSON', 'POST', 'GET'])('the preview as %s is what a test then sends', async (method) => {
    const path = own(`/previewed-${method}`)
    const url = deliveries.receiver.url(path)
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await shownRequest(page).getByText('POST https://example.com/webhook').waitFor()
      await page.getByLabel('Address').fill(url)
      await page.getByRole('button', { name: 'Headers', exact: true }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Team: one\n')
      const form = page.getByRole('group', { name: 'Form of the request' })
      await form.getByRole('button', { name: method }).click()
      expect(await page.getByLabel('In which form').inputValue()).toBe(method)
      await shownRequest(page)
        .getByText(new RegExp(`^${method === 'GET' ? 'GET' : 'POST'} ${url}`))
        .waitFor()
      await shownRequest(page).getByText('X-Team').waitFor()
      const shown = await asShown(page)

      await page.getByRole('button', { name: 'Create and send a test' }).click()
      await page.getByRole('dialog').getByText('Your server answered 200').first().waitFor()
      const request = deliveries.receiver.requests.find((one) => one.url.split('?')[0] === path)
      expect(request && asReceived(request)).toEqual(shown)
      expect(request?.headers['x-team']).toBe('one')
    })
  })

  test('an address that was pasted with spaces around it is saved as it is previewed, without them', async () => {
    const url = deliveries.receiver.url(own('/pasted'))
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByLabel('Address').fill(`  ${url} `)
      await shownRequest(page).getByText(`POST ${url}`).waitFor()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.waitForURL(/\/webhooks\/\d+$/)
      const id = page.url().split('/').at(-1)
      expect((await owner.get(`/api/hooks/${id}`)).json.hook.target_url).toBe(url)
    })
  })

  test('those who hear the page are told in a few words what changed beside the form', async () => {
    const listener = await deliveries.owner()
    await listener.eventFor({ number: '4930100001' })
    await listener.look(viewport, async ({ page }) => {
      const live = (region: string) =>
        page.getByRole('region', { name: region }).locator('[aria-live], [role="status"], [role="alert"]')
      await page.goto('/webhooks/new')
      await tried(page).getByText('Would have matched 1 of your last 1 event.').waitFor()
      expect(await live('Tried on your last events').allTextContents()).toEqual([
        'Would have matched 1 of your last 1 event.',
      ])
      await shownRequest(page).getByText('POST https://example.com/webhook').waitFor()
      const first = live('What your server gets').getByText('Request updated.')
      await first.evaluate('(said) => { said.id = "first" }')
      const url = deliveries.receiver.url(own('/heard'))
      await page.getByLabel('Address').fill(url)
      await shownRequest(page).getByText(`POST ${url}`).waitFor()
      const heard = await live('What your server gets').allTextContents()
      expect(heard.filter((words) => words !== '')).toEqual(['Request updated.'])
      // Only what is new is read out.
      expect(await page.locator('#first').count()).toBe(0)
    })
  })

  test('the line beside the form registers the same webhook', async () => {
    const url = deliveries.receiver.url(own(`/by-line?it's="so"`))
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByLabel('Address').fill(url)
      await page.getByLabel('Which event').selectOption('dlr')
      await page.getByLabel('For which numbers').selectOption('expression')
      await page.getByLabel('Expression').fill('data.status == "FAILED"')
      const line = page.getByLabel('command', { exact: true })
      await line.getByText('FAILED').waitFor()
      const text = ((await line.textContent()) ?? '').replace('<API key>', owner.account.key)
      const made = JSON.parse(execFileSync('bash', ['-c', `${text} -s`], { encoding: 'utf8' }))
      expect((await owner.get(`/api/hooks/${made.id}`)).json.hook).toMatchObject({
        target_url: url,
        event_type: 'dlr',
        event_filter: 'cel:data.status == "FAILED"',
        request_method: 'JSON',
      })
    })
  })

  test('a filter is tried on what has happened, and compared with the one that is saved', async () => {
    // Of its own, so that nothing but these events has happened.
    const tester = await deliveries.owner()
    const saved = await tester.hook(own('/tried'))
    for (const number of [saved.number, saved.number, '4930100001', '4930200002'])
      await tester.eventFor({ number })
    await tester.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await tried(page).getByText('Would have matched 4 of your last 4 events.').waitFor()
      await page.getByLabel('For which numbers').selectOption('values')
      await page.getByLabel('Numbers', { exact: true }).fill('+49 301 00001')
      await tried(page).getByText('Would have matched 1 of your last 4 events.').waitFor()
      await expectSamples(page, 'Would get', ['→ 4930••••01'])
      const masked = `→ ${saved.number.slice(0, 4)}••••••${saved.number.slice(-2)}`
      await expectSamples(page, 'Would not get', ['→ 4930••••02', masked, masked])
      await tried(page).getByText('is not among the values').first().waitFor()

      await page.goto(`/webhooks/${saved.id}/edit`)
      await tried(page)
        .getByText('Would have matched 2 of your last 4 events: as many as with the saved filter.')
        .waitFor()
      await page.getByLabel('Numbers', { exact: true }).fill('4930200002')
      await tried(page).getByText('of your last 4 events: 1 fewer than with the saved filter.').waitFor()
      await expectSamples(page, 'New to it', ['→ 4930••••02'])
      await expectSamples(page, 'No longer', [masked, masked])
      await page.getByLabel('For which numbers').selectOption('any')
      await tried(page).getByText('of your last 4 events: 2 more than with the saved filter.').waitFor()
      await page.getByLabel('For which numbers').selectOption('expression')
      await page.getByLabel('Expression').fill('((')
      await tried(page).getByText('It is tried as soon as nothing is wrong with the filter.').waitFor()
    })
  })

  test('who would send the same events to the same address twice is warned', async () => {
    await owner.look(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByLabel('Address').fill(hook.url)
      const warning = page.getByText(
        `Webhook ${hook.id} sends such events to this address already: it would get them twice.`,
      )
      await warning.waitFor()
      await page.getByLabel('Which event').selectOption('dlr')
      await warning.waitFor({ state: 'detached' })
      await page.goto(`/webhooks/${hook.id}/edit`)
      await shownRequest(page).getByText(`POST ${hook.url}`).waitFor()
      expect(await page.getByText('already: it would get them twice').count()).toBe(0)
    })
  })

  test('what is changed is saved, shown, and counts for the next event', async () => {
    const changed = await owner.hook(own('/before'))
    const path = own('/after')
    await owner.look(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${changed.id}/edit`)
      await page.getByLabel('Address').fill(deliveries.receiver.url(path))
      await page.getByLabel('In which form').selectOption('POST')
      await page.getByRole('button', { name: 'Headers and pace' }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Team: two')
      await page.getByLabel('At most so many a second').fill('none')
      await page.getByRole('button', { name: 'Headers and pace' }).click()
      await page.getByLabel('At most so many a second').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      // What is wrong within opens what was closed.
      await page.getByText('Give a whole number above 0').waitFor()
      await page.getByLabel('At most so many a second').fill('7')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`Webhook ${changed.id} is changed.`).waitFor()
      await page.reload()
      const settings = page.getByRole('region', { name: 'Settings' })
      for (const words of ['a form by POST', 'X-Team', 'At most 7 deliveries a second', changed.number])
        await settings.getByText(words).first().waitFor()
      await page.getByTitle(deliveries.receiver.url(path)).waitFor()
    })
    const event = await owner.eventFor(changed)
    await deliveries.receiver.until(() => deliveries.received(path, event).length === 1)
    const [request] = deliveries.received(path, event)
    expect(request?.headers).toMatchObject({
      'x-team': 'two',
      'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
    })
    expect(deliveries.receiver.at(changed.path)).toEqual([])
  })
})
