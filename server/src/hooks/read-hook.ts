/** Reads hooks with all details for the account. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import type { Hook } from '../model/hook.ts'
import type { DisabledReason } from '../model/hook-state.ts'
import { mapInSlices } from '../runtime/slices.ts'
import type { Vault } from '../vault/vault.ts'
import { type HookRecord, toHook } from './hook-record.ts'

export interface HookDetails extends Hook {
  disabledReason: DisabledReason | null
  maxPerSecond: number | null
  changedAt: Date
  secretRotatedAt: Date | null
  /** The headers cannot be decrypted: they show as empty and must be entered again. */
  hasUnreadableHeaders: boolean
}

type Row = HookRecord & Omit<HookDetails, keyof Hook | 'hasUnreadableHeaders'>

/** Reads all hooks of an account, oldest first. */
export async function readHooks(db: Database, vault: Vault, accountId: number): Promise<HookDetails[]> {
  return read(db, vault, accountId, null)
}

export async function readHook(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<HookDetails> {
  const [hook] = await read(db, vault, accountId, hookId)
  if (hook === undefined) throw hookNotFound(hookId)
  return hook
}

/** The same error for ids of other accounts. */
export function hookNotFound(hookId: number): ApiError {
  return new ApiError('notFound', `Webhook ${hookId} not found.`)
}

async function read(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number | null,
): Promise<HookDetails[]> {
  const { rows } = await sql<Row>`
    SELECT id, name, description, target_url, event_type, registered_as, request_method, event_filter, headers, enabled, created_at,
           disabled_reason, max_per_second, form_fields, retry_policy, accept_header, trace_header, signature_url, secret_rotated_at, coalesce((
             SELECT at FROM hook_versions WHERE account_id = ${accountId} AND hook_id = hooks.id
             ORDER BY version DESC LIMIT 1), created_at) AS changed_at
    FROM hooks WHERE account_id = ${accountId} AND (${hookId}::integer IS NULL OR id = ${hookId}) ORDER BY id
  `.execute(db)
  return mapInSlices(rows, (row) => {
    const hook = toHook(row, accountId, vault)
    // Encrypted headers are never empty.
    return { ...row, ...hook, hasUnreadableHeaders: row.headers !== null && hook.headers === '' }
  })
}
