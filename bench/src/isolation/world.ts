/** One installation for one turn: a database of its own, an api, workers, and receivers in processes of their own. */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import type { Services } from '../../../dev/services.ts'
import { type Database, openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { makePartitions } from '../../../server/src/pipeline/ledger/partitions.ts'
import { openVault, type Vault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../database.ts'
import type { Intake } from './load.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import type { Undo } from '../undo.ts'

export interface World {
  /** Of this command's own, for filling and counting. */
  client: Client
  db: Database
  vault: Vault
  /** Receivers in a process of their own. */
  startReceivers: () => Receivers
  /** One account with one hook for each address; answers the accounts' ids. */
  addHooks: (addresses: readonly string[]) => Promise<number[]>
  /** Starts api and workers. */
  start: () => Promise<Intake & { apiUrl: string }>
  /** Those that were started, the dead included. */
  processes: readonly ServiceProcess[]
  /** What the processes have complained about: faults of our own, and the last lines for people. */
  complaints: () => Complaints
}

export interface Complaints {
  errors: number
  lines: string[]
}

interface WorldOptions {
  services: Services
  workers: number
  withNats: boolean
  env?: Record<string, string>
  undo: Undo
  /** Of another version of the service, which may run beside this one. */
  mainFile?: string
}

export async function createWorld({
  services,
  workers,
  withNats,
  env,
  undo,
  mainFile,
}: WorldOptions): Promise<World> {
  const name = `hookline_isolation_${process.pid}${mainFile === undefined ? '' : '_other'}`
  const { url, client, drop } = await createBenchDatabase(services.DATABASE_URL, name)
  undo.push(drop)
  const masterKey = randomBytes(32).toString('base64')
  const db = openDatabase(url, 2, () => {})
  undo.push(() => db.destroy())
  await makePartitions(db, Date.now())
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
    const started = await startProcess(settings, role, isComplaint, mainFile)
    processes.push(started)
    undo.push(() => endProcess(started))
    return started
  }

  return {
    client,
    db,
    vault,
    processes,
    startReceivers() {
      const receivers = startReceivers()
      undo.push(() => receivers.close())
      return receivers
    },
    addHooks: (addresses) => addHooks(client, addresses),
    async start() {
      const others = Array.from({ length: workers }, () => startRole('worker'))
      const [api] = await Promise.all([startRole('api'), ...others])
      return { url: api.internalUrl, apiUrl: api.url, key }
    },
    complaints: () => complaintsOf(processes),
  }
}

async function addHooks(client: Client, addresses: readonly string[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) SELECT 'account' FROM generate_series(1, $1::integer) RETURNING id`,
    [addresses.length],
  )
  const accounts = rows.map(({ id }) => id)
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT account_id, address, address, 'all', 'JSON', uuid_send(gen_random_uuid())
     FROM unnest($1::integer[], $2::text[]) AS given (account_id, address)`,
    [accounts, addresses],
  )
  return accounts
}

function isComplaint(line: string): boolean {
  return !line.includes('"level":"info"')
}

function complaintsOf(processes: readonly ServiceProcess[]): Complaints {
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

/** Not asked to stop in order: what is still under way at a slow receiver belongs to nobody any more. */
async function endProcess({ child }: ServiceProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** One account with one hook each, spread over the hosts; answers the accounts' ids. */
export async function addSpread(world: World, hosts: readonly string[], count: number): Promise<number[]> {
  return world.addHooks(Array.from({ length: count }, (_, n) => `${hosts[n % hosts.length]}/hook-${n}`))
}
