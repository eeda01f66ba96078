/** Stores the session settings with the role of the service, for this database alone, so that they hold behind a pooler. */
import { Client, escapeIdentifier } from 'pg'
import { prepareSession, roleStatements } from './session.ts'

interface RoleSettingsOptions {
  /** PostgreSQL itself. */
  directUrl: URL
  /** What the service uses. */
  databaseUrl: URL
}

/** Returns whether the role was changed. Throws advice if the settings are not in effect for the service afterwards. */
export async function storeRoleSettings({ directUrl, databaseUrl }: RoleSettingsOptions): Promise<boolean> {
  const isStored = await withClient(directUrl, (client) => alterRole(client, databaseUrl))
  // Whatever was stored, what counts is what a connection of the service gets; the refusal says what to run instead.
  await withClient(databaseUrl, (client) => prepareSession(client, false))
  return isStored
}

async function alterRole(client: Client, databaseUrl: URL): Promise<boolean> {
  const role = escapeIdentifier(decodeURIComponent(databaseUrl.username))
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name')
  const database = rows[0]?.name ?? ''
  try {
    // Several statements in one string are one transaction.
    await client.query(roleStatements(role, database).join(';'))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** No right to change the role, no such role: a pooler may log in with another one than its clients. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '42704')
}

async function withClient<T>(url: URL, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url.href, application_name: 'hookline-migrate' })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
