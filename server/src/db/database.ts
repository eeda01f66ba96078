/** The connection pool. Every statement has a deadline, so a stuck database becomes an error and not a pile of waits. */
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool } from 'pg'
import type { DB } from './types.ts'

export type Database = Kysely<DB>
export type Trx = Transaction<DB>

const statementTimeoutMs = 5_000
const connectTimeoutMs = 3_000

export function openDatabase(url: URL, poolSize: number, onIdleError: (error: Error) => void): Database {
  const pool = new Pool({
    connectionString: url.href,
    max: poolSize,
    application_name: 'hookline',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // One second more than the server's own deadline: only a dead connection gets that far.
    query_timeout: statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', onIdleError)
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
])
// Admin shutdown, crash, starting up, too many connections, out of disk or memory, read-only, statement cancelled.
const unavailableStates = /^(08...|57P0[1-5]|57014|53...|25006|55P03)$/

/** Whether an error says that PostgreSQL cannot work now, rather than that we asked something wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (connectionErrors.has(code) || unavailableStates.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout/i.test(
    error.message,
  )
}
