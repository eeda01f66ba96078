/** Reads everything that the service stores: all tables and the PostgreSQL log. */
import { realpathSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from './database.ts'

const services = fileURLToPath(new URL('../../../.services/', import.meta.url))

/** Returns every row of every table as text, prefixed with the table name. */
export async function dumpDatabase(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`SELECT whole::text AS text FROM ${name} AS whole`)
    lines.push(...rows.map(({ text }) => `${name.replace('public.', '')}: ${text}`))
  }
  return lines.join('\n')
}

/** Returns a reader of the PostgreSQL log from now on, which includes lines of concurrent tests. */
export async function followPostgresLog(): Promise<() => Promise<string>> {
  const path = `${realpathSync(`${services}postgres`)}.log`
  const start = (await stat(path)).size
  return async () => {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
      return buffer.toString()
    } finally {
      await file.close()
    }
  }
}
