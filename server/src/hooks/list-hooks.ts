import type { Database } from '../db/database.ts'
import type { Hook } from '../model/hook.ts'
import { mapInSlices } from '../ops/slices.ts'
import type { Vault } from '../vault/vault.ts'
import { hookColumns, toHook } from './hook-record.ts'

/** All hooks of an account, disabled ones too, oldest first. */
export async function listHooks(db: Database, vault: Vault, accountId: number): Promise<Hook[]> {
  const records = await db
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  return mapInSlices(records, (record) => toHook(record, accountId, vault))
}
