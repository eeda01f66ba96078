import type { Trx } from '../../../db/database.ts'
import { chooseAccount, isFirstSignIn } from '../../../identity/members/members.ts'
import type { ApiDeps, Origin, SessionUser } from '../../operation/operation.ts'
import { joinAccount } from '../invitations/join.ts'
import { createBrowserSession } from './start.ts'

interface SignedIn {
  loginId: number
  /** How the user signed in, for the audit log. */
  by: string
  isKnownBrowser: boolean
  invitation: string | undefined
  origin: Origin
  previous: SessionUser | undefined
}

/** Starts the session of a user who has proven the login, in the account used last or in that of an invitation. */
export async function startSignedIn(
  deps: ApiDeps,
  trx: Trx,
  { loginId, by, isKnownBrowser, invitation, origin, previous }: SignedIn,
) {
  const accountId =
    invitation === undefined
      ? await chooseAccount(trx, loginId)
      : await joinAccount(trx, deps.vault, loginId, invitation)
  const isNewBrowser = !isKnownBrowser && !(await isFirstSignIn(trx, loginId))
  return createBrowserSession(deps, trx, { accountId, loginId, origin, previous, isNewBrowser, by })
}
