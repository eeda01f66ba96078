/** One's own login: profile, password, second factor, sessions, and what was done. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appCode } from '../authenticator.ts'
import { call } from '../call.ts'
import { type MailServer, startMailServer } from '../mail-server.ts'
import { signIn } from '../person.ts'
import { startAreaWorld, type TestWorld } from '../service.ts'
import { expectSound, fillSignIn, refused, visit, visitAs } from './area.ts'
import { launchBrowser } from './browser.ts'

let world: TestWorld
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  world = await startAreaWorld({ SMTP_URL: mail.url, MAIL_FROM: 'Hookline <hookline@example.com>' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
  await mail.close()
})

test('the account and its audit log are sound', async () => {
  const account = await world.account()
  await world.database.query('UPDATE accounts SET name = $2 WHERE id = $1', [
    account.accountId,
    `<b>${'endless '.repeat(12)}</b> שלום`,
  ])
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await expectSound(page)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await expectSound(page)
  await page.goto('/account/audit')
  await page.getByText('signed in').waitFor()
  await expectSound(page)
  await page.goto('/account/audit?about=apps')
  await page.getByText('Nothing of this kind here').waitFor()
  await expectSound(page)
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('the account gets another name, and a new email is sent a link to confirm it', async () => {
  const account = await world.account()
  const { page, complaints, close } = await visitAs(browser, world, account)
  await page.goto('/account')
  await page.getByLabel('Account name').fill('Northwind')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Where you are').getByText('Northwind').waitFor()
  await page.getByLabel('E-mail address').fill(`new-${account.email}`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await page.getByText('This is not your password.').waitFor()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByText('Check your email. Open the link to confirm it.').waitFor()
  await page.getByText('Email not confirmed').waitFor()
  await expect.poll(() => mail.mailsTo(`new-${account.email}`).length).toBe(1)
  await page.goto('/account/audit')
  await page.getByText('renamed the account to “Northwind”').waitFor()
  expect(complaints.console).toEqual([refused(403)])
  await close()
})

test('a new password ends all other sessions and keeps this one', async () => {
  const account = await world.account()
  const other = await visitAs(browser, world, account)
  await other.page.goto('/')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/account')
  await page.getByLabel('Present password').fill('not this one')
  await page.getByLabel('New password').fill('a few new words')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('This is not your present password.').waitFor()
  await page.getByLabel('Present password').fill(account.password)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').waitFor()
  await page.getByLabel('Account name').fill('Still here')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('The account has its new name.').waitFor()
  await other.page.getByRole('link', { name: 'Account', exact: true }).click()
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillSignIn(other.page, { ...account, password: 'a few new words' })
  await other.page.getByRole('heading', { name: 'Account' }).waitFor()
  await other.close()
  await close()
})

test('the second factor is turned on with a code, asked for, replaced by a recovery code, and turned off', async () => {
  const account = await world.account()
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.keyboard.press('Enter')
  const secret =
    (await page
      .getByText(/^[A-Z2-7]{24}[A-Z2-7]*$/)
      .first()
      .textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('This code is not valid.').waitFor()
  const whole = (await page.locator('code').filter({ hasText: secret }).first().textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill(appCode(whole))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await expectSound(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('hookline-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('You have 10 recovery codes left.').waitFor()

  const other = await visit(browser, world)
  await other.page.goto('/sign-in')
  await fillSignIn(other.page, account)
  await other.page.getByLabel('Code from your authenticator app').fill(codes[0] ?? '')
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await other.close()

  await page.reload()
  await page.getByText('You have 9 recovery codes left.').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Your password').fill(account.password)
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByText('The second factor is off.').waitFor()
  await signIn(world.url, account)
  await close()
})

test('one session is ended, then all others, and they are out at once', async () => {
  const account = await world.account()
  const first = await signIn(world.url, account)
  const second = await signIn(world.url, account)
  const third = await signIn(world.url, account)
  const isIn = async (person: typeof first) => (await person.call('/api/session')).status === 200
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/account')
  await page
    .getByRole('button', { name: /^End the session/ })
    .last()
    .click()
  await page.getByText('The session is ended.').waitFor()
  expect([await isIn(first), await isIn(second), await isIn(third)].filter(Boolean)).toHaveLength(2)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('button', { name: 'End 2 sessions' }).click()
  await page.getByText('2 sessions ended.').waitFor()
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([false, false, false])
  await page.getByText('This one').waitFor()
  await close()
})

test('the audit log is told in sentences, by kind and page by page', async () => {
  const account = await world.account()
  await world.database.query(
    `INSERT INTO audit (account_id, actor, action, subject, detail)
     SELECT $1, 'login:' || $2::text, 'key.create', 'key:0', jsonb_build_object('name', 'key ' || n)
     FROM generate_series(1, 120) AS n`,
    [account.accountId, account.loginId],
  )
  await call(`${world.url}/api/session`, {
    method: 'POST',
    json: { login: account.alias, password: 'not this one' },
    headers: { origin: world.url },
  })
  const { page, close } = await visitAs(browser, world, account)
  await page.goto('/account/audit')
  await page.getByText(`failed to sign in as “${account.alias}”`).waitFor()
  await page.getByText('created the key “key 120”').waitFor()
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByText('created the key').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Everything' }).click()
  await page.getByRole('link', { name: 'Older' }).click()
  await page.getByText('created the key “key 60”').waitFor()
  await page.reload()
  await page.getByText('created the key “key 60”').waitFor()
  await page.getByRole('link', { name: 'Newest' }).click()
  await page.getByText('created the key “key 120”').waitFor()
  await close()
})
