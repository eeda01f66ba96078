/** Sign-in, registration, password reset and email confirmation. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appCode } from '../../server/test/support/authenticator.ts'
import { call } from '../../server/test/support/http-call.ts'
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts'
import { signIn } from '../../server/test/support/browser-session.ts'
import { startDashboardService, type TestService } from '../../server/test/support/test-service.ts'
import { expectAccessible, fillSignIn, phone, rejected, visit, visitAs } from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  hookline = await startDashboardService({
    SELF_REGISTRATION: 'true',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Hookline <hookline@example.com>',
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
  await mail.close()
})

test.each([
  { path: '/sign-in', heading: 'Sign in', notes: [] },
  { path: '/forgot-password', heading: 'Forgot password?', notes: [] },
  { path: '/register', heading: 'Create account', notes: [] },
  { path: '/reset', heading: 'Invalid or expired link', notes: [] },
  { path: '/reset#token=something', heading: 'Set new password', notes: [] },
  { path: '/verify', heading: 'Invalid or expired link', notes: [] },
  { path: '/verify#token=something', heading: 'Sign in to confirm your email', notes: [] },
  { path: '/nowhere/to/be/found', heading: 'Page not found', notes: [rejected(404)] },
])('$path is accessible', async ({ path, heading, notes }) => {
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto(path)
  await page.getByRole('heading', { name: heading }).waitFor()
  expect(await page.title()).toBe(`${heading} · Hookline`)
  await expectAccessible(page)
  expect(problems).toEqual({ console: notes, external: [] })
  await close()
})

test('the overview and its menus are accessible', async () => {
  const { page, problems, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/')
  await page.getByText('Two-factor authentication is off').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual({ console: [], external: [] })
  await close()
})

test('the selected theme persists and applies before the first paint', async () => {
  const { page, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const scheme = 'document.documentElement.dataset.mantineColorScheme'
  await expect.poll(() => page.evaluate(scheme)).toBe('dark')
  // With the app blocked, only the script in the head can set the theme.
  await page.route(/assets\/index-.*\.js/, (route) => route.abort())
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  expect(await page.evaluate(scheme)).toBe('dark')
  await close()
})

test('the navigation is a bottom tab bar on phones', async () => {
  const { page, close } = await visitAs(browser, hookline, await hookline.account(), phone)
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: 'Events' }).click()
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await bar.getByRole('button', { name: 'More' }).click()
  await bar.getByRole('menuitem', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  const box = await bar.boundingBox()
  expect(box).toMatchObject({ x: 0, width: phone.width })
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(phone.height)
  await close()
})

test('sign-in returns to the requested page, and the session persists', async () => {
  const account = await hookline.account()
  const { page, close } = await visit(browser, hookline)
  await page.goto('/keys?show=all')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.waitForURL(`${hookline.url}/keys?show=all`)
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await close()
})

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)'])(
  'a return path of %s opens the overview, signed out and signed in',
  async (target) => {
    const account = await hookline.account()
    const { page, problems, close } = await visit(browser, hookline)
    await page.goto(`/sign-in?return_to=${encodeURIComponent(target)}`)
    await fillSignIn(page, account)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.waitForURL(`${hookline.url}/`)
    await page.goto(`/sign-in?return_to=${encodeURIComponent(target)}`)
    await page.waitForURL(`${hookline.url}/`)
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

test('a wrong password shows an error and allows a retry', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto('/sign-in')
  await fillSignIn(page, { ...account, password: 'something else' })
  await page.getByRole('alert').filter({ hasText: 'Incorrect login or password' }).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(problems.console).toEqual([rejected(401)])
  await close()
})

test('the sign-in form asks for the two-factor code', async () => {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  const { json } = await user.call('/api/second-factor', {
    method: 'POST',
    json: { password: account.password },
  })
  // The previous code, because the current one is needed below. It may be rejected at the end of its 30 seconds.
  const confirm = () =>
    user.call('/api/second-factor/confirm', {
      method: 'POST',
      json: { code: appCode(json.secret, -1) },
    })
  const first = await confirm()
  expect((first.status === 200 ? first : await confirm()).status).toBe(200)

  const { page, close } = await visit(browser, hookline)
  await page.goto('/sign-in')
  await fillSignIn(page, account)
  const code = page.getByLabel('Authenticator code')
  await code.fill('000 000')
  await page.getByRole('button', { name: 'Verify code' }).click()
  await page.getByText('Invalid code.').waitFor()
  await expectAccessible(page)
  await code.fill(appCode(json.secret))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await close()
})

test('sign-in, search and sign-out work with the keyboard', async () => {
  const account = await hookline.account()
  const { page, close } = await visit(browser, hookline)
  await page.goto('/sign-in')
  await page.getByLabel('Alias or email').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(account.alias)
  await page.keyboard.press('Tab')
  await page.keyboard.type(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Overview')

  await page.keyboard.press('/')
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('api ke')
  await page.getByRole('option', { name: 'API keys', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('API keys')

  await page.getByRole('button', { name: /^Account menu/ }).focus()
  await page.keyboard.press('Enter')
  // The menu takes the focus after a delay.
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('menuitem', { name: 'Sign out' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/keys')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})

test('a revoked session leads to sign-in and back to the page', async () => {
  const account = await hookline.account()
  const { page, close } = await visitAs(browser, hookline, account)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  // A later part of the overview would lead to sign-in first, and back to the overview.
  await page.waitForLoadState('networkidle')
  await hookline.database.query('DELETE FROM sessions WHERE login_id = $1', [account.loginId])
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor()
  await close()
})

test('the email link resets a forgotten password, and the token leaves the address bar', async () => {
  const account = await hookline.account()
  const { page, problems, close } = await visit(browser, hookline)
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Alias or email').fill(account.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByText('Check your email').waitFor()
  await expect.poll(() => mail.mailsTo(account.email).length, { timeout: 20_000 }).toBe(1)
  const link = /\S+\/reset#\S+/.exec(mail.mailsTo(account.email)[0]?.text ?? '')?.[0] ?? ''

  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set new password' }).waitFor()
  expect(page.url()).toBe(`${hookline.url}/reset`)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Use at least 10 characters.').waitFor()
  await page.getByLabel('New password').fill('a few new words')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await fillSignIn(page, { ...account, password: 'a few new words' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.goto(link)
  await page.getByLabel('New password').fill('a few other words')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Invalid or expired link' }).waitFor()
  expect(requested.filter((url) => url.includes('token='))).toEqual([])
  expect(problems).toEqual({ console: [rejected(400)], external: [] })
  await close()
})

test('registration creates an account and shows rejected fields', async () => {
  const taken = await hookline.account()
  const { page, close } = await visit(browser, hookline)
  await page.goto('/register')
  await page.getByLabel('Account name').fill('Acme')
  await page.getByLabel('Alias', { exact: true }).fill(taken.alias)
  await page.getByLabel('Email', { exact: true }).fill('new-person@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a few new words')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Another login already has').waitFor()
  await page.getByLabel('Alias', { exact: true }).fill('new-person')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('No active API key').waitFor()

  await page.goto('/account')
  await page.getByText('Email not confirmed').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Resend link' }).click()
  await page.getByText('Link sent').waitFor()
  await expect.poll(() => mail.mailsTo('new-person@example.com').length, { timeout: 20_000 }).toBe(2)
  await close()
})

test('the email link confirms the email after sign-in', async () => {
  const { page, problems, close } = await visit(browser, hookline)
  const email = 'confirming@example.com'
  await call(`${hookline.url}/api/registration`, {
    method: 'POST',
    json: { account_name: 'Acme', alias: 'confirming', email, password: 'a few new words' },
    headers: { origin: hookline.url },
  })
  await expect.poll(() => mail.mailsTo(email).length, { timeout: 20_000 }).toBe(1)
  const link = /\S+\/verify#\S+/.exec(mail.mailsTo(email)[0]?.text ?? '')?.[0] ?? ''
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Sign in to confirm your email' }).waitFor()
  expect(page.url()).toBe(`${hookline.url}/verify`)
  await fillSignIn(page, { alias: 'confirming', password: 'a few new words' })
  await page.getByText(email).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('heading', { name: 'Email confirmed' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('heading', { name: 'Invalid or expired link' }).waitFor()
  expect(requested.filter((url) => url.includes('token='))).toEqual([])
  expect(problems).toEqual({ console: [rejected(400)], external: [] })
  await close()
})

test('an unreachable service shows an error, and Retry loads the page', async () => {
  const { page, context, close } = await visitAs(browser, hookline, await hookline.account())
  await page.goto('/')
  await context.route('**/api/apps', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByText('Hookline is unreachable', { exact: true }).waitFor()
  await expectAccessible(page)
  await context.unroute('**/api/apps')
  // An automatic retry may come first and remove the button.
  await page.evaluate(
    `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')?.click()`,
  )
  await page.getByText('No apps yet').waitFor()
  await close()
})
