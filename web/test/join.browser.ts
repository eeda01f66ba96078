/** Join page: the three ways to accept an invitation, and links that do not work. */
import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../server/test/support/browser-session.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import { expectAccessible, rejected, screens, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'
import { linkTo } from './support/invitations.ts'

let hookline: TestService
let browser: Browser
let mail: MailServer
let account: TestAccount

beforeAll(async () => {
  mail = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Hookline <hookline@example.com>',
    LOGIN_ATTEMPTS: '0',
  })
  browser = await launchBrowser()
  account = await hookline.account()
  await hookline.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [
    account.accountId,
    'Northwind',
  ])
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await mail.close()
})

const password = 'a few new words'

function newEmail(): string {
  return `new-${randomBytes(6).toString('hex')}@example.com`
}

async function invite(email: string, role = 'developer'): Promise<string> {
  const owner = await signIn(hookline.url, account)
  const { status } = await owner.call('/api/invitations', { method: 'POST', json: { email, role } })
  expect(status).toBe(200)
  return linkTo(mail, email)
}

async function expectJoined(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('Delivery health of Northwind').waitFor()
}

test.each(screens)('a visitor joins with a new login on $name', async ({ viewport }) => {
  const email = newEmail()
  const { page, problems, close } = await visit(browser, hookline, viewport)
  await page.goto(await invite(email, 'viewer'))
  await page.getByRole('heading', { name: 'Join Northwind' }).waitFor()
  // The token is neither in the address bar nor in the history.
  expect(new URL(page.url()).hash).toBe('')
  for (const text of ['Viewer', 'Sees webhooks', account.alias]) await page.getByText(text).first().waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  await expectAccessible(page)
  await page.setViewportSize(viewport)
  await page.getByRole('button', { name: 'Create login' }).click()
  await page.getByText('Use 2 to 64 letters').waitFor()
  const alias = `joined-${randomBytes(6).toString('hex')}`
  await page.getByLabel('Alias').fill(alias)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create login' }).click()
  await expectJoined(page)
  await page.goto('/account/members')
  await page.getByRole('row').filter({ hasText: alias }).getByText('You', { exact: true }).waitFor()
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a visitor whose login has the email joins by signing in', async () => {
  const other = await hookline.account()
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto(await invite(other.email))
  await page.getByText('Sign in to join.').waitFor()
  expect(await page.getByLabel('Alias or email').inputValue()).toBe(other.email)
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Incorrect login or password').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(other.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectJoined(page)
  expect(problems.console).toEqual([rejected(401)])
  await close()
})

test('a visitor joins with another login than the invited email', async () => {
  const other = await hookline.account()
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto(await invite(newEmail()))
  await page.getByRole('button', { name: 'Sign in with another login' }).click()
  await page.getByLabel('Alias or email').fill(other.alias)
  await page.getByLabel('Password', { exact: true }).fill(other.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectJoined(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a signed-in user joins and continues in the account', async () => {
  const other = await hookline.account()
  const link = await invite(newEmail(), 'support')
  const { page, problems, close } = await visitAs(browser, hookline, other)
  await page.goto('/')
  await page.getByLabel('Breadcrumb').getByText(other.alias).waitFor()
  await page.goto(link)
  await page.getByText(`You are signed in as ${other.alias}`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Join account' }).click()
  await expectJoined(page)
  // The link works once.
  await page.goto(link)
  await page.getByRole('heading', { name: 'Invalid or expired invitation' }).waitFor()
  expect(problems.console).toEqual([rejected(400)])
  await close()
})

test('another link in the same tab shows its invitation', async () => {
  const other = await hookline.account()
  const [first, second] = [await invite(newEmail()), await invite(other.email, 'support')]
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto(first)
  await page.getByRole('button', { name: 'Create login' }).waitFor()
  await page.goto(second)
  await page.getByText('Sign in to join.').waitFor()
  await page.getByText('Sends test events').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('a member who opens an invitation learns about the membership', async () => {
  const link = await invite(newEmail())
  const { page, problems, close } = await visitAs(browser, hookline, account)
  await page.goto(link)
  await page.getByRole('button', { name: 'Join account' }).click()
  await page.getByText('The user is already a member of the account.').waitFor()
  expect(problems.console).toEqual([rejected(409)])
  await close()
})

test.each([
  { what: 'no token', path: '/join', notes: [] },
  { what: 'an unknown token', path: '/join#token=something', notes: [rejected(400)] },
])('a link with $what is explained', async ({ path, notes }) => {
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto(path)
  await page.getByRole('heading', { name: 'Invalid or expired invitation' }).waitFor()
  await page.getByText('or ask the sender for another invitation.').waitFor()
  expect(await page.title()).toBe('Invalid or expired invitation · Hookline')
  await expectAccessible(page)
  expect(problems).toEqual({ console: notes, external: [] })
  await close()
})
