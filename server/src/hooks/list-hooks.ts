import type { Database } from '../db/database.ts'
import type { Hook } from '../model/hook.ts'
import { mapInSlices } from '../runtime/slices.ts'
import type { Vault } from '../vault/vault.ts'
import { hookColumns, toHook } from './hook-record.ts'

/** Lists all hooks of an account, including disabled ones, oldest first. */
export async function listHooks(db: Database, vault: Vault, accountId: number): Promise<Hook[]> {
  const records = await db
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  return mapInSlices(records, (record) => toHook(record, accountId, vault))
}
