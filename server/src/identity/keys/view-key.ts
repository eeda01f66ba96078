import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'
import { ApiError } from '../../model/errors.ts'
import { openKeySource } from './import-keys.ts'

/** Returns the full key and records it in the audit log. Returns undefined if the account has no such active key. */
export async function viewKey(
  db: Database,
  vault: Vault,
  actor: Actor,
  { accountId, keyId, ip }: { accountId: number; keyId: number; ip: string },
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('keys')
      .select(['accountId', 'sealed', 'importedAs'])
      .where('accountId', '=', accountId)
      .where('id', '=', keyId)
      .where('revokedAt', 'is', null)
      .executeTakeFirst()
    if (found === undefined) return undefined
    const source = openKeySource(vault, found)
    if ('digest' in source)
      throw new ApiError(
        'keyNotViewable',
        `API key ${keyId} was imported as a digest, so Hookline does not know the key. Create a new one if it is lost.`,
      )
    await recordAudit(trx, { accountId, actor, action: 'key.view', subject: `key:${keyId}`, detail: { ip } })
    return source.key
  })
}
