/** What an operator does around a restore, with the functions of the admin tool. */
import { readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import { type Database, openDatabase } from '../../../server/src/db/database.ts'
import { createStop, endStop } from '../../../server/src/db/stops.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import type { StopTarget } from '../../../server/src/model/stop.ts'
import { openVault, type Vault } from '../../../server/src/vault/vault.ts'

export interface Operator {
  db: Database
  vault: Vault
  /** Returns the id of the stop. */
  stop: (target: StopTarget) => Promise<number>
  endStop: (id: number) => Promise<void>
}

export async function asOperator<T>(
  settings: Record<string, string>,
  act: (operator: Operator) => Promise<T>,
): Promise<T> {
  const db = openDatabase(new URL(settings.DATABASE_URL ?? ''), 2, () => {})
  try {
    const vault = await openVault(vaultKeyStore(db), {
      masterKey: Buffer.from(settings.MASTER_KEY ?? '', 'base64'),
    })
    return await act({
      db,
      vault,
      async stop(target) {
        const reason = 'Restore in progress.'
        const id = await db.transaction().execute((trx) => createStop(trx, 'operator', { target, reason }))
        if (id === undefined) throw new Error('already stopped')
        return id
      },
      async endStop(id) {
        if (!(await db.transaction().execute((trx) => endStop(trx, 'operator', id))))
          throw new Error(`stop ${id} does not exist`)
      },
    })
  } finally {
    await db.destroy()
  }
}

/** Runs the statements of docs/backup.md for a restored database. */
export async function runDocumentedStatements(client: Client): Promise<void> {
  const page = await readFile(new URL('../../../docs/backup.md', import.meta.url), 'utf8')
  const [, statements] = /```sql\n(.*?)```/s.exec(page) ?? []
  if (statements === undefined) throw new Error('docs/backup.md has no SQL')
  await client.query(statements)
}
