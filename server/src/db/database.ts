/** The connection pool. Every statement has a deadline, so a stuck database becomes an error and not a pile of waits. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Client, Pool } from 'pg'
import { PoolerProblem, prepareSession, statementTimeoutMs } from './session.ts'
import type { DB } from './types.ts'

export type Database = Kysely<DB>
export type Trx = Transaction<DB>

const connectTimeoutMs = 3_000
/** Connections are renewed now and then, so that a pooler that has lost the settings is noticed. */
const maxLifetimeSeconds = 15 * 60

/**
 * A connection whose answer does not come is cut, not kept: behind a broken network the pool would hand it out again
 * and again. (The server's own deadline comes first, so only a dead connection gets this far.)
 */
class CutOffClient extends Client {
  // The overloads of `query` are not ours to narrow.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...given: any[]): any {
    // oxlint-disable-next-line typescript/no-explicit-any
    const answer: unknown = (super.query as (...args: any[]) => unknown)(...given)
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        // Ending it marks it at once, so that the pool does not hand it out again while it closes.
        if (error.message === 'Query read timeout') this.end().catch(() => {})
      })
    return answer
  }
}

/** Runs marked statements as prepared ones. */
class PreparingClient extends CutOffClient {
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...given: any[]): any {
    return super.query(...keepPlan(given))
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

interface DatabaseOptions {
  /** False: behind a pooler that does not manage prepared statements. */
  preparedStatements?: boolean
}

export function openDatabase(
  url: URL,
  poolSize: number,
  onLostConnection: (error: Error) => void,
  { preparedStatements = true }: DatabaseOptions = {},
): Database {
  const pool = new Pool({
    Client: preparedStatements ? PreparingClient : CutOffClient,
    connectionString: url.href,
    max: poolSize,
    application_name: 'hookline',
    connectionTimeoutMillis: connectTimeoutMs,
    maxLifetimeSeconds,
    // Awaited by the pool, whatever its type definitions say.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => prepareSession(client, preparedStatements),
    // One second more than the server's own deadline: only a dead connection gets that far.
    query_timeout: statementTimeoutMs + 1_000,
  })
  // Without a listener, the loss of a connection, idle or in use, would end the process.
  pool.on('error', onLostConnection)
  pool.on('connect', (client) => client.on('error', onLostConnection))
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** The server's clock, in milliseconds. */
export async function readTime(db: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(db)
  const [time] = rows
  if (time === undefined) throw new Error('the database has no time')
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
// Admin shutdown, crash, starting up, too many connections, out of disk or memory, read-only, statement cancelled, a lock
// that was not to be had, a deadlock that we lost: asked again, the same may work.
const unavailableStates = /^(08...|57P0[1-5]|57014|53...|25006|55P03|40P01|40001)$/

/** Whether an error says that PostgreSQL cannot work now, rather than that we asked something wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof PoolerProblem) return true
  const code = 'code' in error ? String(error.code) : ''
  if (connectionErrors.has(code) || unavailableStates.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout/i.test(
    error.message,
  )
}

/** Whether an error says that what was asked is refused, so that it is refused the next time too. */
export function isRefused(error: unknown): boolean {
  return !isDatabaseUnavailable(error)
}

/** Whether PostgreSQL refuses a value: one that its type cannot hold, or too many or too large ones. */
export function isDataRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|54)/.test(String(error.code))
}
