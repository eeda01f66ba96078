/**
 * Returns a stable name for this database, the same for every process, for resources outside it (streams, subjects).
 */
import { sql } from 'kysely'
import type { Database } from './database.ts'

export async function installationName(db: Database): Promise<string> {
  const result = await sql<{ name: string }>`
    SELECT left(md5(system_identifier || ' ' || current_database()), 16) AS name FROM pg_control_system()
  `.execute(db)
  const [row] = result.rows
  if (row === undefined) throw new Error('database name was not returned')
  return row.name
}
