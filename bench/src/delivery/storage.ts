/** Measures the size of the data that a system stores. */
import { readdir, stat } from 'node:fs/promises'
import type { Client } from 'pg'

export interface Storage {
  /** Connection to the database of the system. */
  database?: Client
  /** Data folder of a server other than PostgreSQL. */
  folder?: string
}

export async function storedBytes({ database, folder }: Storage): Promise<number> {
  const inDatabase = database === undefined ? 0 : await databaseBytes(database)
  return inDatabase + (folder === undefined ? 0 : await folderBytes(folder))
}

/** Returns the bytes that the PostgreSQL server has written to its write-ahead log so far. */
export async function walBytes(client: Client): Promise<number> {
  return oneNumber(client, "SELECT pg_current_wal_lsn() - '0/0' AS value")
}

async function databaseBytes(client: Client): Promise<number> {
  return oneNumber(client, 'SELECT pg_database_size(current_database()) AS value')
}

async function oneNumber(client: Client, sql: string): Promise<number> {
  const { rows } = await client.query<{ value: string }>(sql)
  return Number(rows[0]?.value)
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // A file may be deleted meanwhile.
  const sizes = files.map((file) =>
    stat(`${file.parentPath}/${file.name}`).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
