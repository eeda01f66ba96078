/** Event types of the operator on pages: the form offers an added type, and lists show its label. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEventType } from '../../server/src/catalog/event-types.ts'
import { parseDefinition } from '../../server/src/model/event-type/definition.ts'
import { desktop, expectAccessible, screens } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
})
afterAll(() => deliveries.close())

function addType(name: string): Promise<unknown> {
  const definition = {
    name,
    label: `Order ${name}`,
    description: 'An order left the warehouse.',
    schema: {
      type: 'object',
      required: ['shop'],
      properties: {
        shop: { type: 'string', description: 'Name of the shop.' },
        lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      },
    },
    sample: { shop: 'berlin', lines: [{ sku: 'A1' }] },
    filter_field: 'shop',
  }
  return addEventType(deliveries.hookline.db, parseDefinition(JSON.stringify(definition)), false)
}

test('the form offers a type that is added while the page is open, and lists show its label', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks')
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await addType('shipped')
    const url = deliveries.receiver.url('/shipped')
    await expect
      .poll(
        async () => {
          await page.goto('/webhooks/new')
          await page.getByLabel('Endpoint URL').waitFor()
          return page.getByLabel('Event type').getByRole('option').allTextContents()
        },
        { timeout: 10_000 },
      )
      .toContain('Order shipped')
    await page.getByLabel('Event type').selectOption('shipped')
    await page.getByLabel('Event filter').selectOption({ label: 'these values only' })
    await page.getByLabel('Values').fill('berlin')
    await page.getByLabel('Endpoint URL').fill(url)
    await page.getByText('"shop": "berlin"').waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Order shipped').first().waitFor()
    await page.goto('/webhooks')
    await page.getByText('Order shipped').first().waitFor()
    await page.goto('/events')
    await page.getByLabel('Type', { exact: true }).selectOption('shipped')
    await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('shipped')
  })
})

test('a webhook for a part of a type shows the part', async () => {
  const hook = await client.createHook('/part', { event_type: 'rcs_mo', event_filter: '' })
  await client.visit(desktop, async ({ page }) => {
    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await page.getByText('Inbound RCS').first().waitFor()
    await page.goto(`/webhooks/${hook.id}/edit`)
    await expect.poll(() => page.getByLabel('Event type').inputValue()).toBe('rcs_mo')
  })
})

test.each(screens)('the payload guide shows an added type in every format on $name', async ({ viewport }) => {
  await addType(`paid_${viewport.width}`)
  const type = `paid_${viewport.width}`
  await client.visit(viewport, async ({ page, problems }) => {
    // Processes follow the catalog with a delay.
    await expect
      .poll(
        async () => {
          await page.goto('/guides/payloads')
          await page.getByRole('link', { name: 'Inbound SMS' }).waitFor()
          return page.getByRole('link', { name: `Order ${type}` }).count()
        },
        { timeout: 10_000 },
      )
      .toBe(1)
    await page.getByRole('link', { name: `Order ${type}` }).click()
    await page.getByText('An order left the warehouse.').waitFor()
    await page.getByText('lines[].sku').waitFor()
    await page.getByText('Name of the shop.').waitFor()
    const request = page.getByLabel('request', { exact: true })
    await request.getByText(`"webhook_event": "${type}"`).waitFor()
    const decoded = page.getByLabel('decoded fields', { exact: true })
    await page.getByRole('tab', { name: 'POST, nested' }).click()
    await request.getByText('data%5Blines%5D%5B0%5D%5Bsku%5D=A1&').waitFor()
    await decoded.getByText('data[lines][0][sku]=A1').waitFor()
    await page.getByRole('tab', { name: 'POST, flat' }).click()
    await decoded.getByText('shop=berlin lines[0][sku]=A1').waitFor()
    await page.getByRole('tab', { name: 'GET' }).click()
    await request.getByText('GET /webhook?shop=berlin&').waitFor()
    await decoded.getByText(`webhook_event=${type}`).waitFor()
    if (viewport === desktop) await expectAccessible(page)
    await page.goto('/guides/payloads/no_such_type')
    await page.getByText('There is no event type “no_such_type”.').waitFor()
    expect(problems).toEqual({ console: [], external: [] })
  })
})
