/** Whoever uses the keyboard is after a dialog where they were before it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from './area.ts'
import { type Deliveries, type Owner, type OwnHook, startDeliveries } from './deliveries.ts'

let deliveries: Deliveries
let owner: Owner
let hook: OwnHook
let eventId: string

beforeAll(async () => {
  deliveries = await startDeliveries()
  owner = await deliveries.owner()
  hook = await owner.hook('/known')
  eventId = await owner.eventFor(hook)
  await owner.until(hook, 'delivered', 1)
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
  { on: 'the keys', opener: 'New key', dialog: 'New API key' },
  { on: 'a webhook', opener: 'Send a test', dialog: /^Send a test to webhook/ },
  { on: 'an event', opener: 'Copy as curl', dialog: /curl/ },
  { on: 'an event', opener: 'Reveal…', dialog: 'Reveal numbers and texts?' },
  { on: 'an event', opener: 'Replay…', dialog: 'Send again' },
  { on: 'the webhooks', opener: /^What to do with webhook/, entry: 'Send a test', dialog: /^Send a test/ },
  { on: 'the webhooks', opener: /^What to do with webhook/, entry: 'Delete', dialog: /^Delete webhook/ },
  { on: 'the keys', opener: 'What to do with test', entry: 'View the key again', dialog: /^View/ },
  { on: 'the keys', opener: 'What to do with test', entry: 'Revoke', dialog: /^Revoke/ },
]

function pathOf(on: string): string {
  return (
    { 'the keys': '/keys', 'a webhook': `/webhooks/${hook.id}`, 'the webhooks': '/webhooks' }[on] ??
    (on === 'an event' ? `/events/${eventId}` : '/')
  )
}

test.each(onPages)('on $on, Esc in $dialog leads back to what opened it', async (one) => {
  await owner.look(desk, async ({ page }) => {
    await page.goto(pathOf(one.on))
    await button(page, one.opener).press('Enter')
    if (one.entry !== undefined) await page.getByRole('menuitem', { name: one.entry }).press('Enter')
    const dialog = page.getByRole('dialog', { name: one.dialog })
    await dialog.locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(page, one.opener)
  })
})

test('a dialog that follows another leads back to what opened the first, or to the head of the page', async () => {
  const beginner = await deliveries.owner()
  await deliveries.world.database.query('DELETE FROM keys WHERE account_id = $1', [
    beginner.account.accountId,
  ])
  await beginner.look(desk, async ({ page }) => {
    await page.goto('/keys')
    const makeKey = async (name: string) => {
      await button(page, 'New key').press('Enter')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Name').press('Enter')
      await button(page, 'I have copied it').press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    // The list has an entry now, so the button in it that was pressed is gone.
    await makeKey('first')
    await page.getByRole('heading', { name: 'API keys' }).and(page.locator(':focus')).waitFor()
    await makeKey('second')
    await expectFocus(page, 'New key')
    expect(await page.getByRole('button', { name: /^What to do with/ }).count()).toBe(2)
  })
})
