/** Stores the session settings with the service's role, for this database only. They then apply behind a pooler. */
import { Client, escapeIdentifier } from 'pg'
import { prepareSession, roleStatements } from './session.ts'

interface RoleSettingsOptions {
  /** Direct connection to PostgreSQL. */
  directUrl: URL
  /** The URL that the service uses. */
  databaseUrl: URL
}

/** Returns whether the role was changed. Throws an OperatorError if the settings are not in effect for the service. */
export async function storeRoleSettings({ directUrl, databaseUrl }: RoleSettingsOptions): Promise<boolean> {
  const isStored = await withClient(directUrl, (client) => alterRole(client, databaseUrl))
  // Checks the settings of a service connection. The error names the statements to run.
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
    if (isRejection(error)) return false
    throw error
  }
}

/** Insufficient privilege or unknown role: a pooler may log in with another role than its clients. */
function isRejection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '42704')
}

async function withClient<T>(url: URL, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url.href, application_name: 'hookline-migrate' })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
