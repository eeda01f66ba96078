/** A PgBouncer in transaction mode in front of a PostgreSQL server, with every database of it, on a port of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, isTaken } from './ports.ts'

const run = promisify(execFile)

export interface PgBouncer {
  pid: () => number
  /** The same database, reached through PgBouncer. */
  through: (url: URL) => URL
  /** Resolves when it listens. */
  start: () => Promise<void>
  /** Resolves when the process is gone. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Runs a command of the admin console. */
  console: (command: string) => Promise<Array<Record<string, unknown>>>
  close: () => Promise<void>
}

interface PgBouncerOptions {
  /** Further lines of the section `[pgbouncer]`. */
  settings?: string[]
  program?: string
}

/** Not started yet. `server` names the superuser with its password, who is also the admin of the console. */
export async function createPgBouncer(
  server: URL,
  poolSize: number,
  { settings = [], program = 'pgbouncer' }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const port = await freePort()
  const folder = await mkdtemp(`${tmpdir()}/hookline-pgbouncer-`)
  const owner = await serverUser()
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
  // PgBouncer refuses to run as root.
  for (const path of [folder, `${folder}/users.txt`, `${folder}/pgbouncer.ini`]) {
    await chmod(path, path === folder ? 0o700 : 0o600)
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
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
      const started = spawn(program, ['-q', `${folder}/pgbouncer.ini`], { stdio: 'ignore', ...owner })
      child = started
      ended = new Promise((resolve) => started.once('close', resolve))
      started.once('error', () => {})
      while (!(await isTaken(port))) {
        if (started.pid === undefined || started.exitCode !== null)
          throw new Error('PgBouncer does not start. On Debian: apt-get install pgbouncer')
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

/** The user to run as where we are root, else undefined. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}
