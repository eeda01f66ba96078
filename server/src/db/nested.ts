import { sql } from 'kysely'
import type { Database, Trx } from './database.ts'

/** Returns a transaction as a database, whose transactions are savepoints of it, one at a time. */
export function asDatabase(trx: Trx): Database {
  return new Proxy<Database>(trx, {
    get(target, name) {
      if (name === 'transaction') return () => savepoint(trx)
      if (name === 'connection')
        return () => ({ execute: (run: (db: Database) => unknown) => run(asDatabase(trx)) })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function savepoint(trx: Trx) {
  const builder = {
    setAccessMode: () => builder,
    async execute<T>(run: (trx: Trx) => Promise<T>): Promise<T> {
      await sql`SAVEPOINT nested`.execute(trx)
      try {
        const result = await run(trx)
        await sql`RELEASE SAVEPOINT nested`.execute(trx)
        return result
      } catch (error) {
        await sql`ROLLBACK TO SAVEPOINT nested`.execute(trx)
        throw error
      }
    },
  }
  return builder
}
