/** Runs pgBackRest with a repository in a folder, as docs/backup.md describes it for operators. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { baseEnv } from '../../../dev/base-env.ts'
import { createDatabaseFolder, databaseUserCommand } from '../../../dev/postgres.ts'

const run = promisify(execFile)
const stanza = 'hookline'
const maxOutputBytes = 64 * 1_024 * 1_024

export interface Repository {
  folder: string
  /** PostgreSQL runs this command for every completed WAL segment. */
  archiveCommand: string
  /** Sets the cluster to back up. */
  use: (cluster: Cluster) => Promise<void>
  /** Creates the stanza, and checks that a WAL segment reaches the archive. */
  create: () => Promise<void>
  backup: (type: 'full' | 'incr') => Promise<void>
  /** Restores into an empty folder. */
  restore: (dataFolder: string, options: RestoreOptions) => Promise<void>
  /** Returns the problems that `pgbackrest verify` finds. */
  verify: () => Promise<string[]>
  /** Returns the newest backup, in bytes. */
  newestBackup: () => Promise<BackupSize>
}

interface Cluster {
  dataFolder: string
  /** Connection URL of a superuser. */
  url: string
}

export interface RestoreOptions {
  /** Time to recover to. Without it, recovery replays the WAL of the backup's timeline to its end. */
  target?: Date | undefined
  /** A copy is for reading. It does not write to the archive. */
  isCopy: boolean
}

export interface BackupSize {
  label: string
  database: number
  /** What the backup added to the repository. */
  repository: number
}

export async function createRepository(parent: string): Promise<Repository> {
  const folder = `${parent}/pgbackrest`
  const configFile = `${parent}/pgbackrest.conf`
  const base = [`--config=${configFile}`, `--stanza=${stanza}`]
  for (const path of [folder, `${folder}/repo`, `${folder}/log`, `${folder}/lock`])
    await createDatabaseFolder(path)
  let env: NodeJS.ProcessEnv = baseEnv

  async function pgbackrest(command: string, ...options: readonly string[]): Promise<string> {
    const [program, args] = databaseUserCommand('pgbackrest', [...base, ...options, command])
    const { stdout } = await run(program, args, { cwd: '/', env, maxBuffer: maxOutputBytes })
    return stdout
  }

  return {
    folder: `${folder}/repo`,
    archiveCommand: `pgbackrest ${base.join(' ')} archive-push %p`,
    async use({ dataFolder, url }) {
      const { hostname, port, username, password, pathname } = new URL(url)
      // pgBackRest has no option for a host without SSH, and the cluster has no socket. libpq reads the environment.
      env = { ...baseEnv, PGHOST: hostname, PGPASSWORD: password }
      const settings = {
        global: {
          'repo1-path': `${folder}/repo`,
          'repo1-retention-full': 2,
          'compress-type': 'zst',
          'process-max': 2,
          'start-fast': 'y',
          'log-path': `${folder}/log`,
          'lock-path': `${folder}/lock`,
          'log-level-console': 'warn',
        },
        [stanza]: {
          'pg1-path': dataFolder,
          'pg1-port': port,
          'pg1-user': username,
          'pg1-database': pathname.slice(1),
        },
      }
      await writeFile(configFile, formatConfig(settings), { mode: 0o644 })
    },
    async create() {
      await pgbackrest('stanza-create')
      await pgbackrest('check')
    },
    async backup(type) {
      await pgbackrest('backup', `--type=${type}`)
    },
    async restore(dataFolder, { target, isCopy }) {
      await createDatabaseFolder(dataFolder)
      await pgbackrest(
        'restore',
        `--pg1-path=${dataFolder}`,
        ...(target === undefined
          ? []
          : ['--type=time', `--target=${formatTime(target)}`, '--target-action=promote']),
        // The default is the latest timeline. After a restore, that one lacks what came after the target.
        ...(isCopy ? ['--target-timeline=current', '--archive-mode=off'] : []),
      )
    },
    verify: async () =>
      findProblems(await pgbackrest('verify', '--output=text', '--verbose', '--log-level-console=detail')),
    async newestBackup() {
      const [info] = JSON.parse(await pgbackrest('info', '--output=json')) as BackupInfo[]
      const newest = info?.backup.at(-1)
      if (newest === undefined) throw new Error('the repository has no backup')
      return {
        label: newest.label,
        database: newest.info.size,
        repository: newest.info.repository.delta,
      }
    },
  }
}

/**
 * `verify` exits with 0 in any case. It reports damaged files, but not missing WAL segments: these only split the range
 * of segments of a timeline.
 */
function findProblems(output: string): string[] {
  const timelines = [...output.matchAll(/wal start: ([0-9A-F]{8})/g)].map(([, timeline]) => timeline)
  const split = timelines.filter((timeline, index) => timelines.indexOf(timeline) < index)
  return [
    ...(/^status: ok$/m.test(output) ? [] : [output]),
    ...split.map((timeline) => `WAL segments of timeline ${timeline} are missing`),
  ]
}

interface BackupInfo {
  backup: Array<{ label: string; info: { size: number; repository: { delta: number } } }>
}

function formatConfig(settings: Record<string, Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([section, options]) => {
      const lines = Object.entries(options).map(([name, value]) => `${name}=${value}\n`)
      return `[${section}]\n${lines.join('')}`
    })
    .join('\n')
}

/** Formats a time with milliseconds and its zone, as PostgreSQL expects it. */
function formatTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '+00')
}
