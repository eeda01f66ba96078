/** A hook with all that its owner may know of it. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'
import type { Hook } from '../model/hook.ts'
import { mapInSlices } from '../ops/slices.ts'
import type { Vault } from '../vault/vault.ts'
import { type HookRecord, toHook } from './hook-record.ts'

export interface HookDetails extends Hook {
  disabledReason: string | null
  mostPerSecond: number | null
  changedAt: Date
  secretRotatedAt: Date | null
  /** They are shown as none, and must be entered again. */
  hasUnreadableHeaders: boolean
}

type Row = HookRecord & Omit<HookDetails, keyof Hook | 'hasUnreadableHeaders'>

/** Oldest first. */
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
  if (hook === undefined) throw noSuchHook(hookId)
  return hook
}

/** The same for an id that another account has. */
export function noSuchHook(hookId: number): Refusal {
  return new Refusal('notFound', `There is no webhook with the id ${hookId}.`)
}

async function read(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number | null,
): Promise<HookDetails[]> {
  const { rows } = await sql<Row>`
    SELECT id, target_url, event_type, request_method, event_filter, headers, enabled, created_at, disabled_reason,
           most_per_second, secret_rotated_at, coalesce((
             SELECT at FROM hook_versions WHERE account_id = ${accountId} AND hook_id = hooks.id
             ORDER BY version DESC LIMIT 1), created_at) AS changed_at
    FROM hooks WHERE account_id = ${accountId} AND (${hookId}::integer IS NULL OR id = ${hookId}) ORDER BY id
  `.execute(db)
  return mapInSlices(rows, (row) => {
    const hook = toHook(row, accountId, vault)
    // Those that are sealed are never empty.
    return { ...row, ...hook, hasUnreadableHeaders: row.headers !== null && hook.headers === '' }
  })
}
