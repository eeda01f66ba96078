/**
 * `npm run services`: starts a PostgreSQL and a NATS of this checkout's own, under `.services/`, on ports of their own.
 * Run it as often as you like: what runs is left alone. `-- stop` ends just these two, `-- --json` prints their
 * addresses as the last line. Settings for the other commands are written to `.services/env`.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}.services`
const isRoot = process.getuid?.() === 0

interface State {
  postgresPort: number
  postgresPassword: string
  natsPort: number
  masterKey: string
}

export interface Services {
  DATABASE_URL: string
  NATS_URL: string
}

export async function startServices(say: (line: string) => void): Promise<Services> {
  await mkdir(folder, { recursive: true })
  const state = await readState()
  await keepState(state)
  await startPostgres(state, say)
  await startNats(state, say)
  await keepState(state)
  const services = addresses(state)
  const env = { ...services, MASTER_KEY: state.masterKey }
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(`${folder}/env`, lines.join(''), { mode: 0o600 })
  return services
}

async function stopServices(say: (line: string) => void): Promise<void> {
  if (existsSync(`${folder}/postgres/postmaster.pid`)) {
    const bin = await postgresFolder()
    await asDatabaseUser(`${bin}/pg_ctl`, ['stop', '-D', await dataFolder(), '-m', 'fast', '-w'])
    say('PostgreSQL stopped.')
  }
  const pid = await natsPid()
  if (pid !== undefined) {
    process.kill(pid)
    await rm(`${folder}/nats.pid`)
    say('NATS stopped.')
  }
}

function addresses(state: State): Services {
  return {
    DATABASE_URL: `postgres://hookline:${state.postgresPassword}@127.0.0.1:${state.postgresPort}/hookline`,
    NATS_URL: `nats://127.0.0.1:${state.natsPort}`,
  }
}

async function readState(): Promise<State> {
  if (existsSync(`${folder}/state.json`))
    return JSON.parse(await readFile(`${folder}/state.json`, 'utf8')) as State
  return {
    postgresPort: await freePort(),
    postgresPassword: randomBytes(18).toString('base64url'),
    natsPort: await freePort(),
    masterKey: randomBytes(32).toString('base64'),
  }
}

/** Kept before anything is started too: the password must outlive a start that is cut off. */
async function keepState(state: State): Promise<void> {
  await writeFile(`${folder}/state.json`, JSON.stringify(state), { mode: 0o600 })
}

// PostgreSQL

async function startPostgres(state: State, say: (line: string) => void): Promise<void> {
  const bin = await postgresFolder()
  const data = await dataFolder()
  if (!existsSync(`${data}/PG_VERSION`)) await initialise(bin, data, state, say)
  if (await isRunning(bin, data)) return say(`PostgreSQL runs on port ${state.postgresPort}.`)
  if (await isTaken(state.postgresPort)) state.postgresPort = await freePort()
  const options = [
    `-p ${state.postgresPort}`,
    '-c listen_addresses=127.0.0.1',
    '-c unix_socket_directories=',
    '-c max_connections=200',
  ]
  // pg_ctl takes the server's options as one argument.
  const args = ['start', '-D', data, '-w', '-t', '60', '-l', `${data}.log`, '-o', options.join(' ')]
  await asDatabaseUser(`${bin}/pg_ctl`, args)
  await createDatabase(bin, state)
  say(`PostgreSQL started on port ${state.postgresPort}.`)
}

async function initialise(
  bin: string,
  data: string,
  state: State,
  say: (line: string) => void,
): Promise<void> {
  say('Making a database folder (once) …')
  const passwordFile = `${data}.password`
  await writeFile(passwordFile, state.postgresPassword, { mode: 0o600 })
  if (isRoot) await chown(passwordFile, await databaseUserId(), -1)
  const args = ['-D', data, '-U', 'hookline', '--pwfile', passwordFile]
  await asDatabaseUser(`${bin}/initdb`, [...args, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'])
  await rm(passwordFile)
}

async function createDatabase(bin: string, state: State): Promise<void> {
  const env = { ...process.env, PGPASSWORD: state.postgresPassword }
  const server = ['-h', '127.0.0.1', '-p', String(state.postgresPort), '-U', 'hookline']
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
 * PostgreSQL refuses to run as root, so root starts it as `postgres`. That user must reach the data: where the
 * checkout is closed to others (a private temporary folder, say), the data lie in /var/tmp and `.services` links there.
 */
async function dataFolder(): Promise<string> {
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

// NATS

async function startNats(state: State, say: (line: string) => void): Promise<void> {
  if ((await natsPid()) !== undefined) return say(`NATS runs on port ${state.natsPort}.`)
  if (await isTaken(state.natsPort)) state.natsPort = await freePort()
  const log = openSync(`${folder}/nats.log`, 'a')
  const args = ['--addr', '127.0.0.1', '--port', String(state.natsPort), '--jetstream']
  const child = spawn('nats-server', [...args, '--store_dir', `${folder}/nats`], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.on('error', () => {
    throw new Error('NATS is not installed. On Debian: apt-get install nats-server')
  })
  child.unref()
  await untilAnswers(state.natsPort)
  await writeFile(`${folder}/nats.pid`, String(child.pid))
  say(`NATS started on port ${state.natsPort}.`)
}

/** The id of our own nats-server if it runs: a reused process id is told apart by its command line. */
async function natsPid(): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(`${folder}/nats.pid`, 'utf8'))
    const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)])
    return stdout.includes(`${folder}/nats`) ? pid : undefined
  } catch {
    return undefined
  }
}

// Ports

/** The wanted port if nobody has it, else any other. */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted !== 0 && (await isTaken(wanted))) return freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

async function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

async function untilAnswers(port: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 100) {
    if (await isTaken(port)) return
    await sleep(100)
  }
  throw new Error(`nothing answers on port ${port}; see ${folder}/nats.log`)
}

if (import.meta.main) {
  const args = new Set(process.argv.slice(2))
  try {
    if (args.has('stop')) await stopServices(console.log)
    else {
      const services = await startServices(console.log)
      if (args.has('--json')) console.log(JSON.stringify(services))
      else console.log('Settings are in .services/env; npm run migrate, start and admin read them.')
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
