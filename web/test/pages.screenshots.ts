/**
 * `npm run screenshots`: every page in light and dark, on a desktop and a phone, with data, empty and failing. Writes
 * to `screenshots/`, which is not committed, and the README screenshots also to `docs/screenshots/`.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { createStop } from '../../server/src/db/stops.ts'
import { openVerification } from '../../server/src/identity/accounts/email-verifications.ts'
import { createInvitation } from '../../server/src/identity/members/invitations.ts'
import type { Member } from '../../server/src/model/role.ts'
import { samples } from '../../server/src/model/sample-events.ts'
import { startClientApp, type ClientApp } from '../../server/test/support/servers/client-app.ts'
import { createGateway, type Gateway } from '../../server/test/support/gateway.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../server/test/support/servers/identity-provider.ts'
import { addMember, joinAccount, type TestMember } from '../../server/test/support/members.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { desktop, phone, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'
import { configureSso, verifyDomain } from './support/sso.ts'
import { fillNotices } from './support/fill-notices.ts'

const all = fileURLToPath(new URL('../../screenshots/', import.meta.url))
const committed = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))

const screens = [desktop, phone].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${viewport === desktop ? 'a desk' : 'a phone'}, ${colorScheme}`,
    viewport,
    colorScheme,
  })),
)

/** A list of 200 webhooks is cut off here. */
const maxHeight = 3_000

/** Screenshots for the README, as page name and screen name. */
const inReadme = new Set([
  'overview, a desk, light',
  'webhook, a desk, light',
  'event, a desk, dark',
  'connect, a desk, light',
  'keys, a phone, light',
])

let hookline: TestService
let mail: MailServer
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
let troubled: Troubled
let crowded: Crowded
let team: Team
let provider: IdentityProvider

beforeAll(async () => {
  await mkdir(all, { recursive: true })
  await mkdir(committed, { recursive: true })
  mail = await startMailServer()
  hookline = await startDashboardService(
    {
      ALLOW_PRIVATE_TARGETS: 'true',
      OPERATOR_CONTACT: 'support@example.com',
      HOOKS_PER_ACCOUNT: '200',
      SMTP_URL: mail.url,
      MAIL_FROM: 'Hookline <hookline@example.com>',
    },
    'all',
  )
  browser = await launchBrowser()
  receiver = await startReceiver((request, response) => {
    const isBroken = request.url.startsWith('/legacy')
    response.statusCode = isBroken ? 500 : 204
    response.end(isBroken ? '{"error":"database is locked"}' : undefined)
  })
  newcomer = await hookline.account()
  account = await hookline.account()
  await fill()
  team = await fillTeam()
  provider = await startIdentityProvider(() => [])
  await fillSso(account, 'Okta', 'northwind.example')
  troubled = await fillTroubled()
  crowded = await fillCrowded()
  const longDomain = `${'long-'.repeat(9)}name.${'sub.'.repeat(10)}example.com`
  await fillSso(
    crowded.account,
    'Identity provider of the northern warehouses, '.repeat(2).trim(),
    longDomain,
  )
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await receiver.close()
  await app.close()
  await mail.close()
  await provider.close()
})

async function fill(): Promise<void> {
  const user = await signIn(hookline.url, account)
  const post = async (path: string, json: object) => (await user.call(path, { method: 'POST', json })).json
  await post('/api/account', { name: 'Northwind Logistics' })
  await post('/api/onboarding', { dismissed: true })
  const hook = async (path: string, more: object = {}): Promise<number> => {
    const values = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
    return (await post('/api/hooks/create', values)).hook.id
  }
  const steady = await hook('/crm/inbound', { name: 'CRM inbox' })
  hookId = await hook('/legacy/sms.php', { request_method: 'POST', name: 'Legacy SMS importer' })
  await hook('/archive', { event_type: 'all', name: 'Archive' })
  await hook('/berlin', { event_filter: '4930123456' })
  const paused = await hook('/reports', { request_method: 'GET', name: 'Nightly reports' })
  await post(`/api/hooks/${paused}/disable`, {})
  await fillNotices(hookline, account, [hookId, steady])
  await post('/api/keys', { name: 'order service, production', scopes: ['all'] })
  await post('/api/keys', { name: 'nightly report', scopes: ['hooks:read'], allowed_ips: ['203.0.113.7'] })

  app = await startClientApp('hooks:read events:read')
  const created = await post('/api/apps', {
    name: 'Parcel Tracker',
    is_public: true,
    redirect_uris: [app.redirectUri],
  })
  appId = created.app.id
  await app.use({
    issuer: `${hookline.url}/oauth`,
    api: hookline.url,
    clientId: appId,
    secret: created.secret,
  })

  gateway = await createGateway(hookline)
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
  const started = await post('/api/replays', { selection: { search }, max_per_second: 5 })
  replayId = started.replay.id
}

interface Team {
  viewer: TestMember
  /** Links of invitations, by how they are accepted. */
  joinNew: string
  joinKnown: string
}

/** Members in every role, and invitations: open, expired, and to an email that a login has. */
async function fillTeam(): Promise<Team> {
  const { query } = hookline.database
  const add = async (alias: string, member: Member) => {
    const added = await addMember(hookline, account, member)
    await query('UPDATE logins SET alias = $2, email = $3 WHERE id = $1', [
      added.loginId,
      alias,
      `${alias}@northwind.example`,
    ])
    return { ...added, alias }
  }
  await add('grace', { role: 'admin', canReveal: true, canExport: true })
  await add('linus', { role: 'developer', canReveal: true, canExport: false })
  await add(`warehouse-${'night-shift-'.repeat(4)}berlin`, {
    role: 'support',
    canReveal: true,
    canExport: false,
  })
  const viewer = await add('margaret', { role: 'viewer', canReveal: false, canExport: false })
  await joinAccount(hookline, account, newcomer, { role: 'support', canReveal: true, canExport: false })
  // Sessions start in the account used last.
  await query(`UPDATE memberships SET used_at = now() - interval '1 day' WHERE account_id = $1`, [
    newcomer.accountId,
  ])
  const invite = async (email: string, role: 'viewer' | 'developer'): Promise<string> => {
    const rights = { canReveal: false, canExport: false }
    const { token } = await createInvitation(hookline.db, hookline.vault, account, {
      email,
      member: { role, ...rights },
    })
    return `/join#token=${token}`
  }
  const joinNew = await invite('ada@northwind.example', 'developer')
  const joinKnown = await invite(newcomer.email, 'viewer')
  await invite('late@northwind.example', 'viewer')
  await query(`UPDATE invitations SET expires_at = now() - interval '2 days' WHERE email LIKE 'late@%'`, [])
  return { viewer, joinNew, joinKnown }
}

/** Single sign-on with a verified and an unverified domain, and one linked user. */
async function fillSso(owner: TestAccount, name: string, domain: string): Promise<void> {
  const { query } = hookline.database
  await configureSso(hookline, owner, provider, { default_role: 'developer', can_reveal: true })
  await query('UPDATE sso_connections SET name = $2 WHERE account_id = $1', [owner.accountId, name])
  const user = await signIn(hookline.url, owner)
  await user.call('/api/sso/domains', { method: 'POST', json: { domain } })
  await verifyDomain(hookline, owner, `verified-${domain}`)
  await query(
    `INSERT INTO sso_identities (account_id, issuer, subject, login_id, email) VALUES ($1, $2, 'u-1', $3, $4)`,
    [owner.accountId, provider.issuer, owner.loginId, `someone@verified-${domain}`],
  )
}

interface Troubled {
  account: TestAccount
  stoppedHook: number
  unloadableHook: number
  tooExpensive: string
  quarantined: string
}

/** An account with a stopped and an unloadable webhook, a filter that is too expensive, and a quarantined delivery. */
async function fillTroubled(): Promise<Troubled> {
  const { query } = hookline.database
  const troubledAccount = await hookline.account()
  const user = await signIn(hookline.url, troubledAccount)
  const hook = async (path: string, more: object): Promise<number> => {
    const json = { target_url: receiver.url(path), request_method: 'JSON', ...more }
    return (await user.call('/api/hooks', { method: 'POST', json })).json.id
  }
  const expensive = 'cel:data.text.split(" ").exists(x, data.text.contains(x + x + x))'
  await hook('/search', { event_type: 'sms_mo', event_filter: expensive })
  const stoppedHook = await hook('/stopped', { event_type: 'dlr' })
  const unloadableHook = await hook('/damaged', { event_type: 'voice_status', headers: 'X-Token: secret' })
  const tooExpensive = await gateway.event(troubledAccount.accountId, {
    text: `${'a'.repeat(39_999)} `.repeat(3),
  })
  const eventOf = async (type: string, data: object): Promise<string> => {
    const { accepted, rejected } = await gateway.submitEvents({
      account_id: troubledAccount.accountId,
      type,
      data,
    })
    expect(rejected).toEqual([])
    return accepted[0] ?? ''
  }
  const quarantined = await eventOf('dlr', samples.dlr[0])
  await untilOneRow('DELETE FROM deliveries WHERE event_id = $1 RETURNING event_id', quarantined)
  await query('DELETE FROM attempts WHERE event_id = $1', [quarantined])
  await query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, hooks_version)
     SELECT account_id, $2, id, type, accepted_at, 'infinity', 3 FROM events WHERE id = $1`,
    [quarantined, stoppedHook],
  )
  await query(
    `INSERT INTO suspects (event_id, hook_id, account_id, is_alone, quarantined_at, reason)
     VALUES ($1, $2, $3, true, now(), 'ran out of memory or aborted')`,
    [quarantined, stoppedHook, troubledAccount.accountId],
  )
  const reason = 'Your server is under maintenance until 18:00 UTC.'
  const target = { scope: 'hook', accountId: troubledAccount.accountId, hookId: stoppedHook } as const
  await hookline.db.transaction().execute((trx) => createStop(trx, 'operator', { target, reason }))
  await query(`UPDATE hooks SET headers = '\\x00' WHERE id = $1`, [unloadableHook])
  await query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    troubledAccount.accountId,
  ])
  await eventOf('voice_status', samples.voice_status[0])
  await untilOneRow('SELECT FROM hook_problems WHERE hook_id = $1', unloadableHook)
  await query('UPDATE logins SET email = NULL, email_verified_at = NULL WHERE id = $1', [
    troubledAccount.loginId,
  ])
  await openVerification(hookline.db, hookline.vault, troubledAccount.loginId, 'new@example.com')
  return { account: troubledAccount, stoppedHook, unloadableHook, tooExpensive, quarantined }
}

interface Crowded {
  account: TestAccount
  /** A failing webhook with a name of 200 characters. */
  longHook: number
  event: string
}

/** An account with 200 webhooks. Some fail, some are disabled, and names have 20 or 200 characters. */
async function fillCrowded(): Promise<Crowded> {
  const crowdedAccount = await hookline.account()
  const user = await signIn(hookline.url, crowdedAccount)
  const hook = async (path: string, name: string): Promise<number> => {
    const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', name }
    return (await user.call('/api/hooks/create', { method: 'POST', json })).json.hook.id
  }
  const longName = 'Parcel tracking for the northern warehouses, second line, '.repeat(4).slice(0, 200)
  const longHook = await hook('/legacy/long', longName)
  for (let count = 1; count < 200; count++) {
    const path = count % 20 === 0 ? '/legacy' : '/team'
    const id = await hook(`${path}/${count}`, `Customer inbox no ${String(count).padStart(2, '0')}`)
    if (count % 25 === 0) await user.call(`/api/hooks/${id}/disable`, { method: 'POST', json: {} })
  }
  let event = ''
  for (let count = 1; count <= 6; count++)
    event = await gateway.event(crowdedAccount.accountId, { id: `88000${count}` })
  await receiver.until(() => receiver.at('/legacy/long').length >= 2 && receiver.at('/team/199').length === 6)
  return { account: crowdedAccount, longHook, event }
}

/** `expect.poll` works only inside tests. */
async function untilOneRow(statement: string, value: string | number): Promise<void> {
  await vi.waitFor(async () => expect(await hookline.database.query(statement, [value])).toHaveLength(1), {
    timeout: 30_000,
  })
}

describe.each(screens)('on $name', (screen) => {
  async function take(page: Page, name: string): Promise<void> {
    await page.waitForLoadState('networkidle')
    const file = `${name} ${screen.name}`.replaceAll(/[^a-z]+/g, '-')
    const height = Math.min(Number(await page.evaluate('document.documentElement.scrollHeight')), maxHeight)
    const clip = { x: 0, y: 0, width: screen.viewport.width, height }
    await page.screenshot({ path: `${all}${file}.png`, fullPage: true, clip })
    if (inReadme.has(`${name}, ${screen.name}`)) await page.screenshot({ path: `${committed}${name}.png` })
  }

  /** The live page never becomes idle and needs events to show. */
  async function takeLive(page: Page): Promise<void> {
    await page.getByText('Connected').waitFor()
    let last = ''
    for (const text of ['Is it on its way?', 'Thank you!', 'STOP'])
      last = await gateway.event(account.accountId, { id: '990001', text })
    await page.locator(`a[href="/events/${last}"]`).waitFor()
    await page.screenshot({ path: `${all}live-${screen.name.replaceAll(/\W+/g, '-')}.png` })
  }

  test('pages for signed-out visitors', async () => {
    const { page, close } = await visit(browser, hookline, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      'sign-in': '/sign-in',
      'sign-in sso': '/sign-in/sso',
      'sign-in connection': '/sign-in/sso?connection=abc',
      'sign-in link': '/sign-in?link_sso=true',
      forgotten: '/forgot-password',
      reset: '/reset#token=something',
      verify: '/verify#token=something',
      join: team.joinNew,
      'join sign-in': team.joinKnown,
      'join invalid': '/join',
      'not-found': '/nothing',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, name)
    }
    await close()
  })

  test('every page with data', async () => {
    const { page, close } = await visitAs(browser, hookline, account, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      overview: '/',
      webhooks: '/webhooks',
      'new-webhook': '/webhooks/new',
      webhook: `/webhooks/${hookId}`,
      'webhook-events': `/webhooks/${hookId}?tab=events`,
      'webhook-settings': `/webhooks/${hookId}?tab=settings`,
      'webhook-signing': `/webhooks/${hookId}?tab=signing`,
      'webhook-history': `/webhooks/${hookId}?tab=history`,
      'edit-webhook': `/webhooks/${hookId}/edit`,
      'test-receiver': '/webhooks/test-receiver',
      events: '/events',
      event: `/events/${eventId}`,
      live: '/events?live=true',
      replays: '/replays',
      replay: `/replays/${replayId}`,
      keys: '/keys',
      apps: '/apps',
      app: `/apps/${appId}`,
      account: '/account',
      members: '/account/members',
      sso: '/account/sso',
      notices: '/notices',
      'notice-settings': '/account/notices',
      audit: '/account/audit',
      guides: '/guides',
      signatures: '/guides/signatures',
      retries: '/guides/retries',
      filters: '/guides/filters',
      payloads: '/guides/payloads',
      payload: '/guides/payloads/sms_mo',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByText('Page not found').count(), path).toBe(0)
      if (name === 'live') await takeLive(page)
      else await take(page, name)
    }
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('legacy')
    await page.getByRole('option', { name: /^Disable/ }).waitFor()
    await take(page, 'palette')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('New webhook').waitFor()
    await take(page, 'shortcuts')
    await page.goto('/events?state=delivered')
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('dialog').waitFor()
    await take(page, 'export')
    await page.goto('/account/members')
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByRole('dialog').getByLabel('Developer').check()
    await take(page, 'invite')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for linus' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.getByRole('dialog').waitFor()
    await take(page, 'change role')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Notices/ }).click()
    await page.getByRole('menuitem', { name: 'View all notices' }).waitFor()
    await take(page, 'notices menu')
    await page.keyboard.press('Escape')
    await page.goto('/account/sso')
    for (const button of ['Change provider', 'Change new members', 'Require single sign-on']) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor()
      await take(page, `sso ${button.toLowerCase()}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.goto('/account/notices')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('dialog').waitFor()
    await take(page, 'add channel')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await take(page, 'account menu')
    await page.goto(team.joinNew)
    await page.getByRole('button', { name: 'Join account' }).waitFor()
    await take(page, 'join signed in')
    await page.goto(`${app.url}/connect`)
    await page.getByRole('button', { name: /^Allow/ }).waitFor()
    await take(page, 'connect')
    await close()
  })

  test('pages of a viewer', async () => {
    const { page, close } = await visitAs(browser, hookline, team.viewer, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      overview: '/',
      webhooks: '/webhooks',
      webhook: `/webhooks/${hookId}`,
      'webhook-settings': `/webhooks/${hookId}?tab=settings`,
      'webhook-signing': `/webhooks/${hookId}?tab=signing`,
      events: '/events',
      event: `/events/${eventId}`,
      replays: '/replays',
      keys: '/keys',
      account: '/account',
      members: '/account/members',
      audit: '/account/audit',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, `viewer ${name}`)
    }
    await close()
  })

  test('pages of an account with problems', async () => {
    const { page, close } = await visitAs(browser, hookline, troubled.account, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      overview: '/',
      webhooks: '/webhooks',
      'stopped-webhook': `/webhooks/${troubled.stoppedHook}`,
      'unloadable-webhook': `/webhooks/${troubled.unloadableHook}`,
      'too-expensive-event': `/events/${troubled.tooExpensive}`,
      'quarantined-event': `/events/${troubled.quarantined}`,
      notices: '/notices',
      'notice-settings': '/account/notices',
      account: '/account',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, `troubled ${name}`)
    }
    await close()
  })

  test('pages of an account with 200 webhooks and long names', async () => {
    const { page, close } = await visitAs(browser, hookline, crowded.account, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const [name, path] of Object.entries({
      overview: '/',
      webhooks: '/webhooks',
      webhook: `/webhooks/${crowded.longHook}`,
      'webhook-history': `/webhooks/${crowded.longHook}?tab=history`,
      'edit-webhook': `/webhooks/${crowded.longHook}/edit`,
      events: '/events',
      event: `/events/${crowded.event}`,
      sso: '/account/sso',
    })) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, `crowded ${name}`)
    }
    await close()
  })

  test('empty and failing lists', async () => {
    const { page, context, close } = await visitAs(browser, hookline, newcomer, screen.viewport)
    await page.emulateMedia({ colorScheme: screen.colorScheme })
    for (const path of [
      '/',
      '/webhooks',
      '/webhooks/test-receiver',
      '/events',
      '/replays',
      '/apps',
      '/account/sso',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await take(page, `empty ${path.split('/').at(-1) || 'overview'}`)
    }
    await context.route('**/api/keys', (route) => route.abort('connectionrefused'))
    await page.goto('/keys')
    await page.getByRole('button', { name: 'Retry' }).first().waitFor()
    await take(page, 'failing keys')
    await close()
  })
})
