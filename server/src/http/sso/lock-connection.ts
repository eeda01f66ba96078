/** Reads a connection again after its provider was asked, which may have taken seconds. */
import type { Trx } from '../../db/database.ts'
import { lockMembers } from '../../identity/members/members.ts'
import { isSameClient, readConnection, type SsoConnection } from '../../identity/sso/connections.ts'
import { ApiError } from '../../model/errors.ts'

/** Returns the connection as it is now, and keeps it until the transaction ends. Throws if the provider was changed. */
export async function lockConnection(
  trx: Trx,
  asked: Pick<SsoConnection, 'accountId' | 'issuer' | 'clientId'>,
): Promise<SsoConnection> {
  await lockMembers(trx, asked.accountId)
  const connection = await readConnection(trx, asked.accountId)
  if (connection === undefined || !isSameClient(connection, asked)) throw connectionChanged()
  return connection
}

export function connectionChanged(): ApiError {
  return new ApiError('ssoFailed', 'Single sign-on of the account was changed in the meantime. Start again.')
}
