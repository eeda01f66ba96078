/** The connection pool. Every statement has a deadline, so a stuck database causes errors and not a growing queue. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Client, Pool } from 'pg'
import type { PoolUse } from '../model/pool-use.ts'
import { UnstorableValue } from './binary-arrays.ts'
import { PoolerProblem, prepareSession, statementTimeoutMs } from './session.ts'
import type { DB } from './types.ts'

export type Database = Kysely<DB>
export type Trx = Transaction<DB>

const connectTimeoutMs = 3_000
/** Connections are replaced regularly, to detect a pooler that has lost the session settings. */
const maxLifetimeSeconds = 15 * 60

/**
 * Closes a connection after a read timeout. Behind a broken network the pool would otherwise reuse it. The server's
 * statement timeout is shorter, so only a dead connection gets this far.
 */
class CutOffClient extends Client {
  // The overloads of `query` cannot be narrowed here.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...input: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const result: unknown = (super.query as (...args: any[]) => unknown)(...input)
    if (result instanceof Promise)
      result.catch((error: Error) => {
        // `end` marks the connection immediately, so the pool does not reuse it while it closes.
        if (error.message === 'Query read timeout') this.end().catch(() => {})
      })
    return result
  }
}

/** Runs statements that begin with the mark as prepared statements. */
class PreparingClient extends CutOffClient {
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...input: any[]): any {
    return super.query(...withStatementName(input))
  }
}

const preparedMark = '/* prepared */'
const preparedNames = new Map<string, string>()

/** Names a marked statement, so each connection plans it once and not on every execution. */
function withStatementName(input: unknown[]): unknown[] {
  const [text, values] = input
  if (typeof text !== 'string' || !text.startsWith(preparedMark)) return input
  const name = preparedNames.get(text) ?? `prepared_${preparedNames.size}`
  preparedNames.set(text, name)
  return [{ name, text, values }, ...input.slice(2)]
}

interface DatabaseOptions {
  /** False: the pooler does not manage prepared statements. */
  preparedStatements?: boolean
  /** Gets a function that reads how busy the pool is. */
  onOpen?: (readUse: () => PoolUse) => void
}

export function openDatabase(
  url: URL,
  poolSize: number,
  onLostConnection: (error: Error) => void,
  { preparedStatements = true, onOpen }: DatabaseOptions = {},
): Database {
  const pool = new Pool({
    Client: preparedStatements ? PreparingClient : CutOffClient,
    connectionString: url.href,
    max: poolSize,
    application_name: 'hookline',
    connectionTimeoutMillis: connectTimeoutMs,
    maxLifetimeSeconds,
    // The pool awaits this, although its type definitions say otherwise.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => prepareSession(client, preparedStatements),
    // One second longer than the server's statement timeout: only a dead connection gets this far.
    query_timeout: statementTimeoutMs + 1_000,
  })
  // Without a listener, losing a connection, idle or in use, ends the process.
  pool.on('error', onLostConnection)
  pool.on('connect', (client) => client.on('error', onLostConnection))
  onOpen?.(() => ({
    size: poolSize,
    active: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Returns the time of the database server, in milliseconds. */
export async function readTime(db: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(db)
  const [time] = rows
  if (time === undefined) throw new Error('database time was not returned')
  return time.ms
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
])
// Admin shutdown, crash, startup, too many connections, out of disk or memory, read-only, statement canceled, lock
// timeout, deadlock, serialization failure: a retry may succeed.
const unavailableStates = /^(08...|57P0[1-5]|57014|53...|25006|55P03|40P01|40001)$/

/** Whether the error means that PostgreSQL is unavailable, and not that the statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof PoolerProblem) return true
  const code = 'code' in error ? String(error.code) : ''
  if (connectionErrors.has(code) || unavailableStates.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout/i.test(
    error.message,
  )
}

/** Whether the database rejected the statement, so that a retry fails too. */
export function isRejected(error: unknown): boolean {
  return !isDatabaseUnavailable(error)
}

/** Whether a value was rejected: out of range for its type, too many or too large. */
export function isDataRejected(error: unknown): boolean {
  if (error instanceof UnstorableValue) return true
  return error instanceof Error && 'code' in error && /^(22|54)/.test(String(error.code))
}
