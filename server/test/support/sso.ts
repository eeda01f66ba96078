/** Single sign-on of test accounts: one service, one real provider, and what owners and browsers do. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { lockMembers } from '../../src/identity/members/members.ts'
import { addDomain, markVerified } from '../../src/identity/sso/domains.ts'
import { signIn, type SignedIn } from './browser-session.ts'
import type { CallResponse } from './http-call.ts'
import { addMember } from './members.ts'
import { type Browser, openBrowser } from './oauth-client.ts'
import { type IdentityProvider, startIdentityProvider } from './servers/identity-provider.ts'
import { startDashboardService, type TestAccount, type TestService } from './test-service.ts'

export let hookline: TestService
export let provider: IdentityProvider
const redirectUris: string[] = []

/** Starts one service and one provider for the tests of a file. */
export function useSsoSetup(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    hookline = await startDashboardService({
      ALLOW_PRIVATE_TARGETS: 'true',
      CALLS_PER_MINUTE: '100000',
      LOGIN_ATTEMPTS: '5',
      ...env,
    })
    provider = await startIdentityProvider(() => redirectUris)
  })
  afterAll(async () => {
    await hookline.close()
    await provider.close()
  })
}

export interface Setup {
  account: TestAccount
  connection: Connection
  domain: string
}

export async function setUp(settings: Record<string, unknown> = {}): Promise<Setup> {
  const account = await hookline.account()
  const connection = await configureSso(account, provider, settings)
  redirectUris.push(connection.redirectUri)
  const domain = `${randomBytes(6).toString('hex')}.example`
  await verifyDomain(account, domain)
  return { account, connection, domain }
}

/** Adds a user to the provider. */
export function addUser(email?: string, isVerified: boolean | 'true' | null = true): string {
  const sub = randomBytes(8).toString('hex')
  provider.users.set(sub, {
    sub,
    ...(email !== undefined && { email }),
    ...(isVerified !== null && { email_verified: isVerified }),
  })
  return sub
}

/** Adds a member with an email in the domain. */
export async function addMemberOf({ account, domain }: Setup, role: 'developer' | 'owner' = 'developer') {
  const member = await addMember(hookline, account, { role, canReveal: true, canExport: true })
  const email = `${member.alias}@${domain}`
  await hookline.database.query('UPDATE logins SET email = $2 WHERE id = $1', [member.loginId, email])
  return { ...member, email }
}

export async function arriveAs(
  browser: Browser,
  json: Record<string, unknown>,
  sub: string,
): Promise<CallResponse> {
  return browser.open(await provider.signIn(await startSso(browser, json), sub))
}

/** A browser with a session of single sign-on. */
export async function signedIn(
  { connection }: Setup,
  sub: string,
): Promise<{ browser: Browser; call: Browser['call']; session: CallResponse['json'] }> {
  const browser = openBrowser(hookline)
  const arrived = await arriveAs(browser, { connection: connection.id }, sub)
  if (arrived.status !== 303) throw new Error(arrived.text)
  const session = (await sessionOf(browser)).json
  return {
    browser,
    session,
    call: (path, options = {}) =>
      browser.open(path, {
        ...options,
        headers: { origin: hookline.url, 'x-csrf-token': session.csrf_token, ...options.headers },
      }),
  }
}

interface AuditEntry {
  actor: string
  subject: string
  detail: Record<string, unknown>
}

export async function auditOf({ accountId }: TestAccount, action: string): Promise<AuditEntry[]> {
  const rows = await hookline.database.query<AuditEntry>(
    'SELECT actor, subject, detail FROM audit WHERE account_id = $1 AND action = $2 ORDER BY id',
    [accountId, action],
  )
  return rows
}

/** Returns the sentence of the page that says why single sign-on failed. */
export function failureOf({ text }: CallResponse): string {
  return (/<p>(.*?)<\/p>/s.exec(text)?.[1] ?? text).replaceAll('&quot;', '"')
}

export interface Connection {
  id: string
  redirectUri: string
  owner: SignedIn
}

export interface Client {
  issuer: string
  clientId: string
  clientSecret: string | null
}

/** Sets up single sign-on as an owner does in the dashboard. */
export async function configureSso(
  account: TestAccount,
  client: Client,
  settings: Record<string, unknown> = {},
): Promise<Connection> {
  const owner = await signIn(hookline.url, account)
  const saved = await saveProvider(owner, account, client)
  if (saved.status !== 200) throw new Error(`setup failed: ${saved.text}`)
  const { connection, redirect_uri: redirectUri } = saved.json
  if (Object.keys(settings).length > 0) {
    const changed = await changeSettings(owner, account, settings)
    if (changed.status !== 200) throw new Error(`settings failed: ${changed.text}`)
  }
  return { id: connection.id, redirectUri, owner }
}

export function saveProvider(
  owner: SignedIn,
  { password }: { password: string },
  { issuer, clientId, clientSecret }: Client,
): Promise<CallResponse> {
  const json = { name: 'Provider', issuer, client_id: clientId, client_secret: clientSecret, password }
  return owner.call('/api/sso', { method: 'POST', json })
}

export function changeSettings(
  owner: SignedIn,
  { password }: { password: string },
  settings: Record<string, unknown>,
): Promise<CallResponse> {
  return owner.call('/api/sso/settings', { method: 'POST', json: { ...settings, password } })
}

/** Marks a domain as verified, as the operator does. */
export async function verifyDomain({ accountId }: { accountId: number }, domain: string): Promise<void> {
  await hookline.db.transaction().execute(async (trx) => {
    await lockMembers(trx, accountId)
    await markVerified(trx, 'operator', accountId, await addDomain(trx, 'operator', accountId, domain))
  })
}

/** Starts a sign-in and returns the URL of the provider. */
export async function startSso(browser: Browser, json: Record<string, unknown>): Promise<string> {
  const started = await browser.open('/api/session/sso', {
    method: 'POST',
    json,
    headers: { origin: hookline.url },
  })
  if (started.status !== 200) throw new Error(`start failed: ${started.text}`)
  return started.json.url
}

/** Returns the session of a browser as its pages see it. */
export async function sessionOf(browser: Browser): Promise<CallResponse> {
  return browser.open('/api/session')
}
