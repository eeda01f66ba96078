/** A name of this database's own, the same for every process that uses it: for what lies outside but belongs to it. */
import { sql } from 'kysely'
import type { Database } from './database.ts'

export async function installationName(db: Database): Promise<string> {
  const answer = await sql<{ name: string }>`
    SELECT left(md5(system_identifier || ' ' || current_database()), 16) AS name FROM pg_control_system()
  `.execute(db)
  const [row] = answer.rows
  if (row === undefined) throw new Error('the database has no name')
  return row.name
}
