/** Starts a sign-in at the identity provider of an account: a URL for the browser, and a cookie that binds the response to it. */
import { randomBytes } from 'node:crypto'
import type { SsoConnection } from '../../identity/sso/connections.ts'
import { type ApiDeps, ResponseWithHeaders, type SessionUser } from '../operation/operation.ts'
import { type Flow, flowCookie } from './flow-cookie.ts'

type StartDeps = Pick<ApiDeps, 'vault' | 'baseUrl' | 'providers' | 'clock'>

interface StartInput {
  purpose: Flow['purpose']
  /** The user who links or confirms. */
  user?: SessionUser | undefined
  returnPath: string | undefined
}

export const callbackPath = '/sso/callback'

/** One per account, so a response of the provider of another account never arrives here. */
export function redirectUriOf(baseUrl: URL, connectionId: string): string {
  return new URL(`${callbackPath}/${connectionId}`, baseUrl).href
}

export async function startFlow(
  { vault, baseUrl, providers, clock }: StartDeps,
  connection: SsoConnection,
  { purpose, user, returnPath = '/' }: StartInput,
): Promise<ResponseWithHeaders<{ url: string }>> {
  const { accountId, id, issuer, clientId } = connection
  const flow: Flow = {
    purpose,
    accountId,
    issuer,
    clientId,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    ...(user && { sessionId: user.id }),
    returnPath,
    startedAt: Math.floor(clock.now() / 1_000),
  }
  const url = await providers.authorizationUrl(connection, {
    ...flow,
    redirectUri: redirectUriOf(baseUrl, id),
    isConfirmation: purpose === 'confirm',
  })
  return new ResponseWithHeaders({ url }, { 'set-cookie': flowCookie.write(vault, baseUrl, flow) })
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
