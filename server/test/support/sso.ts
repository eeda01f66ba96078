/** Single sign-on of test accounts: set up by their owners, and used from browsers. */
import { lockMembers } from '../../src/identity/members/members.ts'
import { addDomain, markVerified } from '../../src/identity/sso/domains.ts'
import { signIn, type SignedIn } from './browser-session.ts'
import type { CallResponse } from './http-call.ts'
import type { Browser } from './oauth-client.ts'
import type { TestAccount, TestService } from './test-service.ts'

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
  hookline: TestService,
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
export async function verifyDomain(
  hookline: TestService,
  { accountId }: { accountId: number },
  domain: string,
): Promise<void> {
  await hookline.db.transaction().execute(async (trx) => {
    await lockMembers(trx, accountId)
    await markVerified(trx, 'operator', accountId, await addDomain(trx, 'operator', accountId, domain))
  })
}

/** Starts a sign-in and returns the URL of the provider. */
export async function startSso(
  hookline: TestService,
  browser: Browser,
  json: Record<string, unknown>,
): Promise<string> {
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
