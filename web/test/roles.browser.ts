/**
 * What each role sees. A user of every role visits all pages and opens menus and the palette. Offered is exactly what the
 * role may do, and no call is rejected for the role.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Member, type Role, roles } from '../../server/src/model/role.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import { addMember, type TestMember } from '../../server/test/support/members.ts'
import { desktop, expectAccessible, phone, waitForNetworkIdle } from './support/dashboard.ts'
import { type AccountClient, type Deliveries, startDeliveries, type TestHook } from './support/deliveries.ts'

/** Rights differ from the role, so that both are tested. */
const members: Record<Role, Member> = {
  viewer: { role: 'viewer', canReveal: false, canExport: false },
  support: { role: 'support', canReveal: true, canExport: false },
  developer: { role: 'developer', canReveal: false, canExport: true },
  admin: { role: 'admin', canReveal: true, canExport: true },
  owner: { role: 'owner', canReveal: true, canExport: true },
}

interface Offer {
  /** Text of a button, link, menu item or option of the palette. */
  name: string | RegExp
  role: Role
  right?: 'canReveal' | 'canExport'
}

/** Controls that not every member may use, with the least role. */
const offers: readonly Offer[] = [
  { name: 'New webhook', role: 'developer' },
  { name: 'Test receiver', role: 'developer' },
  { name: 'Send test event', role: 'support' },
  { name: 'Edit', role: 'developer' },
  { name: 'Disable', role: 'developer' },
  { name: 'Retry now', role: 'developer' },
  { name: 'Delete', role: 'developer' },
  { name: 'Delete webhook', role: 'developer' },
  { name: 'Signing', role: 'developer' },
  { name: 'Reveal secret', role: 'developer' },
  { name: 'Rotate secret', role: 'developer' },
  { name: 'Restore this version', role: 'developer' },
  { name: /^Select all/, role: 'developer' },
  { name: 'Replay all results…', role: 'developer' },
  { name: 'Replay…', role: 'support' },
  { name: 'Reveal data…', role: 'viewer', right: 'canReveal' },
  { name: 'Copy as cURL', role: 'support', right: 'canReveal' },
  { name: 'Export…', role: 'viewer', right: 'canExport' },
  { name: 'Resume', role: 'developer' },
  { name: 'API keys', role: 'developer' },
  { name: 'Create key', role: 'developer' },
  { name: 'Apps', role: 'developer' },
  { name: 'Register app', role: 'developer' },
  { name: 'Reveal key', role: 'developer' },
  { name: 'Rotate key', role: 'admin' },
  { name: 'Rename account', role: 'admin' },
  { name: 'Single sign-on', role: 'admin' },
  { name: 'Set up single sign-on', role: 'owner' },
  { name: 'Audit log', role: 'admin' },
  { name: 'Export CSV', role: 'admin', right: 'canExport' },
  { name: 'Send event', role: 'support' },
  { name: /^Send test event to \S+/, role: 'support' },
  { name: 'Mute notices', role: 'viewer' },
  { name: /^Disable \S+/, role: 'developer' },
  { name: /^Rotate secret of/, role: 'developer' },
  { name: 'Create webhook', role: 'developer' },
  { name: 'Create API key', role: 'developer' },
]

/** Pages that not every member may open. */
const gates: ReadonlyArray<{ path: () => string; heading: string; shows: string; role: Role }> = [
  { path: () => '/webhooks/new', heading: 'New webhook', shows: 'Cancel', role: 'developer' },
  {
    path: () => '/webhooks/test-receiver',
    heading: 'Test receiver',
    shows: 'No requests yet',
    role: 'developer',
  },
  { path: () => `/webhooks/${orders.id}/edit`, heading: 'Edit webhook', shows: 'Cancel', role: 'developer' },
  {
    path: () => `/webhooks/${orders.id}?tab=signing`,
    heading: 'Orders API',
    shows: 'Reveal secret',
    role: 'developer',
  },
  { path: () => '/keys?new=true', heading: 'API keys', shows: 'Full access', role: 'developer' },
  { path: () => '/apps', heading: 'Apps', shows: 'Register app', role: 'developer' },
  { path: () => '/apps?tab=access', heading: 'Apps', shows: 'No authorized apps', role: 'developer' },
  { path: () => `/apps/${appId}`, heading: 'Apps', shows: 'OAuth client', role: 'developer' },
  { path: () => '/account/sso', heading: 'Single sign-on', shows: 'No identity provider yet', role: 'admin' },
  { path: () => '/account/audit', heading: 'Audit log', shows: 'Export CSV', role: 'admin' },
]

/** Pages for every member, with a text that appears last. */
const openPages: ReadonlyArray<{ path: () => string; shows: string }> = [
  { path: () => '/', shows: 'Response codes' },
  { path: () => '/webhooks', shows: 'Orders API' },
  { path: () => `/webhooks/${orders.id}`, shows: 'No failed attempts in this period' },
  { path: () => `/webhooks/${broken.id}`, shows: 'Responded 500' },
  { path: () => `/webhooks/${orders.id}?tab=events`, shows: 'Inbound SMS' },
  { path: () => `/webhooks/${orders.id}?tab=settings`, shows: 'Custom headers' },
  { path: () => `/webhooks/${orders.id}?tab=history`, shows: 'created the webhook' },
  { path: () => '/events?state=delivered', shows: 'events on this page' },
  { path: () => `/events/${eventId}`, shows: 'webhooks checked' },
  { path: () => '/events?live=true', shows: 'Connected' },
  { path: () => '/replays', shows: 'Paused' },
  { path: () => `/replays/${replayId}`, shows: 'Progress' },
  { path: () => '/account', shows: 'Current session' },
  { path: () => '/account/members', shows: 'Leave account' },
  { path: () => '/guides', shows: 'Signatures' },
  { path: () => '/guides/payloads/sms_mo', shows: 'Fields of data' },
]

/** In the URL of a receiver. */
const credential = 's3cret'

let deliveries: Deliveries
let owner: AccountClient
let orders: TestHook
let broken: TestHook
let eventId: string
let replayId: number
let appId: string
const users = new Map<Role, TestMember>()

beforeAll(async () => {
  deliveries = await startDeliveries()
  owner = await deliveries.createAccount()
  const url = deliveries.receiver.url(`/orders?token=${credential}`)
  orders = await owner.createHook('/orders', { target_url: url })
  broken = await owner.createHook('/broken')
  await owner.post(`/api/hooks/${orders.id}`, { name: 'Orders API' })
  const app = { name: 'Tracker', is_public: true, redirect_uris: ['https://app.example/back'] }
  appId = (await owner.post('/api/apps', app)).json.app.id
  for (let count = 0; count < 2; count++) eventId = await owner.submitEventFor(orders)
  await owner.submitEventFor(broken)
  await owner.waitForState(orders, 'delivered', 2)
  await deliveries.postponeRetries(broken)
  const selection = { search: { hook_id: orders.id, state: 'delivered' } }
  replayId = (await owner.post('/api/replays', { selection, max_per_second: 1 })).json.replay.id
  await owner.post(`/api/replays/${replayId}/pause`)
  for (const role of roles)
    users.set(role, await addMember(deliveries.hookline, owner.account, members[role]))
  // Developers manage only what they created.
  const developer = await signIn(deliveries.hookline.url, userOf('developer'))
  const json = { name: 'own key', scopes: ['hooks'] }
  expect((await developer.call('/api/keys', { method: 'POST', json })).status).toBe(200)
})
afterAll(() => deliveries.close())

function userOf(role: Role): TestMember {
  const user = users.get(role)
  if (user === undefined) throw new Error(`no ${role}`)
  return user
}

function includes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitForNetworkIdle(page)
}

/** Adds the texts of all controls of the page to `seen`. */
async function collect(page: Page, seen: Set<string>): Promise<void> {
  for (const role of ['button', 'link', 'menuitem', 'option'] as const)
    for (const text of await page.getByRole(role).allInnerTexts()) seen.add(text.trim())
}

async function collectMenus(page: Page, seen: Set<string>): Promise<void> {
  const menus = page.getByRole('button', { name: /^Actions for/ })
  for (let index = 0; index < (await menus.count()); index++) {
    await menus.nth(index).click()
    await page.getByRole('menuitem').first().waitFor()
    await collect(page, seen)
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  }
}

async function collectPalette(page: Page, seen: Set<string>): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  for (const text of [
    'orders',
    'test orders',
    'disable orders',
    'rotate orders',
    'create',
    'own key',
    'audit',
  ]) {
    await palette.getByRole('combobox').fill(text)
    // The palette waits for the next key before it searches.
    await page.waitForTimeout(300)
    await waitForNetworkIdle(page)
    await palette.getByRole('option').or(palette.getByText('No results for')).first().waitFor()
    await collect(page, seen)
  }
  await page.keyboard.press('Escape')
}

test.each(roles)(
  'the role %s sees what it may do, and causes no rejected call',
  { timeout: 240_000 },
  async (role) => {
    const member = members[role]
    const seen = new Set<string>()
    const rejected: string[] = []
    await deliveries.visitAs(userOf(role), desktop, async ({ page }) => {
      page.on('response', (response) => {
        if (response.status() === 403)
          rejected.push(`${response.request().method()} ${response.url()} on ${page.url()}`)
      })
      for (const { path, shows } of openPages) {
        await open(page, path())
        await page.getByText(shows).first().waitFor()
        expect(await page.getByText(/^Requires the/).count(), path()).toBe(0)
        if (!includes(role, 'developer')) expect(await page.content(), path()).not.toContain(credential)
        await collect(page, seen)
      }
      await open(page, '/webhooks')
      await collectMenus(page, seen)
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await collect(page, seen)
      await page.keyboard.press('Escape')
      if (includes(role, 'support')) {
        await open(page, `/webhooks/${orders.id}`)
        await page.getByRole('button', { name: 'Send test event' }).click()
        await page.getByRole('button', { name: 'Send event' }).waitFor()
        await waitForNetworkIdle(page)
        await collect(page, seen)
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await collectPalette(page, seen)
      for (const { path, shows, role: needed } of gates) {
        await open(page, path())
        const isOpen = includes(role, needed)
        const gate = page.getByText(/^Requires the (Developer|Admin) role$/)
        await (isOpen ? page.getByText(shows).first() : gate).waitFor()
        expect(await gate.count(), path()).toBe(isOpen ? 0 : 1)
        await collect(page, seen)
        if (!isOpen) await page.getByText(owner.account.alias).first().waitFor()
        else if (path() === '/keys?new=true') {
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
          await collectMenus(page, seen)
        }
      }
      expect(rejected).toEqual([])
    })
    const isSeen = ({ name }: Offer) =>
      [...seen].some((text) => (typeof name === 'string' ? text === name : name.test(text)))
    const isAllowed = ({ role: needed, right }: Offer) =>
      includes(role, needed) && (right === undefined || member[right])
    expect(offers.filter(isSeen).map(({ name }) => String(name))).toEqual(
      offers.filter(isAllowed).map(({ name }) => String(name)),
    )
  },
)

test.each(gates)(
  '“$heading” explains the needed role to a viewer and has a way back',
  async ({ path, heading, role }) => {
    await deliveries.visitAs(userOf('viewer'), phone, async ({ page }) => {
      await open(page, path())
      await page.getByText(`Requires the ${role === 'admin' ? 'Admin' : 'Developer'} role`).waitFor()
      await page.getByText('Your role in this account is Viewer.').waitFor()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      // Members who can change it, and no others.
      const text = page.getByText(/can change it\.$/)
      for (const { alias } of [owner.account, userOf('admin'), userOf('owner')])
        await text.getByText(alias).waitFor()
      expect(await text.getByText(userOf('developer').alias).count()).toBe(0)
      await page.getByRole('link', { name: 'View overview' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    })
  },
)

test('a gate and the pages of a viewer are accessible', async () => {
  await deliveries.visitAs(userOf('viewer'), desktop, async ({ page }) => {
    for (const path of [
      '/keys',
      '/',
      '/webhooks',
      `/webhooks/${orders.id}`,
      `/events/${eventId}`,
      '/account',
    ]) {
      await open(page, path)
      await expectAccessible(page)
    }
  })
})

test('shortcuts and navigation of a viewer lead only to open pages', async () => {
  await deliveries.visitAs(userOf('viewer'), desktop, async ({ page }) => {
    await open(page, '/')
    for (const key of ['n', 'g', 'k']) await page.keyboard.press(key)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Webhooks', { exact: true }).waitFor()
    expect(await dialog.getByText('New webhook').count()).toBe(0)
    expect(await dialog.getByText('API keys').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/')
  })
  await deliveries.visitAs(userOf('viewer'), phone, async ({ page }) => {
    await open(page, '/')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Account', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'API keys' }).count()).toBe(0)
  })
})

test('support replays a single delivery, and says why data is revealed', async () => {
  await deliveries.visitAs(userOf('support'), desktop, async ({ page }) => {
    await open(page, `/events/${eventId}`)
    await page.getByRole('button', { name: 'Reveal data…' }).click()
    const reveal = page.getByRole('dialog').getByRole('button', { name: 'Reveal data' })
    expect(await reveal.isDisabled()).toBe(true)
    await page.getByRole('dialog').getByLabel('Reason').fill('Ticket 4711')
    await expectAccessible(page)
    await reveal.click()
    await page.getByText('Revealed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Copy as cURL' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Ticket 4712')
    await page.getByRole('dialog').getByRole('button', { name: 'Show command' }).click()
    await page.getByRole('dialog').getByLabel('command', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Replay…' }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start replay' }).click()
    await page.getByText('Done: 1 delivered').waitFor({ timeout: 30_000 })
  })
  await owner.visit(desktop, async ({ page }) => {
    await open(page, '/account/audit')
    await page.getByText('reason: Ticket 4711').waitFor()
    await page.getByText('reason: Ticket 4712').waitFor()
  })
})

test('a developer gives keys only the scopes of the own role and rights, and manages only own keys', async () => {
  await deliveries.visitAs(userOf('developer'), desktop, async ({ page }) => {
    await open(page, '/keys?new=true')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Replay deliveries').check()
    for (const scope of ['Full access to the API', /^View events and deliveries/])
      expect(await dialog.getByLabel(scope).count()).toBe(0)
    await dialog.getByLabel('Name').fill('all that I may give')
    for (const box of await dialog.getByRole('checkbox', { name: /^View/ }).all()) await box.check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for own key' }).waitFor()
    expect(await page.getByRole('button', { name: 'Actions for test' }).count()).toBe(0)
    await open(page, `/apps/${appId}`)
    await page.getByText('Client ID').first().waitFor()
    expect(await page.getByRole('button', { name: 'Delete app' }).count()).toBe(0)
    await open(page, '/webhooks/new')
    await page.getByText('Requires the right “Reveal personal data”').waitFor()
  })
})
