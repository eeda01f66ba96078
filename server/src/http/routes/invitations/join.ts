import type { Trx } from '../../../db/database.ts'
import { consumeInvitation } from '../../../identity/members/invitations.ts'
import { insertMember } from '../../../identity/members/members.ts'
import type { Vault } from '../../../vault/vault.ts'

/** Consumes an invitation and makes the login a member. Returns the account. */
export async function joinAccount(trx: Trx, vault: Vault, loginId: number, token: string): Promise<number> {
  const { accountId, member } = await consumeInvitation(trx, vault, token)
  await insertMember(trx, `login:${loginId}`, { accountId, loginId }, member)
  return accountId
}
