import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { HookDefinition } from '../model/hook.ts'
import { createHookSecret, sealHookSecret } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { fingerprint, hookColumns, sealHeaders, typeColumns } from './hook-record.ts'
import { type HookLimits, validateHook } from './validate-hook.ts'
import { switchHook } from './set-enabled.ts'

/**
 * Registers a hook and returns its id. If a hook with the same five values exists, enables it if necessary, runs
 * `onEnabling` in the same commit, and returns its id.
 */
export async function createHook(
  db: Database,
  vault: Vault,
  rules: HookLimits,
  accountId: number,
  actor: Actor,
  input: HookDefinition,
  onEnabling: (trx: Trx, hookId: number) => Promise<void>,
): Promise<number> {
  const requested = validateHook(rules, input)
  const print = fingerprint(requested, vault)

  const found = await findByFingerprint(db, accountId, print)
  if (found?.enabled) return found.id

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

      await rejectAboveLimit(trx, accountId, rules.hooksPerAccount)
      const created = await trx
        .insertInto('hooks')
        .values({
          ...requested,
          ...typeColumns(requested.eventType),
          accountId,
          headers: sealHeaders(requested.headers, accountId, vault),
          fingerprint: print,
          secret: sealHookSecret(vault, accountId, createHookSecret()),
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

async function rejectAboveLimit(trx: Trx, accountId: number, limit: number): Promise<void> {
  const { count } = await trx
    .selectFrom('hooks')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit)
    throw new ApiError('tooManyHooks', `Webhook limit of ${limit} reached. Delete one first.`, {
      details: { limit },
    })
}
