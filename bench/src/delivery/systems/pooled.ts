/** Variants without prepared statements: direct, and behind PgBouncer in transaction mode. */
import { createPgBouncer } from '../../../../dev/pgbouncer.ts'
import { storeRoleSettings } from '../../../../server/src/db/role-settings.ts'
import type { Cleanup } from '../../support/cleanup.ts'
import type { Installation } from './hookline.ts'

/** The number of connections that an api process and two workers may use together. */
const serverConnections = 30

export function unprepared(installation: Installation): Installation {
  return { ...installation, env: { ...installation.env, DATABASE_PREPARED_STATEMENTS: 'false' } }
}

export async function behindPgBouncer(installation: Installation, cleanup: Cleanup): Promise<Installation> {
  const directUrl = new URL(installation.env.DATABASE_URL ?? '')
  const pgbouncer = await createPgBouncer(directUrl, serverConnections)
  cleanup.push(() => pgbouncer.close())
  await pgbouncer.start()
  const databaseUrl = pgbouncer.through(directUrl)
  await storeRoleSettings({ directUrl, databaseUrl })
  const { env, ...rest } = unprepared(installation)
  return { ...rest, env: { ...env, DATABASE_URL: databaseUrl.href }, pooler: { pid: pgbouncer.pid() } }
}
