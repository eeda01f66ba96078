/** Focus returns to the opener after a dialog closes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { type Deliveries, type AccountClient, type TestHook, startDeliveries } from './support/deliveries.ts'

let deliveries: Deliveries
let client: AccountClient
let hook: TestHook
let eventId: string

beforeAll(async () => {
  deliveries = await startDeliveries()
  client = await deliveries.createAccount()
  hook = await client.createHook('/focus')
  eventId = await client.submitEventFor(hook)
  await client.waitForState(hook, 'delivered', 1)
})
afterAll(() => deliveries.close())

function button(page: Page, name: string | RegExp) {
  return page.getByRole('button', { name }).first()
}

async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  await button(page, name).and(page.locator(':focus')).waitFor()
}

const onPages = [
  { on: 'any page', opener: /^Search/, dialog: 'Search' },
  { on: 'the keys', opener: 'Create key', dialog: 'Create API key' },
  { on: 'a webhook', opener: 'Send test event', dialog: /^Send test event to/ },
  { on: 'an event', opener: 'Copy as cURL', dialog: 'Copy as cURL' },
  { on: 'an event', opener: 'Reveal data…', dialog: 'Reveal personal data?' },
  { on: 'an event', opener: 'Replay…', dialog: 'Start replay' },
  {
    on: 'the webhooks',
    opener: /^Actions for 127/,
    entry: 'Send test event',
    dialog: /^Send test event/,
  },
  { on: 'the webhooks', opener: /^Actions for 127/, entry: 'Delete', dialog: /^Delete 127/ },
  { on: 'the keys', opener: 'Actions for test', entry: 'Reveal key', dialog: /^Reveal/ },
  { on: 'the keys', opener: 'Actions for test', entry: 'Revoke key', dialog: /^Revoke/ },
]

function pathOf(on: string): string {
  return (
    { 'the keys': '/keys', 'a webhook': `/webhooks/${hook.id}`, 'the webhooks': '/webhooks' }[on] ??
    (on === 'an event' ? `/events/${eventId}` : '/')
  )
}

test.each(onPages)('on $on, Esc in $dialog returns the focus to the opener', async (entry) => {
  await client.visit(desktop, async ({ page }) => {
    await page.goto(pathOf(entry.on))
    await button(page, entry.opener).press('Enter')
    if (entry.entry !== undefined) await page.getByRole('menuitem', { name: entry.entry }).press('Enter')
    const dialog = page.getByRole('dialog', { name: entry.dialog })
    await dialog.locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(page, entry.opener)
  })
})

test('after a second dialog, the focus returns to the first opener or the page heading', async () => {
  const beginner = await deliveries.createAccount()
  await deliveries.hookline.database.query('DELETE FROM keys WHERE account_id = $1', [
    beginner.account.accountId,
  ])
  await beginner.visit(desktop, async ({ page }) => {
    await page.goto('/keys')
    const createKey = async (name: string) => {
      await button(page, 'Create key').press('Enter')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Name').press('Enter')
      await button(page, 'Done').press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    // The list is no longer empty, so its button is gone.
    await createKey('first')
    await page.getByRole('heading', { name: 'API keys' }).and(page.locator(':focus')).waitFor()
    await createKey('second')
    await expectFocus(page, 'Create key')
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(2)
  })
})
