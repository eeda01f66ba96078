import { sql } from 'kysely'
import { type Actor, recordAudit } from '../db/audit.ts'
import type { ChangeLimits } from '../db/change-count.ts'
import type { Database } from '../db/database.ts'
import { createHookSecret, openHookSecret, sealHookSecret } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import { orUndefined } from '../runtime/or-undefined.ts'
import { changeHooks } from './change-hooks.ts'
import { deleteProblem } from './hook-problems.ts'
import { hookNotFound } from './read-hook.ts'

/** Creates a new secret. For 24 hours deliveries are also signed with the previous one. */
export function rotateSecret(
  db: Database,
  vault: Vault,
  accountId: number,
  actor: Actor,
  hookId: number,
  limits: ChangeLimits,
): Promise<void> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx }) => {
      const found = await trx
        .selectFrom('hooks')
        .select(['secret', 'secretGeneration'])
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .executeTakeFirst()
      if (found === undefined) throw hookNotFound(hookId)
      const name = { accountId, hookId, generation: found.secretGeneration }
      // A rotation also replaces a secret that cannot be decrypted.
      const previous = orUndefined(() => openHookSecret(vault, found.secret, name))
      await trx
        .updateTable('hooks')
        .set({
          secret: sealHookSecret(vault, accountId, createHookSecret()),
          previousSecret: previous === undefined ? null : sealHookSecret(vault, accountId, previous),
          secretGeneration: sql`secret_generation + 1`,
          secretRotatedAt: sql<Date>`now()`,
        })
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .execute()
      await deleteProblem(trx, accountId, hookId)
      await recordAudit(trx, { accountId, actor, action: 'hook.secret.rotate', subject: `hook:${hookId}` })
    },
    limits,
  )
}
