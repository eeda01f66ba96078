import { proveByReset } from '../../../identity/accounts/email-verifications.ts'
import { countLogins } from '../../../identity/accounts/logins.ts'
import { removeSecondFactorWithin } from '../../../identity/accounts/second-factor.ts'
import { revokeAllKeys } from '../../../identity/keys/revoke-key.ts'
import { deleteAllApps } from '../../../identity/oauth/apps.ts'
import { endAllAuthorizations } from '../../../identity/oauth/end-grant.ts'
import type { Trx } from '../../../db/database.ts'

/**
 * After a reset by mail: ends what whoever had the login until now could go on with. API keys and apps belong to the
 * account, so they stay if others sign in for it too, or if the owner of the mailbox says that they are theirs. If nobody had
 * proved to own the mailbox before, whoever registered may have been a stranger: then all goes, the second factor included.
 */
export async function revokeAccess(
  trx: Trx,
  { accountId, loginId, keepAccess }: { accountId: number; loginId: number; keepAccess: boolean },
): Promise<void> {
  const actor = `login:${loginId}` as const
  const isFirstProof = await proveByReset(trx, loginId)
  if (isFirstProof) await removeSecondFactorWithin(trx, actor, loginId)
  if (keepAccess && !isFirstProof) return
  if ((await countLogins(trx, accountId)) > 1) return endAllAuthorizations(trx, actor, { accountId, loginId })
  await revokeAllKeys(trx, actor, accountId)
  await deleteAllApps(trx, { accountId, actor })
  await endAllAuthorizations(trx, actor, { accountId })
}
