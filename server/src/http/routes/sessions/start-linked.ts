import type { Trx } from '../../../db/database.ts'
import type { ApiDeps, Origin, SessionUser } from '../../operation/operation.ts'
import type { SsoConnection } from '../../../identity/sso/connections.ts'
import type { UnlinkedUser } from '../../sso/flow-cookie.ts'
import { linkSignedIn } from '../../sso/link-signed-in.ts'
import { insertBrowserSession } from './start.ts'

interface Linked {
  /** The user of the identity provider, who has just signed in there. */
  unlinked: UnlinkedUser
  connection: SsoConnection
  loginId: number
  origin: Origin
  previous: SessionUser | undefined
}

/** Links the user of the provider to the login that was proven, and starts a session of single sign-on. */
export async function startLinked(deps: ApiDeps, trx: Trx, linked: Linked) {
  const { unlinked, connection, loginId, origin, previous } = linked
  const { accountId, issuer, name } = connection
  await linkSignedIn(trx, unlinked, loginId)
  const started = await insertBrowserSession(deps, trx, {
    accountId,
    loginId,
    origin,
    previous,
    ssoIssuer: issuer,
  })
  return { ...started, session: { ...started.session, sso: { name, confirmedUntil: null } } }
}
