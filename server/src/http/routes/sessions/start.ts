import { recordAudit } from '../../../db/audit.ts'
import type { Trx } from '../../../db/database.ts'
import { issueDevice } from '../../../identity/accounts/devices.ts'
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
}

/** Starts a session for a browser within a transaction. After the commit, respond with `presentNewSession`. */
export async function createBrowserSession(
  { vault }: ApiDeps,
  trx: Trx,
  { accountId, loginId, origin, previous, isNewBrowser = false, by }: SessionInput,
) {
  if (previous !== undefined) await revokeSession(trx, previous.loginId, previous.id)
  await touchMembership(trx, { accountId, loginId })
  const started = await startSession(trx, vault, { accountId, loginId, ...origin })
  await recordAudit(trx, {
    accountId,
    actor: `login:${loginId}`,
    action: 'session.start',
    subject: `session:${started.session.id}`,
    detail: {
      ip: origin.ip,
      ...(by !== undefined && { by }),
      ...(isNewBrowser && { new_browser: true, browser: browserName(origin.userAgent) }),
    },
  })
  await rememberNetwork(trx, vault, loginId, origin.ip)
  return { ...started, device: await issueDevice(trx, vault, loginId) }
}

type NewBrowserSession = Awaited<ReturnType<typeof createBrowserSession>>

export async function presentNewSession(deps: ApiDeps, { token, session, device }: NewBrowserSession) {
  return new ResponseWithHeaders(await presentSession(deps, session, csrfTokenOf(deps.vault, token)), {
    'set-cookie': [sessionCookie(deps.baseUrl, token, session.expiresAt), deviceCookie(deps.baseUrl, device)],
  })
}
