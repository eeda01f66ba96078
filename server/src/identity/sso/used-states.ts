/** Marks responses of providers as used, over all processes. A state is known only to the browser that started the flow. */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'

/** Longer than a flow is valid, so that a state is never forgotten before it expires. */
const keptMinutes = 20

/** Returns false if the state was used before. */
export async function useState(db: Database, vault: Vault, state: string): Promise<boolean> {
  const used = await db
    .insertInto('ssoUsedStates')
    .values({
      digest: vault.digest(state, 'sso-state'),
      expiresAt: sql<Date>`now() + make_interval(mins => ${sql.lit(keptMinutes)})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (used.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function pruneStates(db: Database): Promise<void> {
  await db
    .deleteFrom('ssoUsedStates')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
}
