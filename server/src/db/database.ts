/** The connection pool. Every statement has a deadline, so a stuck database becomes an error and not a pile of waits. */
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Client, Pool } from 'pg'
import type { DB } from './types.ts'

export type Database = Kysely<DB>
export type Trx = Transaction<DB>

const statementTimeoutMs = 5_000
const connectTimeoutMs = 3_000

/**
 * A connection whose answer does not come is cut, not kept: behind a broken network the pool would hand it out again
 * and again. (The server's own deadline comes first, so only a dead connection gets this far.)
 */
class CutOffClient extends Client {
  // The overloads of `query` are not ours to narrow.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...given: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const answer: unknown = (super.query as (...args: any[]) => unknown)(...keepPlan(given))
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        // Ending it marks it at once, so that the pool does not hand it out again while it closes.
        if (error.message === 'Query read timeout') this.end().catch(() => {})
      })
    return answer
  }
}

const keptMark = '/* kept */'
const keptNames = new Map<string, string>()

/** A statement that begins with the mark is planned once for each connection, not each time it is run. */
function keepPlan(given: unknown[]): unknown[] {
  const [text, values] = given
  if (typeof text !== 'string' || !text.startsWith(keptMark)) return given
  const name = keptNames.get(text) ?? `kept_${keptNames.size}`
  keptNames.set(text, name)
  return [{ name, text, values }, ...given.slice(2)]
}

/**
 * Tables that fill and empty within seconds have no statistics worth the name, and a plan made while they were small is
 * ruinous a minute later. So plans are made without looking at values or sizes: row by row, by index, always the same.
 */
const planSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}
/** Days are days of UTC, whatever the server's own time zone is. */
const sessionSettings = { ...planSettings, timezone: 'UTC' }
const sessionOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

export function openDatabase(url: URL, poolSize: number, onLostConnection: (error: Error) => void): Database {
  const pool = new Pool({
    Client: CutOffClient,
    connectionString: url.href,
    max: poolSize,
    application_name: 'hookline',
    options: sessionOptions,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // One second more than the server's own deadline: only a dead connection gets that far.
    query_timeout: statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // Without a listener, the loss of a connection, idle or in use, would end the process.
  pool.on('error', onLostConnection)
  pool.on('connect', (client) => client.on('error', onLostConnection))
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
// Admin shutdown, crash, starting up, too many connections, out of disk or memory, read-only, statement cancelled, a lock
// that was not to be had, a deadlock that we lost: asked again, the same may work.
const unavailableStates = /^(08...|57P0[1-5]|57014|53...|25006|55P03|40P01|40001)$/

/** Whether an error says that PostgreSQL cannot work now, rather than that we asked something wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (connectionErrors.has(code) || unavailableStates.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout/i.test(
    error.message,
  )
}
