import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import type { HookDefinition, HookTexts } from '../model/hook.ts'
import { endpointOf } from '../model/target-url.ts'
import { createHookSecret, sealHookSecret } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks, type HookChange } from './change-hooks.ts'
import { fingerprint, hookColumns, type HookRecord, sealHeaders, typeColumns } from './hook-record.ts'
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
  const requested = validateHook(rules, accountId, input)
  const print = fingerprint(requested, vault)

  const found = await findByFingerprint(db, accountId, print)
  if (found?.enabled) return found.id

  return changeHooks(
    db,
    accountId,
    actor,
    async (step) => {
      const existing = await findByFingerprint(step.trx, accountId, print)
      if (existing?.enabled) return existing.id
      if (existing !== undefined) {
        await onEnabling(step.trx, existing.id)
        await switchHook(step, accountId, existing, { enabled: true })
        return existing.id
      }

      return insertHook(step, vault, rules, accountId, requested)
    },
    rules.changes,
  )
}

/** Settings beside the five values that identify a hook. */
type HookSettings = Partial<HookTexts & DeliveryOptions> & { maxPerSecond: number | null }

/** Creates a hook with all its settings and returns its id. Rejects if one with the same five values exists. */
export async function addHook(
  db: Database,
  vault: Vault,
  rules: HookLimits,
  accountId: number,
  actor: Actor,
  input: HookDefinition,
  settings: HookSettings,
): Promise<number> {
  const requested = validateHook(rules, accountId, input)
  const add = async (step: HookChange): Promise<number> => {
    const existing = await findByFingerprint(step.trx, accountId, fingerprint(requested, vault))
    if (existing !== undefined) throw hookExists(existing)
    return insertHook(step, vault, rules, accountId, { ...requested, ...settings })
  }
  return changeHooks(db, accountId, actor, add, rules.changes)
}

async function insertHook(
  { trx, append }: HookChange,
  vault: Vault,
  rules: HookLimits,
  accountId: number,
  hook: ReturnType<typeof validateHook> & Partial<HookSettings>,
): Promise<number> {
  await rejectAboveLimit(trx, accountId, rules.hooksPerAccount)
  const created = await trx
    .insertInto('hooks')
    .values({
      ...hook,
      ...typeColumns(hook.eventType),
      accountId,
      headers: sealHeaders(hook.headers, accountId, vault),
      fingerprint: fingerprint(hook, vault),
      secret: sealHookSecret(vault, accountId, createHookSecret()),
    })
    .returning(hookColumns)
    .executeTakeFirstOrThrow()
  await append({ kind: 'created' }, created)
  return created.id
}

export function hookExists({ id, name, targetUrl }: HookRecord): ApiError {
  const webhook = `Webhook ${id} (${name ?? endpointOf(targetUrl)})`
  return new ApiError('hookExists', `${webhook} already has this URL, type, method, filter and headers.`, {
    details: { ids: [id] },
  })
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
