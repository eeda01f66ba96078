/**
 * Environment of one scenario: a dedicated PostgreSQL, an api process, workers, receivers, and a producer that
 * generates load. `close` stops everything that was started, and nothing else on the machine.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { reservedPort } from '../../../dev/ports.ts'
import { startNats } from '../support/servers.ts'
import { type NatsProxy, startNatsProxy } from './nats-proxy.ts'
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
import { type Standby, startStandby } from './standby.ts'

const run = promisify(execFile)

/** A process with its own proxy to NATS. */
export interface LinkedProcess extends ServiceProcess {
  nats: NatsProxy
}

export interface Environment {
  postgres: Postgres
  /** Settings of all processes. */
  settings: Record<string, string>
  /**
   * Hook ids by account id. Each hook matches all events of its account. The last account gets no load: probes use it.
   */
  hooksByAccount: ReadonlyMap<number, readonly number[]>
  receivers: Receivers
  producer: Producer
  /** All started processes, including those that have exited. */
  processes: ServiceProcess[]
  /** Hand-offs that passed the proxies so far. */
  readHandedOff: () => number
  /** Starts the api, always on the same ports. */
  startApi: () => Promise<LinkedProcess>
  startWorker: () => Promise<LinkedProcess>
  /** Opens a connection that `close` ends. */
  connect: () => Promise<Client>
  /** Kills the postmaster and all its children by process id. */
  killPostgres: () => Promise<void>
  startPostgres: () => Promise<void>
  /** Starts a standby of PostgreSQL. Commits wait for it from then on. */
  startStandby: () => Promise<Standby>
  /** Returns the PostgreSQL log. */
  postgresLog: () => Promise<string>
  close: () => Promise<void>
}

export const eventsPerSecond = 100
const accounts = 20
const hooksPerAccount = 2
const maxEvents = 30_000

/** Registers `close` before it starts anything, so that an interrupt always cleans up. */
export async function createEnvironment(
  addCleanup: (close: () => Promise<void>) => void,
  rate = eventsPerSecond,
  additionalSettings: Record<string, string> = {},
): Promise<Environment> {
  const cleanup: Array<() => unknown> = []
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= runCleanup(cleanup))
  addCleanup(close)

  const folder = await mkdtemp(join(tmpdir(), 'hookline-faults-'))
  cleanup.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL does not run as root, and its user needs access to the folder.
  await chmod(folder, 0o711)
  const port = await reservedPort()
  const postgres = createPostgres(folder, { port, password: randomBytes(12).toString('hex') }, () => {})
  cleanup.push(() => postgres.remove())
  let starting = postgres.start()
  cleanup.push(async () => {
    await starting.catch(() => {})
    const pid = await postgres.pid()
    if (pid !== undefined && isAlive(pid)) await postgres.stop()
  })
  await starting
  const databaseUrl = new URL(postgres.url())
  await migrate({ databaseUrl, folder: migrationsFolder })

  const nats = await startNats(folder, { push: (step) => cleanup.push(step) })

  const receivers = await startReceivers()
  cleanup.push(() => receivers.close())
  const masterKey = randomBytes(32).toString('base64')
  const { producerKey, hooksByAccount } = await seed(databaseUrl, masterKey, receivers)

  const internalPort = await reservedPort()
  const settings = {
    DATABASE_URL: databaseUrl.href,
    MASTER_KEY: masterKey,
    ALLOW_PRIVATE_TARGETS: 'true',
    ...additionalSettings,
  }
  const ports = { PORT: String(await reservedPort()), INTERNAL_PORT: String(internalPort) }
  const producer = createProducer({
    url: () => `http://127.0.0.1:${internalPort}`,
    key: producerKey,
    accounts: [...hooksByAccount.keys()].slice(0, -1),
    eventsPerSecond: rate,
    maxEvents,
  })
  cleanup.push(() => producer.abort())

  const processes: ServiceProcess[] = []
  const proxies: NatsProxy[] = []
  async function start(role: string, env: Record<string, string>): Promise<LinkedProcess> {
    if (closing !== undefined) throw new Error('the environment is closed')
    const proxy = await startNatsProxy(nats.url)
    proxies.push(proxy)
    cleanup.push(() => proxy.close())
    const started = await startProcess({ ...settings, ...env, NATS_URL: proxy.url }, role)
    cleanup.push(() => endProcess(started))
    const linked = { ...started, nats: proxy }
    processes.push(linked)
    return linked
  }

  return {
    postgres,
    settings,
    hooksByAccount,
    receivers,
    producer,
    processes,
    readHandedOff: () => proxies.reduce((sum, proxy) => sum + proxy.handedOff(), 0),
    startApi: () => start('api', ports),
    startWorker: () => start('worker', {}),
    async connect() {
      const client = new Client({ connectionString: databaseUrl.href })
      // Scenarios stop PostgreSQL. A query then rejects with the error.
      client.on('error', () => {})
      await client.connect()
      cleanup.push(() => client.end().catch(() => {}))
      return client
    },
    async killPostgres() {
      const parent = await postgres.pid()
      if (parent === undefined) throw new Error('PostgreSQL is not running')
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(parent)])
      const children = stdout.split('\n').map(Number).filter(Boolean)
      for (const pid of [parent, ...children]) killIfAlive(pid)
      // The kernel frees the shared memory when the last process exits. PostgreSQL cannot start before that.
      while ([parent, ...children].some(isAlive)) await sleep(20)
    },
    async startPostgres() {
      starting = postgres.start()
      await starting
      if (postgres.port() !== port)
        throw new Error(`another process took port ${port} while PostgreSQL was down`)
    },
    startStandby: () => startStandby(join(folder, 'standby'), postgres, (step) => cleanup.push(step)),
    postgresLog: async () => readFile(await postgres.logFile(), 'utf8'),
    close,
  }
}

async function seed(databaseUrl: URL, masterKey: string, receivers: Receivers) {
  const db = openDatabase(databaseUrl, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { key: producerKey } = await createProducerKey(db, vault, 'operator', 'faults')
  await db.destroy()

  const client = new Client({ connectionString: databaseUrl.href })
  await client.connect()
  const hooksByAccount = new Map<number, number[]>()
  // The last account is for probes.
  for (let count = 0; count <= accounts; count++) {
    const accountId = await insert(client, 'INSERT INTO accounts (name) VALUES ($1) RETURNING id', ['faults'])
    const hooks: number[] = []
    for (let hookNumber = 1; hookNumber <= hooksPerAccount; hookNumber++)
      hooks.push(
        await insert(
          client,
          `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
           VALUES ($1, $2, $2, 'all', 'JSON', $3) RETURNING id`,
          [accountId, receivers.url(accountId, hookNumber), randomBytes(32)],
        ),
      )
    hooksByAccount.set(accountId, hooks)
  }
  await client.end()
  return { producerKey, hooksByAccount }
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

/** Runs the steps in reverse order. A step that fails does not prevent the others. */
async function runCleanup(cleanup: Array<() => unknown>): Promise<void> {
  for (let step = cleanup.pop(); step !== undefined; step = cleanup.pop())
    try {
      await step()
    } catch (error) {
      console.error('cleanup step failed:', error)
    }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The backend has already exited.
  }
}
