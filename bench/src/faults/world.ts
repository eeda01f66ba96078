/**
 * The world of one round: a PostgreSQL of its own, an api, workers, receivers, and a producer that loads them. Everything
 * that is started is undone by `close`, whatever happened before; nothing else on the machine is touched.
 */
import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres, type Postgres } from '../../../dev/postgres.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { migrationsFolder } from '../../../server/src/db/migrations-folder.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createProducer as createProducerKey } from '../../../server/src/identity/keys/producers.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createProducer, type Producer } from './producer.ts'
import { type Receivers, startReceivers } from './receivers.ts'

const run = promisify(execFile)

export interface World {
  postgres: Postgres
  /** Of accounts, the hooks that match every event of theirs. The last account is left out of the load, for probes. */
  hooksOf: ReadonlyMap<number, readonly number[]>
  receivers: Receivers
  producer: Producer
  /** Every process that was started, the dead included. */
  processes: ServiceProcess[]
  /** The api is always on the same ports. */
  startApi: () => Promise<ServiceProcess>
  startWorker: () => Promise<ServiceProcess>
  /** A connection of the round's own; closed with the world. */
  connect: () => Promise<Client>
  /** Kills PostgreSQL, all of it, by the ids of its processes. */
  killPostgres: () => Promise<void>
  startPostgres: () => Promise<void>
  /** What PostgreSQL wrote last. */
  postgresLog: () => Promise<string>
  close: () => Promise<void>
}

export const eventsPerSecond = 100
const accounts = 20
const hooksAnAccount = 2
const mostEvents = 30_000

/** Hands the world's undoing over before there is anything to undo, so that no moment is without it. */
export async function createWorld(keepUndo: (close: () => Promise<void>) => void): Promise<World> {
  const undo: Array<() => unknown> = []
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= undoAll(undo))
  keepUndo(close)

  const folder = await mkdtemp(join(tmpdir(), 'hookline-faults-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL does not run as root, and its user must be able to pass.
  await chmod(folder, 0o711)
  const port = await steadyPort()
  const postgres = createPostgres(folder, { port, password: randomBytes(12).toString('hex') }, () => {})
  undo.push(() => postgres.remove())
  let starting = postgres.start()
  undo.push(async () => {
    await starting.catch(() => {})
    const pid = await postgres.pid()
    if (pid !== undefined && isThere(pid)) await postgres.stop()
  })
  await starting
  const databaseUrl = new URL(postgres.url())
  await migrate({ databaseUrl, folder: migrationsFolder })

  const receivers = await startReceivers()
  undo.push(() => receivers.close())
  const masterKey = randomBytes(32).toString('base64')
  const { producerKey, hooksOf } = await fill(databaseUrl, masterKey, receivers)

  const internalPort = await steadyPort()
  const settings = {
    DATABASE_URL: databaseUrl.href,
    MASTER_KEY: masterKey,
    ALLOW_PRIVATE_TARGETS: 'true',
  }
  const ports = { PORT: String(await steadyPort()), INTERNAL_PORT: String(internalPort) }
  const producer = createProducer({
    url: () => `http://127.0.0.1:${internalPort}`,
    key: producerKey,
    accounts: [...hooksOf.keys()].slice(0, -1),
    eventsPerSecond,
    mostEvents,
  })
  undo.push(() => producer.abandon())

  const processes: ServiceProcess[] = []
  async function start(role: string, env: Record<string, string>): Promise<ServiceProcess> {
    if (closing !== undefined) throw new Error('the round is over')
    const started = await startProcess({ ...settings, ...env }, role)
    processes.push(started)
    undo.push(() => endProcess(started))
    return started
  }

  return {
    postgres,
    hooksOf,
    receivers,
    producer,
    processes,
    startApi: () => start('api', ports),
    startWorker: () => start('worker', {}),
    async connect() {
      const client = new Client({ connectionString: databaseUrl.href })
      // The round itself takes PostgreSQL away; whoever asks then gets the error.
      client.on('error', () => {})
      await client.connect()
      undo.push(() => client.end().catch(() => {}))
      return client
    },
    async killPostgres() {
      const parent = await postgres.pid()
      if (parent === undefined) throw new Error('PostgreSQL is not running')
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(parent)])
      const children = stdout.split('\n').map(Number).filter(Boolean)
      for (const pid of [parent, ...children]) killIfThere(pid)
      // Its memory is given back when the last of them is gone; before that it does not start again.
      while ([parent, ...children].some(isThere)) await sleep(20)
    },
    async startPostgres() {
      starting = postgres.start()
      await starting
      if (postgres.port() !== port) throw new Error(`port ${port} was taken while PostgreSQL was away`)
    },
    postgresLog: async () => readFile(await postgres.logFile(), 'utf8'),
    close,
  }
}

/** Below the ports that outgoing connections use: whoever comes back to it finds it free. */
async function steadyPort(): Promise<number> {
  return freePort(randomInt(20_000, 32_000))
}

async function fill(databaseUrl: URL, masterKey: string, receivers: Receivers) {
  const db = openDatabase(databaseUrl, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { key: producerKey } = await createProducerKey(db, vault, 'operator', 'faults')
  await db.destroy()

  const client = new Client({ connectionString: databaseUrl.href })
  await client.connect()
  const hooksOf = new Map<number, number[]>()
  // One more, for probes.
  for (let count = 0; count <= accounts; count++) {
    const accountId = await insert(client, 'INSERT INTO accounts (name) VALUES ($1) RETURNING id', ['faults'])
    const hooks: number[] = []
    for (let place = 1; place <= hooksAnAccount; place++)
      hooks.push(
        await insert(
          client,
          `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
           VALUES ($1, $2, $2, 'all', 'JSON', $3) RETURNING id`,
          [accountId, receivers.url(accountId, place), randomBytes(32)],
        ),
      )
    hooksOf.set(accountId, hooks)
  }
  await client.end()
  return { producerKey, hooksOf }
}

async function insert(client: Client, sql: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ id: number }>(sql, values)
  return rows[0]?.id ?? 0
}

async function endProcess({ child }: ServiceProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** In reverse; one step that fails keeps none of the others from being done. */
async function undoAll(undo: Array<() => unknown>): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop())
    try {
      await step()
    } catch (error) {
      console.error('could not clean up:', error)
    }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // A backend that ended by itself in between.
  }
}
