/** Event types of the operator on pages: the form offers an added type, and lists show its label. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEventType } from '../../server/src/catalog/event-types.ts'
import { parseDefinition } from '../../server/src/model/event-type/definition.ts'
import { desktop } from './support/dashboard.ts'
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
    schema: { type: 'object', required: ['shop'] },
    sample: { shop: 'berlin' },
    filter_field: 'shop',
  }
  return addEventType(deliveries.hookline.db, parseDefinition(JSON.stringify(definition)), false)
}

test('the form offers a type that is added while the page is open, and lists show its label', async () => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto('/webhooks')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
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
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('Inbound RCS').first().waitFor()
    await page.goto(`/webhooks/${hook.id}/edit`)
    await expect.poll(() => page.getByLabel('Event type').inputValue()).toBe('rcs_mo')
  })
})
