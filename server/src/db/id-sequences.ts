/** Raises the sequences of ids past imported ids, so that no new row gets one of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, isDatabaseUnavailable, type Trx } from './database.ts'

const maxAttempts = 10
const pauseMs = 1_000

/** Never lowers a sequence. The lock waits for inserts, so that none takes an id between the comparison and the change. */
export async function raiseSequences(
  db: Database,
  maxIds: { accounts: number; hooks: number },
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await db.transaction().execute(async (trx) => {
        // A waiting lock blocks all changes of webhooks, so it waits briefly and is retried.
        await sql`SET LOCAL lock_timeout = '1s'`.execute(trx)
        await sql`LOCK TABLE accounts, hooks IN SHARE MODE`.execute(trx)
        for (const [table, maxId] of Object.entries(maxIds))
          await raiseSequence(trx, `${table}_id_seq`, maxId)
      })
      return
    } catch (error) {
      if (attempt === maxAttempts || !isDatabaseUnavailable(error)) throw error
      await sleep(pauseMs)
    }
}

/** The last value of an unused sequence was not given out yet. */
async function raiseSequence(trx: Trx, name: string, maxId: number): Promise<void> {
  await sql`
    SELECT setval(${name}, ${maxId}::integer) FROM ${sql.table(name)}
    WHERE last_value < ${maxId} OR (last_value = ${maxId} AND NOT is_called)
  `.execute(trx)
}
