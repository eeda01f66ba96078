/**
 * `npm run services`: starts a PostgreSQL and a NATS of this checkout's own, under `.services/`, on ports of their own.
 * Run it as often as you like: what runs is left alone. `-- stop` ends just these two, `-- --json` prints their
 * addresses as the last line. Settings for the other commands are written to `.services/env`.
 */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, isTaken } from './ports.ts'
import { createPostgres, type Postgres } from './postgres.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}.services`

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
  const postgres = postgresOf(state, say)
  await postgres.start()
  state.postgresPort = postgres.port()
  await startNats(state, say)
  await keepState(state)
  const services = { DATABASE_URL: postgres.url(), NATS_URL: `nats://127.0.0.1:${state.natsPort}` }
  const env = { ...services, MASTER_KEY: state.masterKey }
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(`${folder}/env`, lines.join(''), { mode: 0o600 })
  return services
}

async function stopServices(say: (line: string) => void): Promise<void> {
  await postgresOf(await readState(), say).stop()
  const pid = await natsPid()
  if (pid !== undefined) {
    process.kill(pid)
    await rm(`${folder}/nats.pid`)
    say('NATS stopped.')
  }
}

function postgresOf(state: State, say: (line: string) => void): Postgres {
  return createPostgres(folder, { port: state.postgresPort, password: state.postgresPassword }, say)
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
