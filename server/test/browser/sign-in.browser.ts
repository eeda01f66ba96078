/** Coming in: the sign-in page and its neighbours, on every screen, and where they lead. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appCode } from '../authenticator.ts'
import { call } from '../call.ts'
import { type MailServer, startMailServer } from '../mail-server.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestWorld } from '../service.ts'
import { expectSound, fillSignIn, phone, refused, visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

let world: TestWorld
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  world = await startAreaWorld({
    SELF_REGISTRATION: 'true',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Hookline <hookline@example.com>',
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
  await mail.close()
})

test.each([
  { path: '/sign-in', heading: 'Sign in', notes: [] },
  { path: '/forgotten', heading: 'Forgotten your password?', notes: [] },
  { path: '/register', heading: 'Create an account', notes: [] },
  { path: '/reset', heading: 'This link does not work any more', notes: [] },
  { path: '/reset#token=something', heading: 'Set a new password', notes: [] },
  { path: '/verify', heading: 'This link does not work', notes: [] },
  { path: '/verify#token=something', heading: 'Sign in to confirm your email', notes: [] },
  { path: '/nowhere/to/be/found', heading: 'There is nothing here', notes: [refused(404)] },
])('$path is sound', async ({ path, heading, notes }) => {
  const { page, complaints, close } = await visit(browser, world)
  await page.goto(path)
  await page.getByRole('heading', { name: heading }).waitFor()
  expect(await page.title()).toBe(`${heading} · Hookline`)
  await expectSound(page)
  expect(complaints).toEqual({ console: notes, foreign: [] })
  await close()
})

test('the overview and its menus are sound', async () => {
  const { page, complaints, close } = await visitAs(browser, world, await world.account())
  await page.goto('/')
  await page.getByText('Your sign-in is protected by a password alone.').waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).waitFor()
  await expectSound(page)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('the theme that was chosen stays, from the first thing that is drawn', async () => {
  const { page, close } = await visitAs(browser, world, await world.account())
  await page.goto('/')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const scheme = 'document.documentElement.dataset.mantineColorScheme'
  await expect.poll(() => page.evaluate(scheme)).toBe('dark')
  // Without the application, only the script in the head can have set it.
  await page.route(/assets\/index-.*\.js/, (route) => route.abort())
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  expect(await page.evaluate(scheme)).toBe('dark')
  await close()
})

test('on a phone the places are a bar below the page', async () => {
  const { page, close } = await visitAs(browser, world, await world.account(), phone)
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

test('who wanted to go somewhere is there after signing in, and stays signed in', async () => {
  const account = await world.account()
  const { page, close } = await visit(browser, world)
  await page.goto('/keys?show=all')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.waitForURL(`${world.url}/keys?show=all`)
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await close()
})

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)'])(
  'a link that wants to lead to %s after signing in leads to the overview, also who is signed in',
  async (target) => {
    const account = await world.account()
    const { page, complaints, close } = await visit(browser, world)
    await page.goto(`/sign-in?return_to=${encodeURIComponent(target)}`)
    await fillSignIn(page, account)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.waitForURL(`${world.url}/`)
    await page.goto(`/sign-in?return_to=${encodeURIComponent(target)}`)
    await page.waitForURL(`${world.url}/`)
    expect(complaints).toEqual({ console: [], foreign: [] })
    await close()
  },
)

test('a wrong password is said in place and lets try again', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visit(browser, world)
  await page.goto('/sign-in')
  await fillSignIn(page, { ...account, password: 'something else' })
  await page.getByRole('alert').filter({ hasText: 'Login or password is wrong' }).waitFor()
  await expectSound(page)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(complaints.console).toEqual([refused(401)])
  await close()
})

test('the second factor is asked for in the same place', async () => {
  const account = await world.account()
  const person = await signIn(world.url, account)
  const { json } = await person.call('/api/second-factor', {
    method: 'POST',
    json: { password: account.password },
  })
  // Not the present code, which is needed below; at the end of its half minute it may be refused as too old.
  const confirm = () =>
    person.call('/api/second-factor/confirm', {
      method: 'POST',
      json: { code: appCode(json.secret, -1) },
    })
  const first = await confirm()
  expect((first.status === 200 ? first : await confirm()).status).toBe(200)

  const { page, close } = await visit(browser, world)
  await page.goto('/sign-in')
  await fillSignIn(page, account)
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill('000 000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This code is not valid.').waitFor()
  await expectSound(page)
  await code.fill(appCode(json.secret))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await close()
})

test('everything up to signing out can be done with the keyboard', async () => {
  const account = await world.account()
  const { page, close } = await visit(browser, world)
  await page.goto('/sign-in')
  await page.getByLabel('Alias or e-mail address').waitFor()
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
  // The menu takes the focus a moment after it is drawn.
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('menuitem', { name: 'Sign out' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/keys')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})

test('a session that ended elsewhere leads to the sign-in and back', async () => {
  const account = await world.account()
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await world.database.query('DELETE FROM sessions WHERE login_id = $1', [account.loginId])
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(page, account)
  await page.getByRole('heading', { name: 'Apps' }).waitFor()
  await close()
})

test('who forgot the password sets a new one by the link from a mail, which leaves the address bar', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visit(browser, world)
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await page.getByLabel('Alias or e-mail address').fill(account.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Look into your mailbox').waitFor()
  await expect.poll(() => mail.mailsTo(account.email).length, { timeout: 20_000 }).toBe(1)
  const link = /\S+\/reset#\S+/.exec(mail.mailsTo(account.email)[0]?.text ?? '')?.[0] ?? ''

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  expect(page.url()).toBe(`${world.url}/reset`)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Use at least 10 characters.').waitFor()
  await page.getByLabel('New password').fill('a few new words')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await fillSignIn(page, { ...account, password: 'a few new words' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.goto(link)
  await page.getByLabel('New password').fill('a few other words')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  expect(asked.filter((url) => url.includes('token='))).toEqual([])
  expect(complaints).toEqual({ console: [refused(400)], foreign: [] })
  await close()
})

test('a visitor makes an account and is told which field was refused', async () => {
  const taken = await world.account()
  const { page, close } = await visit(browser, world)
  await page.goto('/register')
  await page.getByLabel('Account name').fill('Acme')
  await page.getByLabel('Alias', { exact: true }).fill(taken.alias)
  await page.getByLabel('E-mail address').fill('new-person@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a few new words')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('Another login already has').waitFor()
  await page.getByLabel('Alias', { exact: true }).fill('new-person')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('There is no API key in use.').waitFor()

  await page.goto('/account')
  await page.getByText('Email not confirmed').waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'Resend link' }).click()
  await page.getByText('Link sent').waitFor()
  await expect.poll(() => mail.mailsTo('new-person@example.com').length, { timeout: 20_000 }).toBe(2)
  await close()
})

test('a visitor confirms the email by the link from a mail, after signing in', async () => {
  const { page, complaints, close } = await visit(browser, world)
  const email = 'confirming@example.com'
  await call(`${world.url}/api/registration`, {
    method: 'POST',
    json: { account_name: 'Acme', alias: 'confirming', email, password: 'a few new words' },
    headers: { origin: world.url },
  })
  await expect.poll(() => mail.mailsTo(email).length, { timeout: 20_000 }).toBe(1)
  const link = /\S+\/verify#\S+/.exec(mail.mailsTo(email)[0]?.text ?? '')?.[0] ?? ''
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Sign in to confirm your email' }).waitFor()
  expect(page.url()).toBe(`${world.url}/verify`)
  await fillSignIn(page, { alias: 'confirming', password: 'a few new words' })
  await page.getByText(email).waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('heading', { name: 'Email confirmed' }).waitFor()
  await expectSound(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  expect(asked.filter((url) => url.includes('token='))).toEqual([])
  expect(complaints).toEqual({ console: [refused(400)], foreign: [] })
  await close()
})

test('a page that cannot reach the service says so, and goes on when it is there again', async () => {
  const { page, context, close } = await visitAs(browser, world, await world.account())
  await page.goto('/')
  await context.route('**/api/apps', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByText('Hookline could not be reached').waitFor()
  await expectSound(page)
  await context.unroute('**/api/apps')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No app yet').waitFor()
  await close()
})
