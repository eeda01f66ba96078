/**
 * The settings every database session needs. A direct connection sets them for itself when it opens. A pooler in
 * transaction mode gives each transaction another session, so there they must be in effect already: by role, stored with
 * `npm run migrate`. A new connection through a pooler is used only if they are.
 */
import type { ClientBase } from 'pg'
import { Advice } from '../model/errors.ts'

export const statementTimeoutMs = 5_000

/**
 * - Statements and idle transactions end after a fixed time.
 * - Tables that fill and empty within seconds have no useful statistics, and a plan made while they were small is ruinous
 *   a minute later. So plans are made without looking at values or sizes: row by row, by index, always the same.
 * - Days are days of UTC, whatever the server's own time zone is.
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

/** The pooler at DATABASE_URL cannot be used as it is set up. */
export class PoolerProblem extends Advice {}

interface SessionState {
  isDirect: boolean
  /** Quoted for SQL. */
  role: string
  database: string
  /** Settings that are not in effect, such as `jit is on`. */
  wrong: string[] | null
}

/** Prepares a connection that was just opened, or throws a PoolerProblem. */
export async function prepareSession(client: ClientBase, usesPreparedStatements: boolean): Promise<void> {
  const state = await applySettings(client)
  if (state.wrong !== null) throw new PoolerProblem(settingsMissing(state, state.wrong))
  if (!state.isDirect && usesPreparedStatements) await refuseSharedNames(client)
}

/**
 * Sets the settings if the session is the client's own and compares them otherwise. A pooler makes up the process id that
 * it gives to its clients, so an id that is not the server's tells that there is one.
 */
async function applySettings(client: ClientBase): Promise<SessionState> {
  const { rows } = await client.query<Omit<SessionState, 'isDirect'> & { is_direct: boolean }>(
    `SELECT pg_backend_pid() = $1 AS is_direct, quote_ident(session_user) AS role,
            quote_ident(current_database()) AS database,
            array_agg(name || ' is ' || actual) FILTER (WHERE actual <> value) AS wrong
     FROM unnest($2::text[], $3::text[]) AS needed (name, value)
       CROSS JOIN LATERAL (SELECT CASE WHEN pg_backend_pid() = $1 THEN set_config(name, value, false)
                                       ELSE current_setting(name) END) AS session (actual)`,
    [processIdOf(client), Object.keys(sessionSettings), Object.values(sessionSettings)],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the session settings were not returned')
  return { ...row, isDirect: row.is_direct }
}

/** Whether the connection goes to PostgreSQL itself. */
export async function isDirectConnection(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === processIdOf(client)
}

/** As the client was told when it connected; the type definitions leave it out. */
function processIdOf(client: ClientBase): number {
  return (client as ClientBase & { processID: number }).processID
}

/** What an administrator runs so that sessions of a role have the settings. Both names are quoted for SQL. */
export function roleStatements(role: string, database: string): string[] {
  return Object.entries(sessionSettings).map(
    ([name, value]) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} = '${value}'`,
  )
}

function settingsMissing({ role, database }: SessionState, wrong: readonly string[]): string {
  return [
    `The pooler at DATABASE_URL hands out connections without the settings that Hookline needs: ${wrong.join(', ')}.`,
    'Run `npm run migrate` with MIGRATE_DATABASE_URL set to an address of PostgreSQL itself, or have an administrator run:',
    ...roleStatements(role, database).map((statement) => `  ${statement};`),
    'Then renew the connections of the pooler (PgBouncer: `RECONNECT` in its console).',
  ].join('\n')
}

/**
 * A pooler that manages prepared statements gives them names of its own on each server connection. One that passes names
 * through would mix up the statements of all clients.
 */
async function refuseSharedNames(client: ClientBase): Promise<void> {
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
