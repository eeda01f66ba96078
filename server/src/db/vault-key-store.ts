/** Stores the vault's wrapped keys in `vault_keys`. */
import { sql } from 'kysely'
import type { VaultKeyStore } from '../model/vault-key.ts'
import type { Database } from './database.ts'

export function vaultKeyStore(db: Database): VaultKeyStore {
  return {
    list: () => db.selectFrom('vaultKeys').select(['id', 'purpose', 'wrapped']).orderBy('id').execute(),

    addFirst: (keys) =>
      db.transaction().execute(async (trx) => {
        await sql`LOCK TABLE vault_keys IN EXCLUSIVE MODE`.execute(trx)
        const first = await trx.selectFrom('vaultKeys').select('id').limit(1).executeTakeFirst()
        if (first === undefined)
          await trx
            .insertInto('vaultKeys')
            .values([...keys])
            .execute()
      }),

    replace: async (key) => {
      await db.updateTable('vaultKeys').set({ wrapped: key.wrapped }).where('id', '=', key.id).execute()
    },
  }
}
