/**
 * `npm run screenshots`: every page as people meet it, in light and dark, on a desk and a phone, full, empty and failing.
 * All of them go to `screenshots/`, which is not kept; those that the README shows also to `docs/screenshots/`.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { startClientApp, type ClientApp } from '../client-app.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from '../service.ts'
import { desk, phone, visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

const all = fileURLToPath(new URL('../../../screenshots/', import.meta.url))
const kept = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url))

const screens = [desk, phone].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${viewport === desk ? 'a desk' : 'a phone'}, ${colorScheme}`,
    viewport,
    colorScheme,
  })),
)

/** For the README: name of the picture and of its screen. */
const inReadme = new Set([
  'overview, a desk, light',
  'webhook, a desk, light',
  'event, a desk, dark',
  'connect, a desk, light',
  'keys, a phone, light',
])

let world: TestWorld
let browser: Browser
let receiver: Receiver
let app: ClientApp
let account: TestAccount
let newcomer: TestAccount
let hookId: number
let eventId: string
let replayId: number
let gateway: Gateway
let appId: string

beforeAll(async () => {
  await mkdir(all, { recursive: true })
  await mkdir(kept, { recursive: true })
  world = await startAreaWorld(
    { ALLOW_PRIVATE_TARGETS: 'true', OPERATOR_CONTACT: 'support@example.com' },
    'all',
  )
  browser = await launchBrowser()
  receiver = await startReceiver((request, response) => {
    const isBroken = request.url.startsWith('/legacy')
    response.statusCode = isBroken ? 500 : 204
    response.end(isBroken ? '{"error":"database is locked"}' : undefined)
  })
  newcomer = await world.account()
  account = await world.account()
  await fill()
})
afterAll(async () => {
  await browser.close()
  await world.close()
  await receiver.close()
  await app.close()
})

async function fill(): Promise<void> {
  const person = await signIn(world.url, account)
  const post = async (path: string, json: object) => (await person.call(path, { method: 'POST', json })).json
  await post('/api/account', { name: 'Northwind Logistics' })
  const hook = async (path: string, more: object = {}): Promise<number> => {
    const values = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
    return (await post('/api/hooks', values)).id
  }
  const steady = await hook('/crm/inbound')
  hookId = await hook('/legacy/sms.php', { request_method: 'POST' })
  await hook('/archive', { event_type: 'all' })
  await hook('/berlin', { event_filter: '4930123456' })
  const paused = await hook('/reports', { request_method: 'GET' })
  await post(`/api/hooks/${paused}/disable`, {})
  await post('/api/keys', { name: 'order service, production', scopes: ['all'] })
  await post('/api/keys', { name: 'nightly report', scopes: ['hooks:read'], allowed_ips: ['203.0.113.7'] })

  app = await startClientApp('hooks:read events:read')
  const made = await post('/api/apps', {
    name: 'Parcel Tracker',
    is_public: true,
    redirect_uris: [app.redirectUri],
  })
  appId = made.app.id
  await app.use({ issuer: `${world.url}/oauth`, api: world.url, clientId: appId, secret: made.secret })

  gateway = await createGateway(world)
  for (let count = 1; count <= 40; count++)
    eventId = await gateway.event(account.accountId, {
      id: String(770_000 + count),
      sender: `49170${String(1_000_000 + count * 7_919).slice(-7)}`,
      text: `Where is parcel ${count}?`,
    })
  await receiver.until(
    () => receiver.at('/crm/inbound').length === 40 && receiver.at('/legacy/sms.php').length >= 5,
  )
  const search = { hook_id: steady, state: 'delivered' }
  const started = await post('/api/replays', { selection: { search }, most_per_second: 5 })
  replayId = started.replay.id
}

describe.each(screens)('on $name', (screen) => {
  async function take(page: Page, name: string): Promise<void> {
    await page.waitForLoadState('networkidle')
    const file = `${name} ${screen.name}`.replaceAll(/[^a-z]+/g, '-')
    await page.screenshot({ path: `${all}${file}.png`, fullPage: true })
    if (inReadme.has(`${name}, ${screen.name}`)) await page.screenshot({ path: `${kept}${name}.png` })
  }

  /** A live page never comes to rest, and shows something only once something happens. */
  async function takeLive(page: Page): Promise<void> {
    await page.getByText('Connected').waitFor()
    let last = ''
    for (const text of ['Is it on its way?', 'Thank you!', 'STOP'])
      last = await gateway.event(account.accountId, { id: '990001', text })
    await page.locator(`a[href="/events/${last}"]`).waitFor()
    await page.screenshot({ path: `${all}live-${screen.name.replaceAll(/\W+/g, '-')}.png` })
  }

  test('what a visitor sees', async () => {
    const { page, close } = await visit(browser, world, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      'sign-in': '/sign-in',
      forgotten: '/forgotten',
      'not-found': '/nothing',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, name)
    }
    await close()
  })

  test('every page, full', async () => {
    const { page, close } = await visitAs(browser, world, account, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      overview: '/',
      webhooks: '/webhooks',
      'new-webhook': '/webhooks/new',
      webhook: `/webhooks/${hookId}`,
      'edit-webhook': `/webhooks/${hookId}/edit`,
      events: '/events',
      event: `/events/${eventId}`,
      live: '/live',
      replays: '/replays',
      replay: `/replays/${replayId}`,
      keys: '/keys',
      apps: '/apps',
      app: `/apps/${appId}`,
      account: '/account',
      audit: '/account/audit',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByText('There is nothing here').count(), path).toBe(0)
      if (name === 'live') await takeLive(page)
      else await take(page, name)
    }
    await page.goto(`${app.url}/connect`)
    await page.getByRole('button', { name: /^Allow/ }).waitFor()
    await take(page, 'connect')
    await close()
  })

  test('the lists, empty and failing', async () => {
    const { page, context, close } = await visitAs(browser, world, newcomer, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const path of ['/', '/webhooks', '/events', '/apps']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, `empty ${path.slice(1) || 'overview'}`)
    }
    await context.route('**/api/keys', (route) => route.abort('connectionrefused'))
    await page.goto('/keys')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await take(page, 'failing keys')
    await close()
  })
})
