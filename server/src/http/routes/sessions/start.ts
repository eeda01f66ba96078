import { recordAudit } from '../../../db/audit.ts'
import { findRequiredSso, ssoRequired } from '../../../db/break-glass.ts'
import type { Trx } from '../../../db/database.ts'
import { type IssuedDevice, issueDevice } from '../../../identity/accounts/devices.ts'
import { rememberNetwork } from '../../../identity/accounts/known-networks.ts'
import { touchMembership } from '../../../identity/members/members.ts'
import { browserName } from '../../../model/browser-name.ts'
import { csrfTokenOf, revokeSession, startSession } from '../../../identity/sessions/sessions.ts'
import { deviceCookie } from '../../auth/device-cookie.ts'
import {
  type ApiDeps,
  ResponseWithHeaders,
  type Origin,
  type SessionUser,
} from '../../operation/operation.ts'
import { sessionCookie } from '../../auth/session-cookie.ts'
import { presentSession } from './present.ts'

interface SessionInput {
  accountId: number
  loginId: number
  origin: Origin
  /** Previous session of this browser, which is revoked: a browser has one session. */
  previous?: SessionUser | undefined
  /** The user signed in with a browser that is not known, and is told about it. */
  isNewBrowser?: boolean
  /** How the user signed in. */
  by?: string
  /** The issuer of the provider that starts the session. */
  ssoIssuer?: string
}

/**
 * Starts a session for a browser within a transaction. After the commit, respond with `presentNewSession`. In an account that
 * requires single sign-on, no session starts, but the other changes of the transaction stay: the user may have joined.
 */
export async function createBrowserSession(deps: Pick<ApiDeps, 'vault'>, trx: Trx, input: SessionInput) {
  const { vault } = deps
  const { loginId, origin } = input
  const required = await findRequiredSso(trx, input)
  if (required !== undefined) return { required }
  const started = await insertBrowserSession(deps, trx, input)
  await rememberNetwork(trx, vault, loginId, origin.ip)
  return { ...started, device: await issueDevice(trx, vault, loginId) }
}

/**
 * Starts a session without making the browser or its network known. For single sign-on this is all: otherwise the provider of
 * an account could gain attempts to guess the password of a login.
 */
export async function insertBrowserSession(
  { vault }: Pick<ApiDeps, 'vault'>,
  trx: Trx,
  { accountId, loginId, origin, previous, isNewBrowser = false, by, ssoIssuer }: SessionInput,
) {
  if (previous !== undefined) await revokeSession(trx, previous.loginId, previous.id)
  await touchMembership(trx, { accountId, loginId })
  const started = await startSession(trx, vault, { accountId, loginId, ssoIssuer, ...origin })
  await recordAudit(trx, {
    accountId,
    actor: `login:${loginId}`,
    action: 'session.start',
    subject: `session:${started.session.id}`,
    detail: {
      ip: origin.ip,
      ...(by !== undefined && { by }),
      ...(isNewBrowser && { new_browser: true, browser: browserName(origin.userAgent) }),
      ...(ssoIssuer !== undefined && { sso: true }),
    },
  })
  return started
}

interface NewSession extends Awaited<ReturnType<typeof insertBrowserSession>> {
  device?: IssuedDevice
}

export async function presentNewSession(deps: ApiDeps, started: NewSession | { required: string }) {
  if ('required' in started) throw ssoRequired(started.required)
  const { token, session, device } = started
  const cookie = sessionCookie(deps.baseUrl, token, session.expiresAt)
  return new ResponseWithHeaders(await presentSession(deps, session, csrfTokenOf(deps.vault, token)), {
    'set-cookie': device === undefined ? [cookie] : [cookie, deviceCookie(deps.baseUrl, device)],
  })
}
