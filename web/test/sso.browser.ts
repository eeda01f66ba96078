/** Single sign-on with a real provider: its settings, signing in, links, and what such a session can change. */
import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appCode } from '../../server/test/support/authenticator.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import { addMember, joinAccount, type TestMember } from '../../server/test/support/members.ts'
import { type DnsServer, startDnsServer } from '../../server/test/support/servers/dns-server.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../server/test/support/servers/identity-provider.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { launchBrowser, type PageProblems } from './support/browser.ts'
import { changeSettings, configureSso, type Connection, verifyDomain } from './support/sso.ts'
import {
  expectAccessible,
  fillSignIn,
  type Login,
  rejected,
  screens,
  visit,
  visitAs,
} from './support/dashboard.ts'

let hookline: TestService
let browser: Browser
let provider: IdentityProvider
let dns: DnsServer
const redirectUris: string[] = []
/** TXT records by name. */
const texts = new Map<string, string>()

beforeAll(async () => {
  dns = await startDnsServer(({ name }) => {
    const text = texts.get(name)
    return text === undefined ? { rcode: 'NXDOMAIN' } : { texts: [text] }
  })
  provider = await startIdentityProvider(() => redirectUris)
  hookline = await startDashboardService({
    ALLOW_PRIVATE_TARGETS: 'true',
    DNS_SERVERS: dns.address,
    LOGIN_ATTEMPTS: '0',
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await provider.close()
  await dns.close()
})

const everything = { canReveal: true, canExport: true }

function newDomain(): string {
  return `${randomBytes(6).toString('hex')}.example`
}

/** An account with single sign-on and a verified domain. */
async function setUp(
  settings: Record<string, unknown> = {},
): Promise<{ account: TestAccount; connection: Connection; domain: string }> {
  const account = await hookline.account()
  const connection = await configureSso(hookline, account, provider, settings)
  redirectUris.push(connection.redirectUri)
  const domain = newDomain()
  await verifyDomain(hookline, account, domain)
  return { account, connection, domain }
}

/** Turns on two-factor authentication of the signed-in owner. */
async function turnOnSecondFactor({ owner }: Connection, { password }: Login): Promise<void> {
  const { secret } = (await owner.call('/api/second-factor', { method: 'POST', json: { password } })).json
  const json = { code: appCode(secret) }
  expect((await owner.call('/api/second-factor/confirm', { method: 'POST', json })).status).toBe(200)
}

function addUser(email: string): string {
  const sub = randomBytes(8).toString('hex')
  provider.users.set(sub, { sub, email, email_verified: true })
  return sub
}

/** Signs in on the page of the provider. */
async function signInAtProvider(page: Page, sub: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor()
  await page.getByLabel('User').fill(sub)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signInByEmail(page: Page, email: string, sub: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Sign in with SSO' }).click()
  await page.getByLabel('Work email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInAtProvider(page, sub)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** No problem, and requests only to Hookline and to the page of the provider. */
function expectClean({ console, external }: PageProblems, ...notes: string[]): void {
  expect(console).toEqual(notes)
  expect(external.filter((url) => !url.startsWith(`${provider.issuer}/`))).toEqual([])
}

async function dismiss(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('the settings are accessible, without single sign-on and with long names', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/sso')
  await page.getByRole('heading', { name: 'No identity provider yet' }).waitFor()
  expect(await page.title()).toBe('Single sign-on · Hookline')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up single sign-on' }).click()
  await page.getByRole('dialog').getByLabel('Issuer').waitFor()
  await expectAccessible(page)
  await dismiss(page)

  const connection = await configureSso(hookline, account, provider, { default_role: 'support' })
  const longDomain = `${'long-'.repeat(9)}name.${'sub.'.repeat(10)}example.com`
  await connection.owner.call('/api/sso/domains', { method: 'POST', json: { domain: longDomain } })
  await verifyDomain(hookline, account, newDomain())
  const name = `<b>${'endless'.repeat(10)}</b> שלום`
  await hookline.database.query('UPDATE sso_connections SET name = $2 WHERE account_id = $1', [
    account.accountId,
    name,
  ])
  await page.reload()
  await page.getByText(longDomain).first().waitFor()
  await page.getByText('Nobody has signed in with the provider yet.').waitFor()
  await expectAccessible(page)
  for (const button of [
    'Change provider',
    'Add domain',
    `Remove ${longDomain}`,
    'Change new members',
    'Require single sign-on',
    'Remove single sign-on',
  ]) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    await expectAccessible(page)
    await dismiss(page)
  }
  expectClean(problems)
  await close()
})

test('the sign-in pages are accessible', async () => {
  const { page, problems, close } = await visit(browser, hookline)
  for (const [path, heading] of [
    ['/sign-in/sso', 'Single sign-on'],
    ['/sign-in/sso?connection=abc', 'Single sign-on'],
    ['/sign-in?link_sso=true', 'Link your login'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await page.title()).toBe(`${heading} · Hookline`)
    await expectAccessible(page)
  }
  expectClean(problems)
  await close()
})

test.each(screens)(
  'an owner sets up single sign-on, and a new user joins by signing in, on $name',
  async ({ viewport }) => {
    const account = await hookline.account()
    const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
    await page.goto('/account/sso')
    await page.getByRole('button', { name: 'Set up single sign-on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Okta')
    await dialog.getByLabel('Issuer').fill(`${provider.issuer}/tenant`)
    await dialog.getByLabel('Client ID').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await dialog.getByLabel('Your password').fill(account.password)
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid="true"]').and(dialog.getByLabel('Issuer')).waitFor()
    await dialog.getByText(/The configuration at .* is not valid/).waitFor()
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByRole('button', { name: 'Save provider' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { redirect_uri: redirectUri, connection } = (
      await (await signIn(hookline.url, account)).call('/api/sso')
    ).json
    expect(connection).toMatchObject({ name: 'Okta', issuer: provider.issuer, has_client_secret: true })
    redirectUris.push(redirectUri)
    await page.getByTitle(redirectUri).waitFor()
    await page.getByTitle(`${hookline.url}/sign-in/sso?connection=${connection.id}`).waitFor()
    expect(await page.content()).not.toContain(provider.clientSecret)

    const domain = newDomain()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByLabel('Domain').fill('gmail.com')
    await page.keyboard.press('Enter')
    await dialog.getByText('The domain is shared by many organizations.').waitFor()
    await dialog.getByLabel('Domain').fill(domain)
    await page.keyboard.press('Enter')
    await page.getByText('Not verified').waitFor()
    await page.getByRole('button', { name: `Verify ${domain}` }).click()
    await page.getByText(`at _hookline-challenge.${domain}. Add it`).waitFor()
    const record = page.getByRole('listitem').filter({ hasText: domain }).locator('code')
    const [recordName, recordValue] = await record.allTextContents()
    texts.set(recordName ?? '', recordValue ?? '')
    await page.getByRole('button', { name: `Verify ${domain}` }).click()
    await page.getByText('Verified', { exact: true }).waitFor()

    await page.getByText('By invitation only').waitFor()
    await page.getByRole('button', { name: 'Change new members' }).click()
    await dialog.getByLabel('Support').check()
    await dialog.getByLabel('Reveal personal data').check()
    await dialog.getByLabel('Your password').fill(account.password)
    await page.keyboard.press('Enter')
    await page.getByText('New users join as Support').first().waitFor()
    await page.getByText('Rights: Reveal', { exact: true }).waitFor()
    expectClean(problems, rejected(400), rejected(400), rejected(409))
    await close()

    const email = `ada@${domain}`
    const theirs = await visit(browser, hookline, viewport)
    await theirs.page.goto('/events?state=failed')
    await theirs.page.getByRole('link', { name: 'Sign in with SSO' }).click()
    await theirs.page.getByLabel('Work email').fill(email)
    await theirs.page.keyboard.press('Enter')
    await signInAtProvider(theirs.page, addUser(email))
    await theirs.page.waitForURL(`${hookline.url}/events?state=failed`)
    await theirs.page.goto('/')
    await theirs.page.getByText('No webhooks yet').waitFor()
    expect(await theirs.page.getByText('Two-factor authentication is off').count()).toBe(0)
    await theirs.page.goto('/account')
    await theirs.page.getByText('You signed in with Okta').waitFor()
    await theirs.page.getByText('To change your login, sign in with your password.').waitFor()
    expect(await theirs.page.getByLabel('Email', { exact: true }).inputValue()).toBe(email)
    for (const heading of ['Password', 'Two-factor authentication', 'Sessions'])
      expect(await theirs.page.getByRole('heading', { name: heading, exact: true }).count()).toBe(0)
    for (const button of ['Change email', 'Unlink'])
      expect(await theirs.page.getByRole('button', { name: button }).count()).toBe(0)
    await expectAccessible(theirs.page)
    await theirs.page.goto('/account/members')
    const row = theirs.page.getByRole('row').filter({ hasText: email })
    await row.getByText('Support', { exact: true }).waitFor()
    await row.getByText('Reveal', { exact: true }).waitFor()
    expectClean(theirs.problems)
    await theirs.close()
  },
)

test('an email of an unknown domain is rejected, and a link returns to the requested page', async () => {
  const { account, connection } = await setUp()
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto('/sign-in/sso')
  await page.getByLabel('Work email').fill(`someone@${newDomain()}`)
  await page.keyboard.press('Enter')
  await page.getByText('No single sign-on for this email.').waitFor()
  const sub = addUser(account.email)
  await link(account, sub)
  await page.goto(`/sign-in/sso?connection=${connection.id}&return_to=${encodeURIComponent('/replays')}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInAtProvider(page, sub)
  await page.waitForURL(`${hookline.url}/replays`)
  expectClean(problems, rejected(404))
  await close()
})

async function link({ accountId, loginId }: TestAccount, sub: string): Promise<void> {
  await hookline.database.query(
    `INSERT INTO sso_identities (account_id, issuer, subject, login_id) VALUES ($1, $2, $3, $4)`,
    [accountId, provider.issuer, sub, loginId],
  )
}

test.each(screens)(
  'required single sign-on rejects a password, except of break-glass owners, on $name',
  async ({ viewport }) => {
    const { account, connection, domain } = await setUp()
    const member = await addMember(hookline, account, { role: 'viewer', ...everything })
    await setEmail(member, `grace@${domain}`)
    const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
    await page.goto('/account/sso')
    await page.getByRole('button', { name: 'Require single sign-on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No owner has two-factor authentication').waitFor()
    await dismiss(page)
    await turnOnSecondFactor(connection, account)
    await page.reload()
    await page.getByRole('button', { name: 'Require single sign-on' }).click()
    await dialog.getByText('2 members without a link to the provider').waitFor()
    await dialog.getByText('Your session ends').waitFor()
    await dialog.getByLabel('Your password').fill(account.password)
    await page.keyboard.press('Enter')
    await dialog.getByText(/needs a break-glass owner/).waitFor()
    await dialog.getByLabel(account.alias).check()
    await dialog.getByText('Your session ends').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Require single sign-on' }).click()
    await page.getByText('Required', { exact: true }).waitFor()
    await page.getByText(`without the provider: ${account.alias}`).waitFor()
    await expectAccessible(page)
    await page.setViewportSize(viewport)

    const theirs = await visit(browser, hookline, viewport)
    await theirs.page.goto('/sign-in?return_to=%2Freplays')
    await fillSignIn(theirs.page, member)
    await theirs.page.getByText('This account requires single sign-on').waitFor()
    await expectAccessible(theirs.page)
    await theirs.page.getByRole('link', { name: 'Continue with SSO' }).click()
    await theirs.page.getByRole('button', { name: 'Continue' }).click()
    await signInAtProvider(theirs.page, addUser(`grace@${domain}`))
    await theirs.page.waitForURL(`${hookline.url}/replays`)
    expectClean(theirs.problems, rejected(403))
    await theirs.close()

    await page.getByRole('button', { name: 'Make optional' }).click()
    await dialog.getByLabel('Your password').fill(account.password)
    await page.keyboard.press('Enter')
    await page.getByText('Optional', { exact: true }).waitFor()
    expectClean(problems, rejected(409))
    await close()
  },
)

async function setEmail({ loginId }: TestMember | TestAccount, email: string): Promise<void> {
  await hookline.database.query('UPDATE logins SET email = $2 WHERE id = $1', [loginId, email])
}

test('switching to an account that requires single sign-on leads to its provider', async () => {
  const { account, connection } = await setUp()
  const user = await hookline.account()
  const theirs = await visitAs(browser, hookline, user)
  await joinAccount(hookline, user, account, { role: 'viewer', ...everything })
  await hookline.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [account.accountId, 'Strict'])
  await turnOnSecondFactor(connection, account)
  await changeSettings(connection.owner, {
    is_required: true,
    break_glass_login_ids: [account.loginId],
    password: account.password,
  })
  const { page, problems, close } = theirs
  await page.goto('/')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Strict' }).click()
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  expect(new URL(page.url()).searchParams.get('connection')).toBe(connection.id)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor()
  expectClean(problems, rejected(403))
  await close()
})

test.each(screens)('a user links the own login and unlinks it, on $name', async ({ viewport }) => {
  const { account } = await setUp()
  const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
  await page.goto('/account')
  await page.getByText('Not linked').waitFor()
  await page.getByRole('button', { name: 'Link login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('Incorrect password.').waitFor()
  await dialog.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  const email = `private-${randomBytes(4).toString('hex')}@example.net`
  await signInAtProvider(page, addUser(email))
  await page.waitForURL(`${hookline.url}/account`)
  await page.getByText('Linked', { exact: true }).waitFor()
  await page.getByText(email).waitFor()
  await page.goto('/account/sso')
  await page.getByRole('button', { name: `Unlink ${account.alias}` }).waitFor()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Unlink' }).click()
  await dialog.getByRole('button', { name: 'Unlink login' }).click()
  await page.getByText('Not linked').waitFor()
  expectClean(problems, rejected(403))
  await close()
})

test('a user of the provider without a link signs in with the password once', async () => {
  const { account, connection } = await setUp()
  const member = await addMember(hookline, account, { role: 'developer', ...everything })
  const sub = addUser(`other-${member.alias}@example.net`)
  const { page, problems, close } = await visitAs(browser, hookline, member)
  await page.goto(`/sign-in/sso?connection=${connection.id}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInAtProvider(page, sub)
  await page.getByRole('link', { name: 'Sign in with your password' }).click()
  // The form appears although the browser has a session.
  await page.getByRole('heading', { name: 'Link your login' }).waitFor()
  await fillSignIn(page, member)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto('/account')
  await page.getByText('You signed in with Provider').waitFor()
  await page.getByText(`other-${member.alias}@example.net`).waitFor()
  expectClean(problems, rejected(400))
  await close()
})

test('in a session of single sign-on, a new sign-in at the provider stands for the password', async () => {
  const { account, domain } = await setUp()
  const member = await addMember(hookline, account, { role: 'developer', ...everything })
  const email = `owner@${domain}`
  await setEmail(account, email)
  const sub = addUser(email)
  const { page, problems, close } = await visit(browser, hookline)
  await signInByEmail(page, email, sub)
  // The provider does not change its own settings.
  await page.goto('/account/sso')
  await page.getByText('it cannot change its own settings').waitFor()
  await page.getByText(email).waitFor()
  for (const name of [/^Change/, /^Remove/, /^Unlink/, 'Add domain', 'Require single sign-on'])
    expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
  await page.goto('/account/members')
  const transfer = async () => {
    await page.getByRole('button', { name: `Actions for ${member.alias}` }).click()
    await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
  }
  await transfer()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm with Provider' }).click()
  await signInAtProvider(page, sub)
  await page.waitForURL(`${hookline.url}/account/members`)
  await transfer()
  await dialog.getByText('You have confirmed with Provider').waitFor()
  expect(await dialog.getByLabel('Your password').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByRole('row').filter({ hasText: member.alias }).getByText('Owner', { exact: true }).waitFor()
  expectClean(problems)
  await close()
})

test('an owner removes single sign-on, and domains stay', async () => {
  const { account, domain } = await setUp()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/sso')
  await page.getByRole('button', { name: 'Remove single sign-on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All users are unlinked').waitFor()
  await dialog.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No identity provider yet' }).waitFor()
  await page.getByText('Verified', { exact: true }).waitFor()
  await page.getByRole('button', { name: `Remove ${domain}` }).click()
  await dialog.getByRole('button', { name: 'Remove domain' }).click()
  await page.getByText('Verified', { exact: true }).waitFor({ state: 'detached' })
  expectClean(problems)
  await close()
})

test('an admin sees the settings and cannot change them, nor an owner without all rights', async () => {
  const { account, domain } = await setUp()
  for (const rights of [
    { role: 'admin', ...everything },
    { role: 'owner', canReveal: true, canExport: false },
  ] as const) {
    const member = await addMember(hookline, account, rights)
    const { page, problems, close } = await visitAs(browser, hookline, member)
    await page.goto('/account/sso')
    await page.getByText('Only owners with all rights can change single sign-on').waitFor()
    await page.getByText(domain).waitFor()
    await page.getByText('Nobody has signed in with the provider yet.').waitFor()
    for (const name of [/^Change/, /^Remove/, /^Verify/, 'Add domain', 'Require single sign-on'])
      expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0)
    await expectAccessible(page)
    expectClean(problems)
    await close()
  }
})
