/**
 * The settings that every database session needs. A direct connection sets them when it opens. A pooler in
 * transaction mode assigns another session to each transaction, so the role must have the settings already: `npm run
 * migrate` stores them. A new connection through a pooler is used only if they are in effect.
 */
import type { ClientBase } from 'pg'
import { commandLine } from '../model/command-line.ts'
import { OperatorError } from '../model/errors.ts'

export const statementTimeoutMs = 5_000

/**
 * - Statements and idle transactions have a timeout.
 * - Tables that fill and empty within seconds have no useful statistics. A plan made while they were small is very
 *   slow a minute later. So plans do not depend on values or sizes: always nested loops over indexes.
 * - Days are UTC days, whatever the time zone of the server.
 */
export const sessionSettings = {
  statement_timeout: `${statementTimeoutMs / 1_000}s`,
  idle_in_transaction_session_timeout: '10s',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  TimeZone: 'UTC',
} as const

/** The pooler at DATABASE_URL is not configured as Hookline needs. */
export class PoolerProblem extends OperatorError {}

interface SessionState {
  isDirect: boolean
  /** Quoted for SQL. */
  role: string
  database: string
  /** Settings that are not in effect, such as `jit is on`. */
  wrong: string[] | null
}

/** Prepares a new connection, or throws a PoolerProblem. */
export async function prepareSession(client: ClientBase, usesPreparedStatements: boolean): Promise<void> {
  const state = await applySettings(client)
  if (state.wrong !== null) throw new PoolerProblem(settingsMissing(state, state.wrong))
  if (!state.isDirect && usesPreparedStatements) await rejectSharedNames(client)
}

/**
 * Applies the settings on a direct connection and compares them behind a pooler. A pooler invents the process id that
 * it gives to clients. So an id that differs from the server's reveals a pooler.
 */
async function applySettings(client: ClientBase): Promise<SessionState> {
  const { rows } = await client.query<Omit<SessionState, 'isDirect'> & { is_direct: boolean }>(
    `SELECT pg_backend_pid() = $1 AS is_direct, quote_ident(session_user) AS role,
            quote_ident(current_database()) AS database,
            array_agg(name || ' is ' || actual) FILTER (WHERE actual <> value) AS wrong
     FROM unnest($2::text[], $3::text[]) AS required (name, value)
       CROSS JOIN LATERAL (SELECT CASE WHEN pg_backend_pid() = $1 THEN set_config(name, value, false)
                                       ELSE current_setting(name) END) AS session (actual)`,
    [processIdOf(client), Object.keys(sessionSettings), Object.values(sessionSettings)],
  )
  const [row] = rows
  if (row === undefined) throw new Error('session settings were not returned')
  return { ...row, isDirect: row.is_direct }
}

/** Whether the connection goes to PostgreSQL without a pooler. */
export async function isDirectConnection(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === processIdOf(client)
}

/** The process id received on connect. The type definitions omit it. */
function processIdOf(client: ClientBase): number {
  return (client as ClientBase & { processID: number }).processID
}

/** Returns the statements that give a role the session settings. Both names are quoted for SQL. */
export function roleStatements(role: string, database: string): string[] {
  return Object.entries(sessionSettings).map(
    ([name, value]) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} = '${value}'`,
  )
}

function settingsMissing({ role, database }: SessionState, wrong: readonly string[]): string {
  return [
    `The pooler at DATABASE_URL hands out connections without the settings that Hookline needs: ${wrong.join(', ')}.`,
    `Run \`${commandLine('migrate')}\` with MIGRATE_DATABASE_URL set to the URL of PostgreSQL itself, or have an administrator run:`,
    ...roleStatements(role, database).map((statement) => `  ${statement};`),
    'Then reconnect the pooler (PgBouncer: `RECONNECT` in its console).',
  ].join('\n')
}

/**
 * Rejects a pooler that passes statement names through: the statements of all clients would collide. A pooler that
 * manages prepared statements renames them on each server connection.
 */
async function rejectSharedNames(client: ClientBase): Promise<void> {
  const name = 'hookline_check'
  await client.query('BEGIN')
  try {
    const { rows } = await client.query<{ is_shared: boolean }>({
      name,
      text: 'SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS is_shared',
      values: [name],
    })
    if (!rows[0]?.is_shared) return
    await client.query(`DEALLOCATE ${name}`)
  } finally {
    await client.query('COMMIT')
  }
  throw new PoolerProblem(
    'The pooler at DATABASE_URL does not manage prepared statements. Set DATABASE_PREPARED_STATEMENTS=false, or use PgBouncer 1.21 or newer with max_prepared_statements above 0.',
  )
}
