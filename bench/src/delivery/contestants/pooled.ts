/** The same installation without prepared statements, and behind PgBouncer in transaction mode, which has none. */
import { createPgBouncer } from '../../../../dev/pgbouncer.ts'
import { storeRoleSettings } from '../../../../server/src/db/role-settings.ts'
import type { Undo } from '../../undo.ts'
import type { Installation } from './hookline.ts'

/** As many as an api and two workers may ask for at once. */
const serverConnections = 30

export function unprepared(installation: Installation): Installation {
  return { ...installation, env: { ...installation.env, DATABASE_PREPARED_STATEMENTS: 'false' } }
}

export async function behindPgBouncer(installation: Installation, undo: Undo): Promise<Installation> {
  const directUrl = new URL(installation.env.DATABASE_URL ?? '')
  const pgbouncer = await createPgBouncer(directUrl, serverConnections)
  undo.push(() => pgbouncer.close())
  await pgbouncer.start()
  const databaseUrl = pgbouncer.through(directUrl)
  await storeRoleSettings({ directUrl, databaseUrl })
  const { env, ...rest } = unprepared(installation)
  return { ...rest, env: { ...env, DATABASE_URL: databaseUrl.href }, pooler: { pid: pgbouncer.pid() } }
}
