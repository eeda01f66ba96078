/**
 * `npm run services`: starts a dedicated PostgreSQL and NATS for this checkout, in `.services/`, on free ports. Servers
 * that already run are not restarted. `-- stop` stops both. `-- --json` prints their URLs as the last line. Writes the
 * settings for the other commands to `.services/env`.
 */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, isPortInUse } from './ports.ts'
import { createPostgres, type Postgres } from './postgres.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}.services`
const natsPidFile = `${folder}/nats.pid`

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

export async function startServices(log: (line: string) => void): Promise<Services> {
  await mkdir(folder, { recursive: true })
  const state = await readState()
  await saveState(state)
  const postgres = createPostgresFor(state, log)
  await postgres.start()
  state.postgresPort = postgres.port()
  await startNats(state, log)
  await saveState(state)
  const services = { DATABASE_URL: postgres.url(), NATS_URL: `nats://127.0.0.1:${state.natsPort}` }
  const env = { ...services, MASTER_KEY: state.masterKey }
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(`${folder}/env`, lines.join(''), { mode: 0o600 })
  return services
}

async function stopServices(log: (line: string) => void): Promise<void> {
  await createPostgresFor(await readState(), log).stop()
  const pid = await natsPid()
  if (pid !== undefined) {
    process.kill(pid)
    await rm(natsPidFile, { force: true })
    log('NATS stopped.')
  }
}

function createPostgresFor(state: State, log: (line: string) => void): Postgres {
  return createPostgres(folder, { port: state.postgresPort, password: state.postgresPassword }, log)
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

/** Saves ports and secrets. Also called before the start, so that an interrupted start does not lose the password. */
async function saveState(state: State): Promise<void> {
  await writeFile(`${folder}/state.json`, JSON.stringify(state), { mode: 0o600 })
}

// NATS

async function startNats(state: State, log: (line: string) => void): Promise<void> {
  if ((await natsPid()) !== undefined) return log(`NATS is running on port ${state.natsPort}.`)
  if (await isPortInUse(state.natsPort)) state.natsPort = await freePort()
  const logFile = openSync(`${folder}/nats.log`, 'a')
  const args = ['--addr', '127.0.0.1', '--port', String(state.natsPort), '--pid', natsPidFile]
  const child = spawn('nats-server', args, {
    detached: true,
    stdio: ['ignore', logFile, logFile],
  })
  child.on('error', () => {
    throw new Error('NATS is not installed. On Debian: apt-get install nats-server')
  })
  child.unref()
  await waitForPort(state.natsPort)
  log(`NATS started on port ${state.natsPort}.`)
}

/**
 * Returns the process id of this nats-server if it runs. Checks the command line, because the id may have been reused.
 */
async function natsPid(): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(natsPidFile, 'utf8'))
    const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)])
    return stdout.includes(`${folder}/nats`) ? pid : undefined
  } catch {
    return undefined
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 100) {
    if (await isPortInUse(port)) return
    await sleep(100)
  }
  throw new Error(`NATS did not start on port ${port}. See ${folder}/nats.log`)
}

if (import.meta.main) {
  const [argument, ...rest] = process.argv.slice(2)
  try {
    if (rest.length > 0 || !['stop', '--json', undefined].includes(argument))
      throw new Error('Usage: npm run services [-- stop | -- --json]')
    if (argument === 'stop') await stopServices(console.log)
    else {
      const services = await startServices(console.log)
      if (argument === '--json') console.log(JSON.stringify(services))
      else console.log('Settings written to .services/env. npm run migrate, start and admin read them.')
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
