/** How the stores reach a database: by one function, so that every client fits. */

/** Runs a statement and returns the number of rows that it inserted, changed or deleted. */
export type RunSql = (statement: string, parameters: readonly string[]) => Promise<number>

/** Runs a command of Redis, as the clients `redis` and `ioredis` do. */
export type RunRedis = (command: readonly string[]) => Promise<unknown>

/** The name is part of each statement. */
export function checkTable(table: string): void {
  if (!/^[a-z_][\w.]*$/i.test(table)) throw new Error(`not the name of a table: ${table}`)
}
