/** Webhook form: live validation, request preview and filter backtest. */
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReceivedRequest } from '../../dev/receiver.ts'
import { samples } from '../../server/src/model/sample-events.ts'
import { desktop, screens } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let hook: TestHook

beforeAll(async () => {
  deliveries = await startDeliveries()
  // Four events: two to the number of the webhook and two to other numbers.
  client = await deliveries.createAccount()
  hook = await client.createHook('/existing')
  for (const number of [hook.number, hook.number, '49301', '49302']) await client.submitEventFor({ number })
  await client.waitForState(hook, 'delivered', 2)
})
afterAll(() => deliveries.close())

function previewRequest(page: Page) {
  return page
    .getByRole('region', { name: 'Request preview' })
    .getByRole('group', { name: 'Request', exact: true })
}

function backtest(page: Page) {
  return page.getByRole('region', { name: 'Test on recent events' })
}

async function expectSamples(page: Page, tab: string, numbers: string[]): Promise<void> {
  await backtest(page).getByRole('tab', { name: tab, exact: true }).click()
  for (const number of numbers) await backtest(page).getByText(number).first().waitFor()
  expect(await backtest(page).getByRole('listitem').count()).toBe(numbers.length)
}

/** Masks the acceptance time, the only part that differs between sample events. */
function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\+|%2B)00(:|%3A)00/, 'then')
}

/** Removes the indentation of JSON. */
function withoutSpaces(text: string): string {
  return text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : text
}

/** Reads the preview in the format of `asReceived`. */
async function asPreviewed(page: Page) {
  const request = previewRequest(page)
  const body = request.locator('pre')
  return {
    line: timeless((await request.getByText(/^(GET|POST) http/).textContent()) ?? ''),
    headers: (await request.getByRole('term').allTextContents()).toSorted(),
    body: (await body.count()) === 0 ? '' : timeless(withoutSpaces((await body.textContent()) ?? '')),
  }
}

const transportHeaders = new Set(['host', 'connection', 'content-length', 'x-hookline-test'])

function asReceived({ method, url, headers, rawHeaders, body }: ReceivedRequest) {
  return {
    line: timeless(`${method} http://${headers.host}${url}`),
    headers: rawHeaders
      .filter((name, index) => index % 2 === 0 && !transportHeaders.has(name.toLowerCase()))
      .toSorted(),
    body: timeless(withoutSpaces(body)),
  }
}

test.each(screens)(
  'an error appears beside its field while typing and disappears once fixed, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByRole('button', { name: 'Description, headers and rate limit' }).click()
      await page.getByLabel('Event filter').selectOption('expression')
      for (const { field, wrong, error, right } of [
        {
          field: 'Endpoint URL',
          wrong: 'no URL',
          error: /Invalid URL/,
          right: deliveries.receiver.url('/x'),
        },
        { field: 'Headers', wrong: 'Host: elsewhere', error: /Host/, right: 'X-Team: one' },
        {
          field: 'Expression',
          wrong: 'data.text ==',
          error: /Add a value after/,
          right: 'data.text == "a"',
        },
      ]) {
        const input = page.getByLabel(field, { exact: true })
        const problem = page.locator('.mantine-InputWrapper-error').filter({ hasText: error })
        await input.fill(wrong)
        await problem.waitFor()
        expect(await input.getAttribute('aria-invalid')).toBe('true')
        await page.getByText('Fix the errors to see the preview.').first().waitFor()
        await input.fill(right)
        await problem.waitFor({ state: 'detached' })
      }
      await previewRequest(page).getByText('X-Team').waitFor()

      await page.getByLabel('Endpoint URL').fill('')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('Enter an endpoint URL.').waitFor()
      expect((await client.get('/api/hooks')).json.hooks).toHaveLength(1)
    })
  },
)

test.each(screens)(
  'common mistakes are explained and fixed with one click, on $name',
  async ({ viewport }) => {
    await client.visit(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      const url = page.getByLabel('Endpoint URL')
      await url.fill('example.com/hooks')
      await page.getByRole('button', { name: 'Use https://example.com/hooks' }).click()
      expect(await url.inputValue()).toBe('https://example.com/hooks')
      await previewRequest(page).getByText('POST https://example.com/hooks').waitFor()
      expect(await page.locator('.mantine-InputWrapper-error').count()).toBe(0)

      await page.getByLabel('Event filter').selectOption('values')
      const numbers = page.getByLabel('Numbers')
      await numbers.fill('49151, hello there')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('“hello there” is not a number. Enter numbers, separated by commas.').waitFor()
      await numbers.fill('cel:data.text == "STOP"')
      await page.getByRole('button', { name: 'Use as expression' }).click()
      const expression = page.getByLabel('Expression', { exact: true })
      expect(await expression.inputValue()).toBe('data.text == "STOP"')

      await expression.fill('cel: (data.text == "STOP"')
      await page.getByText('Add a closing parenthesis after “"STOP"”.').waitFor()
      expect(await page.locator('mark').textContent()).toBe('"STOP"')
      await expression.fill('cel:data.text == "STOP"')
      await page.locator('mark').waitFor({ state: 'detached' })
      await backtest(page).getByText('of your last 4 events').waitFor()
      await page.getByText(`event_filter=cel:data.text == "STOP"`).waitFor()

      await expression.fill('data.txt == 5')
      await page.getByText('Sample events of this type have no field data.txt.').waitFor()
    })
  },
)

test.each(screens)('a new account completes its first steps, on $name', async ({ viewport }) => {
  const newcomer = await deliveries.createAccount()
  await newcomer.visit(viewport, async ({ page }) => {
    await page.goto('/webhooks')
    const steps = page.getByRole('region', { name: 'Your first webhook' })
    await steps.getByText('0 of 3 steps done').waitFor()
    await steps.getByRole('button', { name: 'Mark as done' }).waitFor()
    await page.goto('/')
    await steps.getByText('0 of 3 steps done').waitFor()
    await steps.getByRole('link', { name: 'New webhook' }).click()

    await page.getByRole('button', { name: 'Use built-in test receiver' }).click()
    await page.getByText('Requests are shown in the test receiver').waitFor()
    await page.getByRole('button', { name: 'Create and test' }).click()
    await page.getByRole('dialog').getByText('Responded 204').first().waitFor()

    await page.getByRole('heading', { name: 'Test receiver', exact: true, includeHidden: true }).waitFor()
    await page.getByRole('link', { name: 'View in test receiver' }).click()
    await page.getByRole('heading', { name: 'Test receiver', exact: true }).waitFor()
    await page.getByLabel('URL', { exact: true }).waitFor()
    const hidden = await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('pre[aria-label="URL"]'))`,
    )
    expect(hidden, 'pixels of the URL outside of its box').toBe(0)
    await page.goto('/webhooks')
    await page.getByRole('link', { name: 'Test receiver', exact: true }).first().click()
    await page.waitForURL('**/webhooks/test-receiver')
    const requests = page.getByRole('list', { name: 'Requests' })
    await requests.getByText('Signature valid').waitFor()
    await requests.getByText('Hello from Hookline').waitFor()
    await requests.getByRole('button', { name: 'How the signature was verified' }).click()
    await requests.getByText('HMAC-SHA256').waitFor()

    await page.goto('/')
    await steps.getByText('2 of 3 steps done').waitFor()
    await steps.getByText('The test receiver verified the signatures of your requests.').waitFor()
    await steps.getByRole('button', { name: 'Mark as done' }).click()
    await steps.waitFor({ state: 'detached' })
  })
})

test('dismissed steps stay away', async () => {
  const newcomer = await deliveries.createAccount()
  await newcomer.visit(desktop, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Dismiss steps' }).click()
    await page.getByRole('region', { name: 'Your first webhook' }).waitFor({ state: 'detached' })
    await page.goto('/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    expect(await page.getByRole('region', { name: 'Your first webhook' }).count()).toBe(0)
  })
})

test.each(['JSON', 'POST', 'GET'])('the %s preview equals the request of a test event', async (method) => {
  const path = `/previewed-${method}`
  const url = deliveries.receiver.url(path)
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await previewRequest(page).getByText('POST https://example.com/webhook').waitFor()
    await page.getByLabel('Endpoint URL').fill(url)
    await page.getByRole('button', { name: 'Description, headers and rate limit' }).click()
    await page.getByLabel('Headers', { exact: true }).fill('X-Team: one\n')
    const form = page.getByRole('group', { name: 'Preview format' })
    await form.getByRole('button', { name: method }).click()
    expect(await page.getByLabel('Request format').inputValue()).toBe(method)
    await previewRequest(page)
      .getByText(new RegExp(`^${method === 'GET' ? 'GET' : 'POST'} ${url}`))
      .waitFor()
    await previewRequest(page).getByText('X-Team').waitFor()
    const previewed = await asPreviewed(page)

    await page.getByRole('button', { name: 'Create and test' }).click()
    await page.getByRole('dialog').getByText('Responded 200').first().waitFor()
    const request = deliveries.receiver.requests.find((one) => one.url.split('?')[0] === path)
    expect(request && asReceived(request)).toEqual(previewed)
    expect(request?.headers['x-team']).toBe('one')
  })
})

test('delivery options are collapsed, previewed, saved with a new webhook and shown when it is edited', async () => {
  const path = '/with-options'
  const url = deliveries.receiver.url(path)
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Endpoint URL').fill(url)
    await page.getByLabel('Request format').selectOption('POST')
    await previewRequest(page).getByText('data%5Bsender%5D').waitFor()
    expect(await page.getByLabel('Form fields').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Delivery options' }).click()
    await page.getByLabel('Form fields').selectOption('flat')
    await page.getByLabel('Retry policy').selectOption('original')
    await page.getByLabel('Signed URL').selectOption('complete')
    await page.getByLabel('Send Accept header').check()
    await page.getByLabel('Send traceparent header').check()
    await previewRequest(page).getByText('traceparent', { exact: true }).waitFor()
    await previewRequest(page).getByText('accept', { exact: true }).waitFor()
    await previewRequest(page).getByText('data%5Bsender%5D').waitFor({ state: 'detached' })
    await page.getByText('/api/hooks/create').waitFor()
    const previewed = await asPreviewed(page)

    await page.getByRole('button', { name: 'Create and test' }).click()
    await page.getByRole('dialog').getByText('Responded 200').first().waitFor()
    const [request] = deliveries.receiver.at(path)
    expect(request && asReceived(request)).toEqual(previewed)
    expect(request?.headers.accept).toBe('*/*')
    const id = page.url().split('/').at(-1)
    const options = {
      form_fields: 'flat',
      retry_policy: 'original',
      signature_url: 'complete',
      accept_header: true,
      trace_header: true,
    }
    expect((await client.get(`/api/hooks/${id}`)).json.hook).toMatchObject(options)

    await page.goto(`/webhooks/${id}/edit`)
    await page.getByLabel('Form fields').waitFor()
    expect(await page.getByLabel('Retry policy').inputValue()).toBe('original')
    await page.getByLabel('Send Accept header').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(new RegExp(`/webhooks/${id}$`))
    expect((await client.get(`/api/hooks/${id}`)).json.hook).toMatchObject({
      ...options,
      accept_header: false,
    })
    await page.goto(`/webhooks/${id}?tab=settings`)
    await page
      .getByText(
        'Flat form fields, Retry policy of the original service, Signed URL with query, Trace header',
      )
      .waitFor()
  })
})

test('a URL pasted with surrounding spaces is previewed and saved without them', async () => {
  const url = deliveries.receiver.url('/pasted')
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Endpoint URL').fill(`  ${url} `)
    await previewRequest(page).getByText(`POST ${url}`).waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/\/webhooks\/\d+$/)
    const id = page.url().split('/').at(-1)
    expect((await client.get(`/api/hooks/${id}`)).json.hook.target_url).toBe(url)
  })
})

test('screen readers get a short announcement of changes beside the form', async () => {
  const listener = await deliveries.createAccount()
  await listener.submitEventFor({ number: '4930100001' })
  await listener.visit(desktop, async ({ page }) => {
    const live = (region: string) =>
      page.getByRole('region', { name: region }).locator('[aria-live], [role="status"], [role="alert"]')
    await page.goto('/webhooks/new')
    await backtest(page).getByText('Matches 1 of your last 1 event.').waitFor()
    expect(await live('Test on recent events').allTextContents()).toEqual(['Matches 1 of your last 1 event.'])
    await previewRequest(page).getByText('POST https://example.com/webhook').waitFor()
    const first = live('Request preview').getByText('Request updated.')
    await first.evaluate('(element) => { element.id = "first" }')
    const url = deliveries.receiver.url('/announced')
    await page.getByLabel('Endpoint URL').fill(url)
    await previewRequest(page).getByText(`POST ${url}`).waitFor()
    const announced = await live('Request preview').allTextContents()
    expect(announced.filter((text) => text !== '')).toEqual(['Request updated.'])
    // A new element makes screen readers announce the update.
    expect(await page.locator('#first').count()).toBe(0)
  })
})

test('the command beside the form creates the same webhook', async () => {
  const url = deliveries.receiver.url(`/by-command?it's="so"`)
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Endpoint URL').fill(url)
    await page.getByLabel('Event type').selectOption('dlr')
    await page.getByLabel('Event filter').selectOption('expression')
    await page.getByLabel('Expression').fill('data.status == "FAILED"')
    const command = page.getByLabel('command', { exact: true })
    await command.getByText('FAILED').waitFor()
    const text = ((await command.textContent()) ?? '').replace('<API key>', client.account.key)
    const created = JSON.parse(execFileSync('bash', ['-c', `${text} -s`], { encoding: 'utf8' }))
    expect((await client.get(`/api/hooks/${created.id}`)).json.hook).toMatchObject({
      target_url: url,
      event_type: 'dlr',
      event_filter: 'cel:data.status == "FAILED"',
      request_method: 'JSON',
    })
  })
})

test('a filter is tested on recent events and compared with the saved filter', async () => {
  // A separate account, so these are its only events.
  const tester = await deliveries.createAccount()
  const saved = await tester.createHook('/backtested')
  for (const number of [saved.number, saved.number, '4930100001', '4930200002'])
    await tester.submitEventFor({ number })
  await tester.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await backtest(page).getByText('Matches 4 of your last 4 events.').waitFor()
    await page.getByLabel('Event filter').selectOption('values')
    await page.getByLabel('Numbers', { exact: true }).fill('+49 301 00001')
    await backtest(page).getByText('Matches 1 of your last 4 events.').waitFor()
    await expectSamples(page, 'Matched', ['→ 4930••••01'])
    const masked = `→ ${saved.number.slice(0, 4)}••••••${saved.number.slice(-2)}`
    await expectSamples(page, 'Not matched', ['→ 4930••••02', masked, masked])
    await backtest(page).getByText('is not one of the values').first().waitFor()

    await page.goto(`/webhooks/${saved.id}/edit`)
    await backtest(page).getByText('Matches 2 of your last 4 events: same as the saved filter.').waitFor()
    await page.getByLabel('Numbers', { exact: true }).fill('4930200002')
    await backtest(page).getByText('of your last 4 events: 1 fewer than the saved filter.').waitFor()
    await expectSamples(page, 'Added', ['→ 4930••••02'])
    await expectSamples(page, 'Removed', [masked, masked])
    await page.getByLabel('Event filter').selectOption('any')
    await backtest(page).getByText('of your last 4 events: 2 more than the saved filter.').waitFor()
    await page.getByLabel('Event filter').selectOption('expression')
    await page.getByLabel('Expression').fill('((')
    await backtest(page).getByText('Fix the filter to run the test.').waitFor()
  })
})

test('a duplicate webhook for the same URL and events shows a warning', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks/new')
    await page.getByLabel('Endpoint URL').fill(hook.url)
    const warning = page.getByText(
      `${hook.endpoint} already sends such events to this URL. Your server would receive them twice.`,
    )
    await warning.waitFor()
    await page.getByLabel('Event type').selectOption('dlr')
    await warning.waitFor({ state: 'detached' })
    await page.goto(`/webhooks/${hook.id}/edit`)
    await previewRequest(page).getByText(`POST ${hook.url}`).waitFor()
    expect(await page.getByText('Your server would receive them twice').count()).toBe(0)
  })
})

test.each(screens)(
  'changes are saved, shown, and applied to the next event, on $name',
  async ({ viewport }) => {
    const changed = await client.createHook('/before')
    const path = '/after'
    await client.visit(viewport, async ({ page }) => {
      await page.goto(`/webhooks/${changed.id}/edit`)
      await page.getByLabel('Endpoint URL').fill(deliveries.receiver.url(path))
      await page.getByLabel('Request format').selectOption('POST')
      await page.getByRole('button', { name: 'Description, headers and rate limit' }).click()
      await page.getByLabel('Headers', { exact: true }).fill('X-Team: two')
      await page.getByLabel('Rate limit (per second)').fill('none')
      await page.getByRole('button', { name: 'Description, headers and rate limit' }).click()
      await page.getByLabel('Rate limit (per second)').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      // An error inside a closed section opens it.
      await page.getByText('Enter a whole number from 1 to 10,000').waitFor()
      await page.getByLabel('Rate limit (per second)').fill('7')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`${deliveries.receiver.url(path).replace('http://', '')} saved`).waitFor()
      await page.goto(`/webhooks/${changed.id}?tab=settings`)
      const settings = page.getByRole('region', { name: 'Settings' })
      for (const text of ['Form data (POST)', 'X-Team', '7 deliveries per second', changed.number])
        await settings.getByText(text).first().waitFor()
      await page.getByTitle(deliveries.receiver.url(path)).waitFor()
    })
    const event = await client.submitEventFor(changed)
    await deliveries.receiver.until(() => deliveries.received(path, event).length === 1)
    const [request] = deliveries.received(path, event)
    expect(request?.headers).toMatchObject({
      'x-team': 'two',
      'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
    })
    expect(deliveries.receiver.at(changed.path)).toEqual([])
  },
)

function typeList(page: Page) {
  return page.getByRole('group', { name: 'Chosen types' })
}

test.each(screens)(
  'a named webhook for chosen types is created, shown and changed as a list, on $name',
  async ({ viewport }) => {
    const owner = await deliveries.createAccount()
    const path = `/several-${viewport.width}`
    const name = `Reports ${'and more '.repeat(21)}`.slice(0, 200).trim()
    for (const type of ['sms_mo', 'dlr', 'tracking']) await owner.submitEvent(type, samples[type as 'dlr'][0])
    await owner.visit(viewport, async ({ page }) => {
      await page.goto('/webhooks/new')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Endpoint URL').fill(deliveries.receiver.url(path))
      await page.getByLabel('Event type').selectOption('one of several events')
      await backtest(page).getByText('Choose an event type to run the test.').waitFor()
      // The first invalid field is focused, below the page header.
      await page.getByLabel('Endpoint URL').fill('')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('Choose at least one event type.').waitFor()
      await page.locator('input[aria-label="Endpoint URL"]:focus').waitFor()
      await page.getByLabel('Endpoint URL').fill(deliveries.receiver.url(path))
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await typeList(page).locator('input:focus').waitFor()
      for (const type of ['Delivery report', 'Inbound SMS']) await typeList(page).getByLabel(type).check()
      await previewRequest(page).getByText('"webhook_event": "dlr"').waitFor()
      await backtest(page).getByText('Matches 2 of your last 3 events.').waitFor()
      await page.getByLabel('Event filter').selectOption('expression')
      await page.getByLabel('Expression').fill('data.text != "no"')
      await page.getByText('"event_types":["dlr","sms_mo"],"event_filter":"cel:data.text').waitFor()
      await page.getByLabel('Event filter').selectOption('any')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText(`${name} created`).waitFor()

      await page.goto('/webhooks')
      const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').last()
      for (const text of [name, 'Delivery report, Inbound SMS']) await row.getByText(text).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      await row.getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      expect(await typeList(page).getByLabel('Inbound SMS').isChecked()).toBe(true)
      await typeList(page).getByLabel('Delivery report').uncheck()
      await page.getByLabel('Name').fill('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`${path} saved`).waitFor()
    })
    const [saved] = (await owner.get('/api/hooks/health')).json.hooks
    expect(saved.hook).toMatchObject({ name: null, event_type: 'sms_mo', event_filter: null, chosen: null })
  },
)
