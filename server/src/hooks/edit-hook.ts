import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'
import type { HookDefinition } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { findByFingerprint } from './create-hook.ts'
import { forgetProblem } from './hook-problems.ts'
import { fingerprint, hookColumns, readHeaders, sealHeaders, toHook } from './hook-record.ts'
import { type HookRules, judgeHook } from './judge-hook.ts'
import { noSuchHook } from './read-hook.ts'

/** What is to change; everything else stays as it is. */
export type HookEdit = Partial<HookDefinition & { mostPerSecond: number | null }>

/** Answers whether the hook leads somewhere else now. What waits for it follows it there. */
export function editHook(
  db: Database,
  vault: Vault,
  rules: HookRules,
  accountId: number,
  actor: Actor,
  hookId: number,
  { mostPerSecond, ...edit }: HookEdit,
): Promise<{ hasMoved: boolean }> {
  return changeHooks(
    db,
    accountId,
    actor,
    async ({ trx, append }) => {
      const record = await trx
        .selectFrom('hooks')
        .select([...hookColumns, 'callUrl'])
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .executeTakeFirst()
      if (record === undefined) throw noSuchHook(hookId)
      // Kept as none, they would be lost, and the receiver would get requests without its credential.
      if (edit.headers === undefined && readHeaders(record.headers, accountId, vault) === undefined)
        throw new Refusal(
          'invalidHeaders',
          'The headers of this webhook cannot be decrypted. Send "headers" again, or null for none.',
        )
      const { targetUrl, eventType, requestMethod, eventFilter, headers } = toHook(record, accountId, vault)
      const before = { targetUrl, eventType, requestMethod, eventFilter, headers }
      const wanted = judgeHook(rules, { ...before, ...edit })
      const print = fingerprint(wanted, vault)
      const same = await findByFingerprint(trx, accountId, print)
      if (same !== undefined && same.id !== hookId)
        throw new Refusal(
          'hookExists',
          `Webhook ${same.id} already has this address, type, method, filter and headers.`,
        )

      const changed = await trx
        .updateTable('hooks')
        .set({
          ...wanted,
          headers: sealHeaders(wanted.headers, accountId, vault),
          fingerprint: print,
          ...(mostPerSecond !== undefined && { mostPerSecond }),
        })
        .where('accountId', '=', accountId)
        .where('id', '=', hookId)
        .returning(hookColumns)
        .executeTakeFirstOrThrow()
      await append('changed', changed)
      // What was saved passed every check of this version; a worker that cannot load it says so again.
      await forgetProblem(trx, accountId, hookId)
      if (mostPerSecond !== undefined) {
        const detail = { most_per_second: mostPerSecond }
        await recordAudit(trx, { accountId, actor, action: 'hook.rate', subject: `hook:${hookId}`, detail })
      }
      return { hasMoved: wanted.callUrl !== record.callUrl }
    },
    rules.changes,
  )
}
