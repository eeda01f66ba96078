/**
 * A PostgreSQL of one's own in any folder, on a port of its own, with an empty database `hookline`. Made when it is first
 * started; what runs is left alone.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freePort, isTaken } from './ports.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

export interface Postgres {
  /** Its port, which is another than the wanted one if that was taken at the start. */
  port: () => number
  url: () => string
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Of the postmaster, the parent of all its processes; undefined: there is none. */
  pid: () => Promise<number | undefined>
  /** Where it writes its log. */
  logFile: () => Promise<string>
  /** Deletes what it keeps; stop it first. */
  remove: () => Promise<void>
}

export function createPostgres(
  /** It keeps its data in `postgres` there. */
  folder: string,
  wanted: { port: number; password: string },
  say: (line: string) => void,
): Postgres {
  const { password } = wanted
  let { port } = wanted

  return {
    port: () => port,
    url: () => `postgres://hookline:${password}@127.0.0.1:${port}/hookline`,
    async start() {
      const bin = await postgresFolder()
      const data = await dataFolder(folder)
      if (!existsSync(`${data}/PG_VERSION`)) await initialise(bin, data, password, say)
      if (await isRunning(bin, data)) return say(`PostgreSQL runs on port ${port}.`)
      if (await isTaken(port)) port = await freePort()
      await startServer(bin, data, port)
      await createDatabase(bin, port, password)
      say(`PostgreSQL started on port ${port}.`)
    },
    async stop() {
      if (!existsSync(`${folder}/postgres/postmaster.pid`)) return
      const bin = await postgresFolder()
      await asDatabaseUser(`${bin}/pg_ctl`, ['stop', '-D', await dataFolder(folder), '-m', 'fast', '-w'])
      say('PostgreSQL stopped.')
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
  // pg_ctl takes the server's options as one argument.
  const args = ['start', '-D', data, '-w', '-t', '60', '-l', `${data}.log`, '-o', options.join(' ')]
  await asDatabaseUser(`${bin}/pg_ctl`, args)
}

async function initialise(
  bin: string,
  data: string,
  password: string,
  say: (line: string) => void,
): Promise<void> {
  say('Making a database folder (once) …')
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

/** Debian keeps the server's programs in a versioned folder that is not on PATH. */
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
 * PostgreSQL refuses to run as root, so root starts it as `postgres`. That user must reach the data: where the folder is
 * closed to others (a private temporary folder, say), the data lie in /var/tmp and the folder links there.
 */
async function dataFolder(folder: string): Promise<string> {
  const data = `${folder}/postgres`
  if (!isRoot) return data
  const user = await databaseUserId()
  if (await canReach(folder)) {
    await mkdir(data, { recursive: true, mode: 0o700 })
    await chown(data, user, -1)
    await logFileFor(data, user)
    return data
  }
  const elsewhere = `/var/tmp/hookline-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
  await mkdir(elsewhere, { recursive: true, mode: 0o700 })
  await chown(elsewhere, user, -1)
  await logFileFor(elsewhere, user)
  if (!existsSync(data)) await symlink(elsewhere, data)
  return elsewhere
}

async function logFileFor(data: string, user: number): Promise<void> {
  await writeFile(`${data}.log`, '', { flag: 'a' })
  await chown(`${data}.log`, user, -1)
  await chmod(`${data}.log`, 0o600)
}

async function canReach(path: string): Promise<boolean> {
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

async function asDatabaseUser(command: string, args: string[]): Promise<void> {
  const [program, ...rest] = isRoot
    ? ['runuser', '-u', 'postgres', '--', command, ...args]
    : [command, ...args]
  if (program === undefined) return
  // Detached and without our output: a server that is started must not keep this command's pipes open.
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
