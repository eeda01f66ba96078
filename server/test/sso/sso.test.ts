/** Single sign-on with a real provider: setup, sign-in, links, joining, and what such a session can do. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '../support/browser-session.ts'
import type { CallResponse } from '../support/http-call.ts'
import { addMember } from '../support/members.ts'
import { type Browser, openBrowser } from '../support/oauth-client.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/servers/identity-provider.ts'
import { configureSso, type Connection, sessionOf, startSso, verifyDomain } from '../support/sso.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let provider: IdentityProvider
const redirectUris: string[] = []

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true', CALLS_PER_MINUTE: '100000' })
  provider = await startIdentityProvider(() => redirectUris)
})
afterAll(async () => {
  await hookline.close()
  await provider.close()
})

async function setUp(
  settings: Record<string, unknown> = {},
): Promise<{ account: TestAccount; connection: Connection; domain: string }> {
  const account = await hookline.account()
  const connection = await configureSso(hookline, account, provider, settings)
  redirectUris.push(connection.redirectUri)
  const domain = `${randomBytes(6).toString('hex')}.example`
  await verifyDomain(hookline, account, domain)
  return { account, connection, domain }
}

/** Adds a user to the provider. */
function addUser(email: string | undefined, isVerified: boolean | undefined = true): string {
  const sub = randomBytes(8).toString('hex')
  provider.users.set(sub, {
    sub,
    ...(email !== undefined && { email }),
    ...(isVerified !== undefined && { email_verified: isVerified }),
  })
  return sub
}

async function signInAs(browser: Browser, json: Record<string, unknown>, sub: string): Promise<CallResponse> {
  return browser.open(await provider.signIn(await startSso(hookline, browser, json), sub))
}

async function setEmail(loginId: number, email: string): Promise<void> {
  await hookline.database.query('UPDATE logins SET email = $2 WHERE id = $1', [loginId, email])
}

describe('a sign-in', () => {
  test('of a member with the same verified email in a verified domain links the login and starts a session', async () => {
    const { account, connection, domain } = await setUp()
    await setEmail(account.loginId, `owner@${domain}`)
    const sub = addUser(`Owner@${domain}`)
    const browser = openBrowser(hookline)
    const arrived = await signInAs(
      browser,
      { connection: connection.id, return_path: '/events?type=sms#x' },
      sub,
    )
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/events?type=sms#x'])
    const { json } = await sessionOf(browser)
    expect(json.login.id).toBe(account.loginId)
    expect(json.account.id).toBe(account.accountId)
    expect(json.sso).toEqual({ name: 'Provider', confirmed_until: null })
    const lifetime = Date.parse(json.session.expires_at) - Date.parse(json.session.created_at)
    expect(lifetime).toBe(12 * 3_600_000)
    const identities = (await connection.owner.call('/api/sso/identities')).json.identities
    expect(identities).toMatchObject([{ login_id: account.loginId, subject: sub, is_self: true }])
  })
})
