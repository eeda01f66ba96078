/** A synchronous standby of PostgreSQL, which takes over after the primary was killed. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import {
  createDatabaseFolder,
  createPostgres,
  databaseUserCommand,
  type Postgres,
  postgresFolder,
} from '../../../dev/postgres.ts'
import { freePort } from '../../../dev/ports.ts'
import { withClient } from '../support/with-client.ts'
import { waitFor } from '../support/wait-for.ts'

export interface Standby {
  /** Starts the standby at the address of the primary, which must be dead, and promotes it. */
  takeOver: () => Promise<void>
}

/** Copies the primary into a folder, starts the copy, and lets commits wait for it. */
export async function startStandby(
  folder: string,
  primary: Postgres,
  addCleanup: (step: () => unknown) => void,
): Promise<Standby> {
  const { password } = new URL(primary.url())
  await mkdir(folder, { mode: 0o755 })
  await createDatabaseFolder(`${folder}/postgres`)
  const copy = ['-d', primary.url(), '-D', `${folder}/postgres`, '-R', '-X', 'stream', '--checkpoint=fast']
  await promisify(execFile)(...databaseUserCommand(`${await postgresFolder()}/pg_basebackup`, copy), {
    cwd: '/',
  })
  let standby = createPostgres(folder, { port: await freePort(), password }, () => {})
  addCleanup(() => standby.remove())
  addCleanup(() => standby.stop())
  await standby.start()
  await withClient(primary.url(), async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await client.query('SELECT pg_reload_conf()')
    await waitFor('a synchronous standby', async () => {
      const { rowCount } = await client.query(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)
      return rowCount === 1
    })
  })
  return {
    async takeOver() {
      await standby.stop()
      standby = createPostgres(folder, { port: primary.port(), password }, () => {})
      await standby.start()
      if (standby.port() !== primary.port()) throw new Error('another process took the port of the primary')
      await withClient(standby.url(), (client) => client.query('SELECT pg_promote()'))
    },
  }
}
