/** Single sign-on of test accounts, set up as their owners do in the dashboard. */
import { type SignedIn, signIn } from '../../../server/test/support/browser-session.ts'
import type { IdentityProvider } from '../../../server/test/support/servers/identity-provider.ts'
import type { TestAccount, TestService } from '../../../server/test/support/test-service.ts'
import { lockMembers } from '../../../server/src/identity/members/members.ts'
import { addDomain, markVerified } from '../../../server/src/identity/sso/domains.ts'

export interface Connection {
  id: string
  redirectUri: string
  owner: SignedIn
}

export async function configureSso(
  hookline: TestService,
  account: TestAccount,
  { issuer, clientId, clientSecret }: IdentityProvider,
  settings?: Record<string, unknown>,
): Promise<Connection> {
  const { password } = account
  const owner = await signIn(hookline.url, account)
  const client = { name: 'Provider', issuer, client_id: clientId, client_secret: clientSecret }
  const saved = await owner.call('/api/sso', { method: 'POST', json: { ...client, password } })
  if (saved.status !== 200) throw new Error(`setup failed: ${saved.text}`)
  if (settings !== undefined) await changeSettings(owner, { ...settings, password })
  return { id: saved.json.connection.id, redirectUri: saved.json.redirect_uri, owner }
}

export async function changeSettings(owner: SignedIn, json: Record<string, unknown>): Promise<void> {
  const changed = await owner.call('/api/sso/settings', { method: 'POST', json })
  if (changed.status !== 200) throw new Error(`settings failed: ${changed.text}`)
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
