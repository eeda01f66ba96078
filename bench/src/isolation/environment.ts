/** An installation for a run: a dedicated database, an api, workers, and receivers in separate processes. */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import type { Services } from '../../../dev/services.ts'
import { type Database, openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { openVault, type Vault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import type { Intake } from '../support/event-load.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import type { Cleanup } from '../support/cleanup.ts'

export interface Environment {
  /** Connection for seeding and counting. */
  client: Client
  db: Database
  vault: Vault
  /** Starts receivers in a separate process. */
  startReceivers: () => Receivers
  /** Creates one account with one hook for each URL. Returns the account ids. */
  addHooks: (urls: readonly string[]) => Promise<number[]>
  /** Starts the api and the workers. */
  start: () => Promise<Intake & { apiUrl: string }>
  /** All started processes, including those that have exited. */
  processes: readonly ServiceProcess[]
  /** Returns the number of errors in the logs, and the last error and warning lines. */
  loggedProblems: () => LoggedProblems
}

export interface LoggedProblems {
  errors: number
  lines: string[]
}

interface EnvironmentOptions {
  services: Services
  workers: number
  withNats: boolean
  env?: Record<string, string>
  cleanup: Cleanup
  /** Entry file of another version of the service, which may run at the same time. */
  mainFile?: string
  /** Whether a separate api process handles the intake. */
  hasSeparateIntake?: boolean
}

export async function createEnvironment({
  services,
  workers,
  withNats,
  env,
  cleanup,
  mainFile,
  hasSeparateIntake = false,
}: EnvironmentOptions): Promise<Environment> {
  const name = `hookline_isolation_${process.pid}${mainFile === undefined ? '' : '_other'}`
  const { url, client, drop } = await createBenchDatabase(services.DATABASE_URL, name)
  cleanup.push(drop)
  const masterKey = randomBytes(32).toString('base64')
  const db = openDatabase(url, 2, () => {})
  cleanup.push(() => db.destroy())
  await createPartitions(db, Date.now())
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { key } = await createProducer(db, vault, 'operator', 'isolation')
  const settings = {
    DATABASE_URL: url.href,
    MASTER_KEY: masterKey,
    ALLOW_PRIVATE_TARGETS: 'true',
    ...(withNats && { NATS_URL: services.NATS_URL }),
    ...env,
  }
  const processes: ServiceProcess[] = []

  async function startRole(role: 'api' | 'worker'): Promise<ServiceProcess> {
    const started = await startProcess(settings, role, isProblem, mainFile)
    processes.push(started)
    cleanup.push(() => endProcess(started))
    return started
  }

  return {
    client,
    db,
    vault,
    processes,
    startReceivers() {
      const receivers = startReceivers()
      cleanup.push(() => receivers.close())
      return receivers
    },
    addHooks: (urls) => addHooks(client, urls),
    async start() {
      const others = Array.from({ length: workers }, () => startRole('worker'))
      const [api, intake] = await Promise.all([
        startRole('api'),
        hasSeparateIntake ? startRole('api') : undefined,
        ...others,
      ])
      return { url: (intake ?? api).internalUrl, apiUrl: api.url, key }
    },
    loggedProblems: () => collectProblems(processes),
  }
}

async function addHooks(client: Client, urls: readonly string[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) SELECT 'account' FROM generate_series(1, $1::integer) RETURNING id`,
    [urls.length],
  )
  const accounts = rows.map(({ id }) => id)
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT account_id, url, url, 'all', 'JSON', uuid_send(gen_random_uuid())
     FROM unnest($1::integer[], $2::text[]) AS input (account_id, url)`,
    [accounts, urls],
  )
  return accounts
}

function isProblem(line: string): boolean {
  return !line.includes('"level":"info"')
}

function collectProblems(processes: readonly ServiceProcess[]): LoggedProblems {
  const of = (level: RegExp): string[] =>
    processes.flatMap(({ child, output }) =>
      output()
        .split('\n')
        .filter((line) => level.test(line))
        .map((line) => `${child.spawnargs.at(-1)} ${child.pid}: ${line.slice(0, 500)}`),
    )
  const errors = of(/"level":"(error|fatal)"/)
  return { errors: errors.length, lines: [...errors.slice(-2), ...of(/"level":"warn"/).slice(-2)] }
}

/** Kills the process. A graceful stop would wait for requests in flight at slow receivers. */
async function endProcess({ child }: ServiceProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Creates accounts with one hook each, spread over the hosts. Returns the account ids. */
export async function addAccounts(
  environment: Environment,
  hosts: readonly string[],
  count: number,
): Promise<number[]> {
  return environment.addHooks(Array.from({ length: count }, (_, n) => `${hosts[n % hosts.length]}/hook-${n}`))
}
