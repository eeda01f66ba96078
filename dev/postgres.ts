/**
 * Runs a dedicated PostgreSQL server with its data in a folder, and an empty database `hookline`. The first start
 * creates the data. Starting a running server does nothing.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freePort, isPortInUse } from './ports.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

export interface Postgres {
  /** Returns the port. It differs from the requested port if that was in use. */
  port: () => number
  url: () => string
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Returns the process id of the postmaster, or undefined if the server does not run. */
  pid: () => Promise<number | undefined>
  /** Returns the path of the log file. */
  logFile: () => Promise<string>
  /** Deletes the data. Stop the server first. */
  remove: () => Promise<void>
}

export function createPostgres(
  /** The data is in the subfolder `postgres`. */
  folder: string,
  requested: { port: number; password: string },
  log: (line: string) => void,
): Postgres {
  const { password } = requested
  let { port } = requested

  return {
    port: () => port,
    url: () => `postgres://hookline:${password}@127.0.0.1:${port}/hookline`,
    async start() {
      const bin = await postgresFolder()
      const data = await dataFolder(folder)
      if (!existsSync(`${data}/PG_VERSION`)) await initialize(bin, data, password, log)
      if (await isRunning(bin, data)) return log(`PostgreSQL is running on port ${port}.`)
      if (await isPortInUse(port)) port = await freePort()
      await startServer(bin, data, port)
      await createDatabase(bin, port, password)
      log(`PostgreSQL started on port ${port}.`)
    },
    async stop() {
      if (!existsSync(`${folder}/postgres/postmaster.pid`)) return
      const bin = await postgresFolder()
      await asDatabaseUser(`${bin}/pg_ctl`, ['stop', '-D', await dataFolder(folder), '-m', 'fast', '-w'])
      log('PostgreSQL stopped.')
    },
    async pid() {
      const file = `${folder}/postgres/postmaster.pid`
      return existsSync(file) ? Number.parseInt(await readFile(file, 'utf8')) : undefined
    },
    logFile: async () => `${await dataFolder(folder)}.log`,
    async remove() {
      const data = await dataFolder(folder)
      for (const path of [data, `${data}.log`, `${folder}/postgres`])
        await rm(path, { recursive: true, force: true })
    },
  }
}

async function startServer(bin: string, data: string, port: number): Promise<void> {
  const options = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    '-c unix_socket_directories=',
    '-c max_connections=200',
  ]
  // pg_ctl expects the server options as one argument.
  const args = ['start', '-D', data, '-w', '-t', '60', '-l', `${data}.log`, '-o', options.join(' ')]
  await asDatabaseUser(`${bin}/pg_ctl`, args)
}

async function initialize(
  bin: string,
  data: string,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  log('Initializing the database (first start only) …')
  const passwordFile = `${data}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (isRoot) await chown(passwordFile, await databaseUserId(), -1)
  const args = ['-D', data, '-U', 'hookline', '--pwfile', passwordFile]
  await asDatabaseUser(`${bin}/initdb`, [...args, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'])
  await rm(passwordFile)
}

async function createDatabase(bin: string, port: number, password: string): Promise<void> {
  const env = { ...process.env, PGPASSWORD: password }
  const server = ['-h', '127.0.0.1', '-p', String(port), '-U', 'hookline']
  const query = "SELECT 1 FROM pg_database WHERE datname = 'hookline'"
  const { stdout } = await run(`${bin}/psql`, [...server, '-d', 'postgres', '-Atc', query], { env })
  if (stdout.trim() === '') await run(`${bin}/createdb`, [...server, 'hookline'], { env })
}

async function isRunning(bin: string, data: string): Promise<boolean> {
  try {
    await asDatabaseUser(`${bin}/pg_ctl`, ['status', '-D', data])
    return true
  } catch {
    return false
  }
}

/** Returns the folder of the server programs. Debian installs them in a versioned folder that is not on PATH. */
export async function postgresFolder(): Promise<string> {
  const fromConfig = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  )
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? await readdir(debian) : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const candidates = [...fromConfig, ...newestFirst.map((version) => `${debian}/${version}/bin`)]
  const found = candidates.find((bin) => existsSync(`${bin}/initdb`))
  if (found === undefined)
    throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql')
  return found
}

/**
 * Returns the data folder. PostgreSQL does not run as root, so root starts it as `postgres`, which needs access to the
 * data. If the folder is private (for example a temporary folder), the data is in /var/tmp and the folder has a link to
 * it.
 */
async function dataFolder(folder: string): Promise<string> {
  const data = `${folder}/postgres`
  if (!isRoot) return data
  const user = await databaseUserId()
  if (await canAccess(folder)) {
    await mkdir(data, { recursive: true, mode: 0o700 })
    await chown(data, user, -1)
    await createLogFile(data, user)
    return data
  }
  const fallback = `/var/tmp/hookline-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
  await mkdir(fallback, { recursive: true, mode: 0o700 })
  await chown(fallback, user, -1)
  await createLogFile(fallback, user)
  if (!existsSync(data)) await symlink(fallback, data)
  return fallback
}

async function createLogFile(data: string, user: number): Promise<void> {
  await writeFile(`${data}.log`, '', { flag: 'a' })
  await chown(`${data}.log`, user, -1)
  await chmod(`${data}.log`, 0o600)
}

async function canAccess(path: string): Promise<boolean> {
  try {
    await asDatabaseUser('test', ['-x', path])
    return true
  } catch {
    return false
  }
}

async function databaseUserId(): Promise<number> {
  const { stdout } = await run('id', ['-u', 'postgres'])
  return Number(stdout)
}

/** Creates a folder for programs that run as the user of PostgreSQL. */
export async function createDatabaseFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (isRoot) await chown(path, await databaseUserId(), -1)
}

/** Returns the command that runs a program as the user of PostgreSQL. */
export function databaseUserCommand(program: string, args: readonly string[]): [string, string[]] {
  return isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]]
}

async function asDatabaseUser(command: string, args: string[]): Promise<void> {
  const [program, rest] = databaseUserCommand(command, args)
  // Ignores stdout: a started server must not keep the pipes of this command open.
  const child = spawn(program, rest, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  child.stderr.destroy()
  if (code !== 0) throw new Error(`${command} ${args[0]} failed: ${errors.trim()}`)
}
