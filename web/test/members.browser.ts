/** Members page: invitations, roles and rights, removal with the secrets to rotate, ownership, and leaving. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../server/test/support/browser-session.ts'
import { addMember, type TestMember } from '../../server/test/support/members.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { expectAccessible, rejected, screens, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'
import { linkTo } from './support/invitations.ts'

let hookline: TestService
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Hookline <hookline@example.com>',
    LOGIN_ATTEMPTS: '0',
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await mail.close()
})

const everything = { canReveal: true, canExport: true }
const nothing = { canReveal: false, canExport: false }

function row(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text })
}

async function openMenu(page: Page, { alias }: { alias: string }, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${alias}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function rolesOf({ accountId }: TestAccount): Promise<Record<string, string>> {
  const rows = await hookline.database.query<{ alias: string; role: string }>(
    'SELECT alias, role FROM memberships JOIN logins ON logins.id = login_id WHERE memberships.account_id = $1',
    [accountId],
  )
  return Object.fromEntries(rows.map(({ alias, role }) => [alias, role]))
}

test('the page and its dialogs are accessible, with long and right-to-left names', async () => {
  const account = await hookline.account()
  const member = await addMember(hookline, account, { role: 'support', ...everything })
  await addMember(hookline, account, { role: 'viewer', ...nothing })
  await hookline.database.query('UPDATE logins SET email = $2 WHERE id = $1', [
    member.loginId,
    `${'long'.repeat(15)}@${'sub.'.repeat(20)}example.com`,
  ])
  await hookline.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [
    account.accountId,
    `<b>${'endless '.repeat(10)}</b> שלום`,
  ])
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/members')
  await row(page, member.alias).getByText('Support', { exact: true }).waitFor()
  await page.getByText('No open invitations').waitFor()
  await page.getByText('You are the last owner.').waitFor()
  expect(await page.title()).toBe('Members · Hookline')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByRole('dialog', { name: 'Invite member' }).getByLabel('Owner').check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  for (const [item, dialog] of [
    ['Change role', /^Change role of/],
    ['View known secrets', /^Secrets that/],
    ['Transfer ownership', /^Transfer ownership to/],
    ['Remove member', /^Remove/],
  ] as const) {
    await openMenu(page, member, item)
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test.each(screens)('an invitation is sent, sent once more, and revoked, on $name', async ({ viewport }) => {
  const account = await hookline.account()
  const email = `guest-${account.alias}@example.com`
  const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
  await page.goto('/account/members')
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  // Rights follow the role until the user chooses them.
  expect(await dialog.getByLabel('Export data').isChecked()).toBe(false)
  await dialog.getByLabel('Developer').check()
  expect(await dialog.getByLabel('Reveal personal data').isChecked()).toBe(true)
  await dialog.getByLabel('Export data').uncheck()
  await dialog.getByText('Webhooks always get complete events').waitFor()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const invitation = page
    .getByRole('table', { name: 'Invitations' })
    .getByRole('row')
    .filter({ hasText: email })
  await invitation.getByText('Developer', { exact: true }).waitFor()
  await invitation.getByText('Reveal', { exact: true }).waitFor()
  await invitation.getByText('in 7 days').or(invitation.getByText('in 6 days')).waitFor()
  const first = await linkTo(mail, email)
  await page.getByRole('button', { name: `Resend invitation of ${email}` }).click()
  const second = await linkTo(mail, email, 2)
  expect(second).not.toBe(first)
  await page.getByRole('button', { name: `Revoke invitation of ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByText('No open invitations').waitFor()
  await page.goto('/account/audit?about=members')
  for (const text of ['invited', 'resent the invitation of', 'revoked the invitation of'])
    await page.getByText(`${text} ${email}`).waitFor()
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('an expired invitation is marked, and an email of a member is rejected at its field', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/members')
  const invite = async (email: string) => {
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByRole('dialog').getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
  }
  await invite(`late-${account.alias}@example.com`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await hookline.database.query(
    `UPDATE invitations SET expires_at = now() - interval '1 day' WHERE account_id = $1`,
    [account.accountId],
  )
  await page.reload()
  await page.getByText('Expired').waitFor()
  await invite(account.email)
  await page.locator('[aria-invalid="true"]').and(page.getByLabel('Email')).waitFor()
  await page.getByText('A member of the account has this email.').waitFor()
  expect(problems.console).toEqual([rejected(409)])
  await close()
})

test.each(screens)(
  'role and rights of a member change, and open pages follow, on $name',
  async ({ viewport }) => {
    const account = await hookline.account()
    const member = await addMember(hookline, account, { role: 'developer', ...everything })
    const theirs = await visitAs(browser, hookline, member)
    await theirs.page.goto('/keys')
    await theirs.page.getByText('No API keys yet').or(theirs.page.getByRole('table')).first().waitFor()
    const { page, problems, close } = await visitAs(browser, hookline, account, viewport)
    await page.goto('/account/members')
    await openMenu(page, member, 'Change role')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Developer').isChecked()).toBe(true)
    await dialog.getByLabel('Viewer').check()
    await dialog.getByLabel('Reveal personal data').uncheck()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(`${member.alias} is now Viewer`).waitFor()
    await row(page, member.alias).getByText('Viewer', { exact: true }).waitFor()
    await row(page, member.alias).getByText('Export', { exact: true }).waitFor()
    expect(await rolesOf(account)).toMatchObject({ [member.alias]: 'viewer' })
    // The first rejected call tells the page of the member.
    await theirs.page.getByRole('button', { name: 'Create key' }).first().click()
    await theirs.page.getByLabel('Name').fill('too late')
    await theirs.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await theirs.page.getByRole('heading', { name: 'Requires the Developer role' }).waitFor()
    expect(theirs.problems.console).toEqual([rejected(403)])
    await theirs.close()
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

async function learnSecrets(
  member: TestMember,
  owner: TestAccount,
): Promise<{ hookId: number; appId: string }> {
  const theirs = await signIn(hookline.url, member)
  const post = async (path: string, json: object) => (await theirs.call(path, { method: 'POST', json })).json
  const { id: hookId } = await post('/api/hooks', {
    target_url: 'https://example.com/orders',
    event_type: 'sms_mo',
    request_method: 'JSON',
  })
  await post(`/api/hooks/${hookId}`, { name: 'Orders' })
  await theirs.call(`/api/hooks/${hookId}/secret`)
  await post('/api/keys', { name: 'billing key', scopes: ['hooks'] })
  const { app } = await post('/api/apps', {
    name: 'Tracker',
    is_public: false,
    redirect_uris: ['https://app.example/back'],
  })
  await post('/api/signing-key/view', {})
  const { consumer } = await post('/api/consumers', { name: 'Archive' })
  await theirs.call(`/api/consumers/${consumer.id}/secret`)
  const mine = await signIn(hookline.url, owner)
  const { secrets } = (await mine.call(`/api/members/${member.loginId}/secrets`)).json
  expect(secrets).toHaveLength(5)
  return { hookId, appId: app.id }
}

test.each(screens)(
  'removing a member lists the secrets to rotate or revoke, on $name',
  async ({ viewport }) => {
    const account = await hookline.account()
    const member = await addMember(hookline, account, { role: 'admin', ...everything })
    const { hookId, appId } = await learnSecrets(member, account)
    const { page, context, problems, close } = await visitAs(browser, hookline, account, viewport)
    await page.goto('/account/members')
    await openMenu(page, member, 'Remove member')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
    const dialog = page.getByRole('dialog', { name: `${member.alias} still knows secrets` })
    await dialog.getByText('5 secrets to rotate or revoke').waitFor()
    await row(page, member.alias).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.setViewportSize(viewport)
    const links = await dialog.getByRole('link').all()
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(new Set(targets)).toEqual(
      new Set([
        '/account#signing-key',
        `/apps/${appId}`,
        '/keys?q=billing+key',
        `/webhooks/${hookId}?tab=signing`,
      ]),
    )
    await dialog.getByText('Delete it with the API and create another').waitFor()
    // The list stays open beside the page that rotates.
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('link', { name: /Orders/ }).click(),
    ])
    await opened.getByRole('button', { name: 'Rotate secret' }).waitFor()
    await opened.close()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await rolesOf(account)).toEqual({ [account.alias]: 'owner' })
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

test('the known secrets of a member are listed before the removal', async () => {
  const account = await hookline.account()
  const member = await addMember(hookline, account, { role: 'admin', ...everything })
  await learnSecrets(member, account)
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/members')
  await openMenu(page, member, 'View known secrets')
  const dialog = page.getByRole('dialog', { name: `Secrets that ${member.alias} knows` })
  await dialog.getByText('billing key').waitFor()
  expect(await dialog.getByRole('listitem').count()).toBe(5)
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('an admin manages members up to the own role, and gives only the own rights', async () => {
  const account = await hookline.account()
  const admin = await addMember(hookline, account, { role: 'admin', canReveal: false, canExport: true })
  const viewer = await addMember(hookline, account, { role: 'viewer', ...nothing })
  const { page, problems, close } = await visitAs(browser, hookline, admin)
  await page.goto('/account/members')
  await row(page, admin.alias).getByText('You', { exact: true }).waitFor()
  const managed = page.getByRole('button', { name: /^Actions for/ })
  expect(await managed.count()).toBe(1)
  await openMenu(page, viewer, 'Change role')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Admin').waitFor()
  expect(await dialog.getByRole('radio').count()).toBe(4)
  expect(await dialog.getByLabel('Reveal personal data').isDisabled()).toBe(true)
  await dialog.getByLabel('Admin').check()
  await dialog.getByLabel('Export data').check()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await row(page, viewer.alias).getByText('Admin', { exact: true }).waitFor()
  await page.getByRole('button', { name: `Actions for ${viewer.alias}` }).click()
  await page.getByRole('menuitem', { name: 'Remove member' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Transfer ownership' }).count()).toBe(0)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('an owner transfers the ownership with the password', async () => {
  const account = await hookline.account()
  const member = await addMember(hookline, account, { role: 'developer', ...nothing })
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto('/account/members')
  await openMenu(page, member, 'Transfer ownership')
  await page.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('Incorrect password.').waitFor()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await row(page, member.alias).getByText('Owner', { exact: true }).waitFor()
  await row(page, account.alias).getByText('Admin', { exact: true }).waitFor()
  expect(await rolesOf(account)).toEqual({ [member.alias]: 'owner', [account.alias]: 'admin' })
  // An admin does not manage the owner, and can leave.
  await page.getByRole('button', { name: 'Leave account' }).waitFor()
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  await page.goto('/account/audit?about=account')
  await page.getByText(`transferred the ownership to “${member.alias}”`).waitFor()
  expect(problems.console).toEqual([rejected(403)])
  await close()
})

test('a member leaves the account', async () => {
  const account = await hookline.account()
  const member = await addMember(hookline, account, { role: 'viewer', ...nothing })
  const { page, problems, close } = await visitAs(browser, hookline, member)
  await page.goto('/account/members')
  await page.getByRole('button', { name: 'Leave account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave account' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await rolesOf(account)).toEqual({ [account.alias]: 'owner' })
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})
