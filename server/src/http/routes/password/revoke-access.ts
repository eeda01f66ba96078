import { verifyEmailByReset } from '../../../identity/accounts/email-verifications.ts'
import { countLogins } from '../../../identity/accounts/logins.ts'
import { removeSecondFactorWithin } from '../../../identity/accounts/second-factor.ts'
import { revokeAllKeys } from '../../../identity/keys/revoke-key.ts'
import { deleteAllApps } from '../../../identity/oauth/apps.ts'
import { revokeAllAuthorizations } from '../../../identity/oauth/revoke-grant.ts'
import type { Trx } from '../../../db/database.ts'

/**
 * Revokes the access of the previous user of a login after a password reset by email. API keys and apps belong to the
 * account, so they stay if the account has other logins or if the user chooses to keep them. If the email was never
 * verified before, an attacker may have registered it: then all access and the second factor are removed.
 */
export async function revokeAccess(
  trx: Trx,
  { accountId, loginId, keepAccess }: { accountId: number; loginId: number; keepAccess: boolean },
): Promise<void> {
  const actor = `login:${loginId}` as const
  const isFirstProof = await verifyEmailByReset(trx, loginId)
  if (isFirstProof) await removeSecondFactorWithin(trx, actor, loginId)
  if (keepAccess && !isFirstProof) return
  if ((await countLogins(trx, accountId)) > 1)
    return revokeAllAuthorizations(trx, actor, { accountId, loginId })
  await revokeAllKeys(trx, actor, accountId)
  await deleteAllApps(trx, { accountId, actor })
  await revokeAllAuthorizations(trx, actor, { accountId })
}
