/** Where a contestant keeps what it writes, and how much that is. */
import { readdir, stat } from 'node:fs/promises'
import type { Client } from 'pg'

export interface Storage {
  /** A connection to its database. */
  database?: Client
  /** Of servers that keep files of their own. */
  folder?: string
}

export async function storedBytes({ database, folder }: Storage): Promise<number> {
  const inDatabase = database === undefined ? 0 : await databaseBytes(database)
  return inDatabase + (folder === undefined ? 0 : await folderBytes(folder))
}

/** Bytes that the whole server has written to its write-ahead log so far. */
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
  // One may go while we look.
  const sizes = files.map((file) =>
    stat(`${file.parentPath}/${file.name}`).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
