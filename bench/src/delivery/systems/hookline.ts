/** Hookline: an api process that accepts events and workers that deliver them, with or without NATS. */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { Pool } from 'undici'
import { builtServer } from '../../../../dev/build-server.ts'
import { type ServiceProcess, sourceServer, startProcess } from '../../../../dev/service-process.ts'
import { openDatabase } from '../../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../../server/src/db/vault-key-store.ts'
import { createProducer } from '../../../../server/src/identity/keys/producers.ts'
import { openVault } from '../../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../../support/database.ts'
import { stopChild } from '../../support/child-process.ts'
import { paddedData } from '../message.ts'
import { hosts } from '../receiver.ts'
import type { Server } from '../../support/servers.ts'
import type { Cleanup } from '../../support/cleanup.ts'
import type { System, Submit, Running } from './system.ts'

/** Shared by the variants that use the same servers. They never run at the same time. */
export interface Installation {
  env: Record<string, string>
  producerKey: string
  accountIds: readonly number[]
  client: Client
  postgres: Server
  nats?: Server | undefined
  pooler?: Pick<Server, 'pid'>
}

export interface RunningHookline extends Running {
  intakeUrl: string
}

export interface HooklineSystem extends System<RunningHookline> {
  workers: number
  installation: Installation
}

const accounts = 500
const eventsPerCall = 100
const concurrentCalls = 4
/** A shorter run may end before the api process knows the room of its workers. */
const minEventsWithHandOffs = 10_000

export async function createInstallation(
  name: string,
  servers: { postgres: Server; nats?: Server | undefined },
  receiverUrl: string,
  cleanup: Cleanup,
): Promise<Installation> {
  const database = await createBenchDatabase(servers.postgres.url, name)
  cleanup.push(() => database.drop())
  const masterKey = randomBytes(32).toString('base64')
  return {
    env: {
      DATABASE_URL: database.url.href,
      NATS_URL: servers.nats?.url ?? '',
      MASTER_KEY: masterKey,
      ALLOW_PRIVATE_TARGETS: 'true',
    },
    producerKey: await createProducerKey(database.url, masterKey),
    accountIds: await createHooks(database.client, receiverUrl),
    client: database.client,
    ...servers,
  }
}

async function createProducerKey(url: URL, masterKey: string): Promise<string> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { key } = await createProducer(db, vault, 'operator', 'bench')
  await db.destroy()
  return key
}

/** Creates one hook per account, so that every event is one delivery. */
async function createHooks(client: Client, receiverUrl: string): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, ${accounts}) AS n RETURNING id`,
  )
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT id, url, url, 'sms_mo', 'JSON', sha256('bench')
     FROM accounts CROSS JOIN LATERAL (SELECT replace($1, '127.0.0.1', '127.0.0.' || 1 + id % $2)) AS target (url)`,
    [receiverUrl, hosts],
  )
  await client.query('VACUUM ANALYZE')
  return rows.map(({ id }) => id)
}

export function hooklineSystem(
  name: string,
  kind: string,
  installation: Installation,
  workers: number,
): HooklineSystem {
  return {
    name,
    label: `Hookline, ${kind}, ${workers === 0 ? 'one process' : `${workers} ${workers === 1 ? 'worker' : 'workers'}`}`,
    installation,
    workers,
    async start(profileFolder) {
      const { env, client, postgres, nats, pooler } = installation
      // Profiles name the source files of functions, to assign each to a part.
      const mainFile = profileFolder === undefined ? builtServer : sourceServer
      const start = (role: string, number: number): Promise<ServiceProcess> =>
        startProcess({ ...env, ...profiling(profileFolder, `${role}-${number}`) }, role, undefined, mainFile)
      const [api, ...started] = await Promise.all([
        start(workers === 0 ? 'all' : 'api', 1),
        ...Array.from({ length: workers }, (_, index) => start('worker', index + 1)),
      ])
      return {
        intakeUrl: api.internalUrl,
        groups: [
          { name: workers === 0 ? 'api and worker' : 'api', pid: pidOf(api) },
          ...started.map((worker) => ({ name: 'worker', pid: pidOf(worker) })),
          { name: 'PostgreSQL', pid: postgres.pid },
          ...(nats === undefined ? [] : [{ name: 'NATS', pid: nats.pid }]),
          ...(pooler === undefined ? [] : [{ name: 'PgBouncer', pid: pooler.pid }]),
        ],
        storage: { database: client, ...(nats !== undefined && { folder: nats.folder }) },
        prepare: (count) => prepareCalls(api.internalUrl, installation, count),
        isSettled: () => isQueueEmpty(client),
        async stop() {
          const { handedOff, events } = await countHandOffs(workers === 0 ? [api] : started)
          for (const { child } of [...started, api]) await stopChild(child, 'SIGTERM')
          if (nats === undefined && workers > 0) return
          if (handedOff === 0 && events >= minEventsWithHandOffs)
            throw new Error('no event was handed off, so this run did not measure hand-offs')
          const percent = (100 * handedOff) / events
          console.log(`${percent.toFixed(0)}% of the events in the next line were handed off at accept`)
        },
      }
    },
  }
}

/** Counts the fresh events of these workers, and those that were handed off. They read the others from the inbox. */
async function countHandOffs(
  workers: readonly ServiceProcess[],
): Promise<{ handedOff: number; events: number }> {
  const counts = { handoff: 0, inbox: 0 }
  for (const { internalUrl } of workers) {
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text()
    for (const [, source, count] of metrics.matchAll(
      /^hookline_fresh_events_total\{source="(handoff|inbox)"\} (\d+)/gm,
    ))
      counts[source as keyof typeof counts] += Number(count)
  }
  return { handedOff: counts.handoff, events: counts.handoff + counts.inbox }
}

/** Returns settings that make a process write a CPU profile when it exits. */
function profiling(folder: string | undefined, name: string): Record<string, string> {
  if (folder === undefined) return {}
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}/${name}` }
}

function pidOf({ child }: ServiceProcess): number {
  return child.pid ?? 0
}

async function isQueueEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT FROM (SELECT FROM work LIMIT 1) AS w UNION ALL SELECT FROM (SELECT FROM inbox LIMIT 1) AS i',
  )
  return rows.length === 0
}

async function prepareCalls(internalUrl: string, installation: Installation, count: number): Promise<Submit> {
  const calls = intakeCalls(installation.accountIds, count, eventsPerCall)
  return async (): Promise<string[]> => {
    const pool = new Pool(internalUrl, { connections: concurrentCalls })
    const submitCall = intake(pool, installation.producerKey)
    const ids: string[] = []
    let next = 0
    const submitNext = async (): Promise<void> => {
      for (let call = calls[next++]; call !== undefined; call = calls[next++])
        ids.push(...(await submitCall(call)))
    }
    await Promise.all(Array.from({ length: concurrentCalls }, submitNext))
    await pool.close()
    if (ids.length !== count) throw new Error(`${ids.length} of ${count} events were accepted`)
    return ids
  }
}

/** Returns bodies of intake calls. The events rotate through the accounts. */
export function intakeCalls(accountIds: readonly number[], events: number, perCall: number): string[] {
  const calls: string[] = []
  for (let first = 0; first < events; first += perCall) {
    const parts = Array.from({ length: Math.min(perCall, events - first) }, (_, index) => {
      const accountId = accountIds[(first + index) % accountIds.length]
      return `{"account_id":${accountId},"type":"sms_mo","data":${paddedData()}}`
    })
    calls.push(`{"events":[${parts.join(',')}]}`)
  }
  return calls
}

/** Returns a function that makes one intake call and returns the event ids. */
export function intake(pool: Pool, producerKey: string): (body: string) => Promise<string[]> {
  const headers = { authorization: `Bearer ${producerKey}`, 'content-type': 'application/json' }
  return async (body) => {
    const response = await pool.request({ method: 'POST', path: '/intake/events', headers, body })
    const { accepted = [], rejected = [] } = (await response.body.json()) as {
      accepted?: string[]
      rejected?: unknown[]
    }
    if (response.statusCode !== 202 || rejected.length > 0)
      throw new Error(`the intake responded ${response.statusCode}: ${JSON.stringify(rejected)}`)
    return accepted
  }
}
