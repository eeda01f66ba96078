/** A PostgreSQL database, a database of SQLite in memory, and a started Redis. */
import { type ChildProcess, spawn } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createTestDatabase } from '../../../server/test/support/database.ts'
import type { RunRedis, RunSql } from '../../src/index.ts'

export interface Databases {
  postgres: RunSql
  pool: Pool
  sqlite: RunSql
  sqliteFile: DatabaseSync
  redis: RunRedis
  close: () => Promise<void>
}

/** `tables`: statements that both dialects of SQL know. */
export async function startDatabases(tables: string): Promise<Databases> {
  const database = await createTestDatabase()
  const pool = new Pool({ connectionString: database.url.href })
  await pool.query(tables)
  const sqliteFile = new DatabaseSync(':memory:')
  sqliteFile.exec(tables)
  const { server, client } = await startRedis()
  return {
    postgres: async (statement, parameters) => (await pool.query(statement, [...parameters])).rowCount ?? 0,
    pool,
    async sqlite(statement, parameters) {
      const named = Object.fromEntries(parameters.map((value, index) => [index + 1, value]))
      return Number(sqliteFile.prepare(statement).run(named).changes)
    },
    sqliteFile,
    redis: ([command = '', ...args]) => client.call(command, ...args),
    async close() {
      client.disconnect()
      server.kill()
      sqliteFile.close()
      await pool.end()
      await database.drop()
    },
  }
}

async function startRedis(): Promise<{ server: ChildProcess; client: Redis }> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  // Reconnects until the server listens.
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null })
  await client.ping()
  return { server, client }
}
