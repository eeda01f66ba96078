import { verifyEmailByReset } from '../../../identity/accounts/email-verifications.ts'
import { deleteLastCodes } from '../../../identity/accounts/recovery-codes.ts'
import { removeAuthenticatorApp } from '../../../identity/accounts/second-factor.ts'
import { revokeAllKeys } from '../../../identity/keys/revoke-key.ts'
import { readOwnAccounts } from '../../../identity/members/members.ts'
import { deleteAllApps } from '../../../identity/oauth/apps.ts'
import { revokeAllAuthorizations } from '../../../identity/oauth/revoke-grant.ts'
import { removeAllPasskeys } from '../../../identity/passkeys/passkeys.ts'
import type { Trx } from '../../../db/database.ts'

/**
 * Revokes the access of the previous user of a login after a password reset by email, in all accounts of the login. API keys
 * and apps belong to the account, so they stay if the account has other members or if the user chooses to keep them. If the
 * email was never verified before, an attacker may have registered it: then all access and the second factor are removed.
 */
export async function revokeAccess(
  trx: Trx,
  { loginId, keepAccess }: { loginId: number; keepAccess: boolean },
): Promise<void> {
  const actor = `login:${loginId}` as const
  const isFirstProof = await verifyEmailByReset(trx, loginId)
  if (isFirstProof) {
    await removeAuthenticatorApp(trx, actor, loginId)
    await removeAllPasskeys(trx, actor, loginId)
    await deleteLastCodes(trx, loginId)
  }
  if (keepAccess && !isFirstProof) return
  for (const { accountId, isAlone } of await readOwnAccounts(trx, loginId)) {
    await revokeAllAuthorizations(trx, actor, isAlone ? { accountId } : { accountId, loginId })
    if (!isAlone) continue
    await revokeAllKeys(trx, actor, accountId)
    await deleteAllApps(trx, { accountId, actor })
  }
}
