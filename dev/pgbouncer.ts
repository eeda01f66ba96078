/** Runs a PgBouncer in transaction mode for all databases of a PostgreSQL server, on a free port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, isPortInUse } from './ports.ts'

const run = promisify(execFile)

export interface PgBouncer {
  pid: () => number
  /** Returns the URL of the same database through PgBouncer. */
  through: (url: URL) => URL
  /** Resolves when PgBouncer listens. */
  start: () => Promise<void>
  /** Resolves when the process has exited. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Runs a command in the admin console. */
  console: (command: string) => Promise<Array<Record<string, unknown>>>
  close: () => Promise<void>
}

interface PgBouncerOptions {
  /** Additional lines of the section `[pgbouncer]`. */
  settings?: string[]
  program?: string
}

/**
 * Creates PgBouncer without starting it. The user in `server` must be a superuser and becomes the admin of the console.
 */
export async function createPgBouncer(
  server: URL,
  poolSize: number,
  { settings = [], program = 'pgbouncer' }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const port = await freePort()
  const folder = await mkdtemp(`${tmpdir()}/hookline-pgbouncer-`)
  const databaseUser = await findDatabaseUser()
  await writeFile(`${folder}/users.txt`, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  await writeFile(
    `${folder}/pgbouncer.ini`,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${folder}/users.txt`,
      `admin_users = ${server.username}`,
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 500',
      `logfile = ${folder}/pgbouncer.log`,
      ...settings,
      '',
    ].join('\n'),
  )
  // PgBouncer does not run as root.
  for (const path of [folder, `${folder}/users.txt`, `${folder}/pgbouncer.ini`]) {
    await chmod(path, path === folder ? 0o700 : 0o600)
    if (databaseUser !== undefined) await chown(path, databaseUser.uid, databaseUser.gid)
  }
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  process.once('exit', () => child?.kill('SIGKILL'))

  const through = (url: URL): URL => {
    const pooled = new URL(url)
    pooled.port = String(port)
    return pooled
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    child?.kill(signal)
    await ended
    child = undefined
  }

  return {
    pid: () => child?.pid ?? 0,
    through,
    async start() {
      if (child !== undefined) return
      const started = spawn(program, ['-q', `${folder}/pgbouncer.ini`], { stdio: 'ignore', ...databaseUser })
      child = started
      ended = new Promise((resolve) => started.once('close', resolve))
      started.once('error', () => {})
      while (!(await isPortInUse(port))) {
        if (started.pid === undefined || started.exitCode !== null)
          throw new Error('PgBouncer did not start. To install it on Debian: apt-get install pgbouncer')
        await sleep(20)
      }
    },
    end,
    async console(command) {
      const url = through(server)
      url.pathname = '/pgbouncer'
      const client = new Client({ connectionString: url.href })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(command)).rows
      } finally {
        await client.end()
      }
    },
    async close() {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the user to run PgBouncer as, or undefined if the current user is not root. */
async function findDatabaseUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}
