/** Passkeys with the virtual authenticator of Chromium: add, sign in, second factor, confirmation, remove. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { appCode } from '../../server/test/support/authenticator.ts'
import {
  startDashboardService,
  type TestAccount,
  type TestService,
} from '../../server/test/support/test-service.ts'
import {
  desktop,
  expectAccessible,
  fillSignIn,
  rejected,
  visit,
  type Visit,
  visitAs,
} from './support/dashboard.ts'
import { launchBrowser } from './support/browser.ts'

let hookline: TestService
let browser: Browser

beforeAll(async () => {
  // Browsers accept no passkeys for IP addresses.
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  hookline = { ...(await startDashboardService({ PORT: port, BASE_URL: url })), url }
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await hookline.close()
})

interface Authenticator {
  devtools: CDPSession
  authenticatorId: string
}

/** Gives the page an authenticator that verifies its user at once, like a fingerprint reader. */
async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, authenticatorId }
}

/** The user fails or cancels the verification, such as with a wrong finger. */
async function refuse({ devtools, authenticatorId }: Authenticator, isRefusing: boolean): Promise<void> {
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefusing })
}

async function countCredentials({ devtools, authenticatorId }: Authenticator): Promise<number> {
  return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
}

const passkeyList = (page: Page) => page.getByRole('list', { name: 'Passkeys' })

/** Adds the first passkey of a signed-in user. */
async function addFirst({ page }: Visit, { password }: TestAccount, name: string): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await page.getByRole('button', { name: 'I saved my codes' }).click()
  await passkeyList(page).getByText(name).waitFor()
}

async function signOut({ page, context }: Visit): Promise<void> {
  await context.clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const narrow = { width: 375, height: 812 }

const screens = [
  { name: '1280 px wide', viewport: desktop },
  { name: '375 px wide', viewport: narrow },
]

function rightEdge(box: { x: number; width: number } | null): number {
  return (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN)
}

describe.each(screens)('$name', ({ viewport }) => {
  test('a passkey is added, signs in alone and as second factor, confirms, and is removed', async () => {
    const account = await hookline.account()
    const visited = await visitAs(browser, hookline, account, viewport)
    const { page, problems } = visited
    const authenticator = await addAuthenticator(page)

    await addFirst(visited, account, 'My laptop')
    await page.getByText('On with passkeys').waitFor()
    await page.getByText('10 recovery codes left').waitFor()
    await page.getByText('never used').waitFor()

    await signOut(visited)
    await page.getByRole('button', { name: 'Sign in with passkey' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await signOut(visited)
    await fillSignIn(page, account)
    await page.getByLabel('Recovery code').waitFor()
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.goto('/keys')
    await page.getByRole('button', { name: 'Actions for test' }).click()
    await page.getByRole('menuitem', { name: 'Reveal key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
    await page.getByText(account.key, { exact: true }).waitFor()

    await page.goto('/account')
    await page.getByRole('button', { name: 'Rename My laptop' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Old laptop')
    await page.getByRole('button', { name: 'Rename passkey' }).click()
    await page.getByText('Passkey renamed').waitFor()
    await page.getByRole('button', { name: 'Remove Old laptop' }).click()
    await page.getByText('Two-factor authentication is then off').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
    await page.getByText('Passkey removed').waitFor()
    await page.getByText('No passkeys').waitFor()
    await page.getByText('Your password alone is enough to sign in.').waitFor()
    expect(await countCredentials(authenticator)).toBe(1)

    // The device still has the passkey, which the service no longer accepts.
    await signOut(visited)
    await page.getByRole('button', { name: 'Sign in with passkey' }).click()
    await page.getByText('Passkey not accepted').waitFor()
    await fillSignIn(page, account)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    // Twice without the second factor, and the removed passkey.
    expect(problems).toEqual({ console: [rejected(401), rejected(401), rejected(401)], external: [] })
    await visited.close()
  })

  test('an authenticator that refuses changes nothing, and the user can retry or use the password', async () => {
    const account = await hookline.account()
    const visited = await visitAs(browser, hookline, account, viewport)
    const { page } = visited
    const authenticator = await addAuthenticator(page)

    await page.goto('/account')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByLabel('Your password').fill(account.password)
    await refuse(authenticator, true)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey request canceled or timed out').waitFor()
    expect(await countCredentials(authenticator)).toBe(0)
    await refuse(authenticator, false)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'I saved my codes' }).click()
    await passkeyList(page).waitFor()

    await refuse(authenticator, true)
    await passkeyList(page)
      .getByRole('button', { name: /^Remove / })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
    await page.getByText('Passkey request canceled or timed out').waitFor()
    await page.getByLabel('Your password').fill(account.password)
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('No passkeys').waitFor()

    await signOut(visited)
    await page.getByRole('button', { name: 'Sign in with passkey' }).click()
    await page.getByText('Passkey request canceled or timed out').waitFor()
    await fillSignIn(page, account)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visited.close()
  })
})

test('the states of passkeys are accessible, in light and dark', async () => {
  const account = await hookline.account()
  const visited = await visitAs(browser, hookline, account)
  const { page } = visited
  const authenticator = await addAuthenticator(page)
  await page.goto('/account')
  await page.getByText('No passkeys').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // As long as a name can be, without a place to break.
  await addFirst(visited, account, `שלום${'x'.repeat(96)}`)
  await expectAccessible(page)
  await passkeyList(page)
    .getByRole('button', { name: /^Rename / })
    .click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await passkeyList(page)
    .getByRole('button', { name: /^Remove / })
    .click()
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  const dialog = await page.getByRole('dialog').boundingBox()
  const shownName = await page.getByRole('dialog').getByText('xxx').boundingBox()
  expect(rightEdge(shownName)).toBeLessThan(rightEdge(dialog))
  await page.setViewportSize(desktop)
  await refuse(authenticator, true)
  await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText('Passkey request canceled or timed out').waitFor()
  await expectAccessible(page)

  await signOut(visited)
  await expectAccessible(page)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Use passkey' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText('Passkey request canceled or timed out').waitFor()
  await expectAccessible(page)
  await visited.close()
})

test('an app beside a passkey keeps the recovery codes, and its removal keeps two-factor authentication', async () => {
  const account = await hookline.account()
  const visited = await visitAs(browser, hookline, account)
  const { page } = visited
  await addAuthenticator(page)
  await addFirst(visited, account, 'My phone')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
  const secret = (await page.locator('code').first().textContent()) ?? ''
  await page.getByLabel('Authenticator code').fill(appCode(secret))
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Authenticator app added').waitFor()
  await page.getByText('10 recovery codes left').waitFor()
  await page.getByRole('button', { name: 'Remove app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click()
  await page.getByText('Authenticator app removed').waitFor()
  await page.getByText('On with passkeys').waitFor()
  await visited.close()
})

test('the password is changed with a passkey', async () => {
  const account = await hookline.account()
  const visited = await visitAs(browser, hookline, account)
  const { page } = visited
  await addAuthenticator(page)
  await addFirst(visited, account, 'My phone')
  await page.getByRole('button', { name: 'Change with passkey' }).click()
  await page.getByText('at least 10 characters').first().waitFor()
  await page.getByLabel('New password').fill('a few new words')
  await page.getByRole('button', { name: 'Change with passkey' }).click()
  await page.getByText('Password changed, other sessions signed out').waitFor()
  await signOut(visited)
  await fillSignIn(page, { ...account, password: 'a few new words' })
  await page.getByLabel('Recovery code').waitFor()
  await visited.close()
})

test('at an IP address, passkeys are not offered', async () => {
  const other = await startDashboardService()
  try {
    const { page, close } = await visitAs(browser, other, await other.account())
    await page.goto('/account')
    await page.getByText('Passkeys are not available').waitFor()
    await close()
    const signedOut = await visit(browser, other)
    await signedOut.page.goto('/sign-in')
    await signedOut.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await signedOut.page.getByRole('button', { name: 'Sign in with passkey' }).count()).toBe(0)
    await signedOut.close()
  } finally {
    await other.close()
  }
})
