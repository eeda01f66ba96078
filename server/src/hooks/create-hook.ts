import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'
import type { HookDefinition } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { fingerprint, hookColumns, sealHeaders } from './hook-record.ts'
import { type HookRules, judgeHook } from './judge-hook.ts'
import { switchHook } from './set-enabled.ts'

/**
 * Registers a hook and answers its id. The same five values again answer the existing one, enabled if it was not, with what
 * belongs to that in the same commit.
 */
export async function createHook(
  db: Database,
  vault: Vault,
  rules: HookRules,
  accountId: number,
  actor: Actor,
  given: HookDefinition,
  onEnabling: (trx: Trx, hookId: number) => Promise<void>,
): Promise<number> {
  const wanted = judgeHook(rules, given)
  const print = fingerprint(wanted, vault)

  const known = await findByFingerprint(db, accountId, print)
  if (known?.enabled) return known.id

  return changeHooks(
    db,
    accountId,
    actor,
    async (step) => {
      const { trx, append } = step
      const existing = await findByFingerprint(trx, accountId, print)
      if (existing?.enabled) return existing.id
      if (existing !== undefined) {
        await onEnabling(trx, existing.id)
        await switchHook(step, accountId, existing, { enabled: true })
        return existing.id
      }

      await refuseAboveLimit(trx, accountId, rules.hooksPerAccount)
      const created = await trx
        .insertInto('hooks')
        .values({
          ...wanted,
          accountId,
          headers: sealHeaders(wanted.headers, accountId, vault),
          fingerprint: print,
        })
        .returning(hookColumns)
        .executeTakeFirstOrThrow()
      await append('created', created)
      return created.id
    },
    rules.changes,
  )
}

export function findByFingerprint(db: Database | Trx, accountId: number, print: Buffer) {
  return db
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .where('fingerprint', '=', print)
    .executeTakeFirst()
}

async function refuseAboveLimit(trx: Trx, accountId: number, limit: number): Promise<void> {
  const { count } = await trx
    .selectFrom('hooks')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit)
    throw new Refusal('tooManyHooks', `An account can have ${limit} webhooks. Delete one first.`)
}
