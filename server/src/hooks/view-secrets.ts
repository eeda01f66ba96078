/** Returns the signing secrets of a hook. Every view is recorded in the audit log. */
import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import type { Vault } from '../vault/vault.ts'
import { type SigningSecrets, signingSecrets } from './open-secrets.ts'

/** Returns undefined if the hook does not exist. */
export function viewSecrets(
  db: Database,
  vault: Vault,
  actor: Actor,
  { accountId, hookId }: { accountId: number; hookId: number },
): Promise<SigningSecrets | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await signingSecrets(trx, vault, accountId, hookId)
    if (found !== undefined)
      await recordAudit(trx, { accountId, actor, action: 'hook.secret.view', subject: `hook:${hookId}` })
    return found
  })
}
