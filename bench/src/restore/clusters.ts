/** Turns on WAL archiving, and starts clusters that were restored from the archive. */
import { mkdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres, type Postgres } from '../../../dev/postgres.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { waitFor } from '../support/wait-for.ts'
import { withClient } from '../support/with-client.ts'
import type { Repository, RestoreOptions } from './pgbackrest.ts'

const recoveryTimeoutMs = 10 * 60_000

/** Operators use a minute. Here it only makes the proof shorter. */
const archiveTimeout = '2s'

/** Sets the archive of a running cluster. Archiving starts with the next start of the server. */
export async function enableArchiving(url: string, repository: Repository): Promise<void> {
  await withClient(url, async (client) => {
    await repository.use({ dataFolder: await dataFolderOf(client), url })
    await client.query('ALTER SYSTEM SET archive_mode = on')
    await client.query(`ALTER SYSTEM SET archive_command = '${repository.archiveCommand}'`)
    await client.query(`ALTER SYSTEM SET archive_timeout = '${archiveTimeout}'`)
  })
}

async function dataFolderOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ dataDirectory: string }>(
    `SELECT setting AS "dataDirectory" FROM pg_settings WHERE name = 'data_directory'`,
  )
  return rows[0]?.dataDirectory ?? ''
}

export interface RestoredCluster {
  postgres: Postgres
  dataFolder: string
  restoreMs: number
  /** From the start of PostgreSQL to the end of recovery. */
  recoveryMs: number
}

interface Options extends RestoreOptions {
  repository: Repository
  /** Gets a subfolder with this name. */
  parent: string
  name: string
  /** Connection URL: the port of the restored cluster, and the password of the lost one. */
  url: string
  cleanup: Cleanup
}

/** Restores a cluster into a new folder, starts it and waits for the end of recovery. */
export async function restoreCluster(options: Options): Promise<RestoredCluster> {
  const { repository, parent, name, url, cleanup } = options
  const folder = `${parent}/${name}`
  const dataFolder = `${folder}/postgres`
  await mkdir(folder, { mode: 0o755 })
  const startedAt = performance.now()
  await repository.restore(dataFolder, options)
  const restoredAt = performance.now()
  const { port, password } = new URL(url)
  const postgres = createPostgres(folder, { port: Number(port), password }, () => {})
  cleanup.push(() => postgres.remove())
  cleanup.push(() => postgres.stop())
  if (!options.isCopy) await repository.use({ dataFolder, url })
  await postgres.start()
  await waitFor('the end of recovery', () => isRecovered(postgres), recoveryTimeoutMs)
  return {
    postgres,
    dataFolder,
    restoreMs: restoredAt - startedAt,
    recoveryMs: performance.now() - restoredAt,
  }
}

/** Restores a second cluster for reading, on another port. */
export async function restoreCopy(
  options: Omit<Options, 'isCopy' | 'name'>,
  name: string,
): Promise<RestoredCluster> {
  const url = new URL(options.url)
  url.port = String(await freePort())
  return restoreCluster({ ...options, name, url: url.href, isCopy: true })
}

/** Throws if the server has ended instead. */
async function isRecovered(postgres: Postgres): Promise<boolean> {
  try {
    return await withClient(postgres.url(), async (client) => {
      const { rows } = await client.query<{ isRecovering: boolean }>(
        'SELECT pg_is_in_recovery() AS "isRecovering"',
      )
      return rows[0]?.isRecovering === false
    })
  } catch (error) {
    const log = await readFile(await postgres.logFile(), 'utf8')
    const fatal = log.split('\n').findLast((line) => line.includes('FATAL:  recovery'))
    if (fatal !== undefined) throw new Error(fatal, { cause: error })
    throw error
  }
}
