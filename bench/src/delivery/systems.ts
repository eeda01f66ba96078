/** Creates the requested systems by name, and starts only the servers that they need. */
import { Client } from 'pg'
import { settings } from '../../../server/src/config.ts'
import { bareSystem } from './systems/bare.ts'
import { bullmqSystem } from './systems/bullmq.ts'
import type { System } from './systems/system.ts'
import { graphileSystem } from './systems/graphile-worker.ts'
import {
  createInstallation,
  type HooklineSystem,
  hooklineSystem,
  type Installation,
} from './systems/hookline.ts'
import { behindPgBouncer, unprepared } from './systems/pooled.ts'
import { pgBossSystem } from './systems/pg-boss.ts'
import { type Server, startNats, startRedis } from '../support/servers.ts'
import type { Cleanup } from '../support/cleanup.ts'

/** All systems except those that `--pooler` and `--tracing` select. */
export const defaultNames = [
  'bare',
  'postgres-0',
  'postgres-1',
  'postgres-2',
  'postgres-4',
  'nats-1',
  'nats-2',
  'nats-4',
  'bullmq',
  'pg-boss',
  'graphile-worker',
]
export const poolerNames = ['postgres-2', 'unprepared-2', 'pgbouncer-2']
export const tracingNames = ['postgres-1', 'sampled-1', 'traced-1']
export const names = [...new Set([...defaultNames, ...poolerNames, ...tracingNames])]

const sampledRatio = 0.05

export interface BenchSystems {
  systems: System[]
  /** The systems that are Hookline. */
  hookline: HooklineSystem[]
}

export async function createSystems(
  requested: readonly string[],
  environment: { folder: string; postgres: Server; receiverUrl: string; collectorUrl: string },
  cleanup: Cleanup,
): Promise<BenchSystems> {
  const { folder, postgres, receiverUrl, collectorUrl } = environment
  const otherSystems: Record<string, () => Promise<System>> = {
    bare: () => Promise.resolve(bareSystem(receiverUrl)),
    bullmq: async () => bullmqSystem(await startRedis(folder, cleanup), receiverUrl),
    'pg-boss': async () => pgBossSystem(postgres, await createDatabase(postgres, 'pg_boss'), receiverUrl),
    'graphile-worker': async () =>
      graphileSystem(postgres, await createDatabase(postgres, 'graphile_worker'), receiverUrl),
  }
  const installations: Record<string, () => Promise<Installation>> = {
    postgres: () => createInstallation('hookline_alone', { postgres }, receiverUrl, cleanup),
    unprepared: async () =>
      unprepared(await createInstallation('hookline_unprepared', { postgres }, receiverUrl, cleanup)),
    pgbouncer: async () =>
      behindPgBouncer(
        await createInstallation('hookline_pooled', { postgres }, receiverUrl, cleanup),
        cleanup,
      ),
    sampled: async () =>
      traced(
        await createInstallation('hookline_sampled', { postgres }, receiverUrl, cleanup),
        collectorUrl,
        sampledRatio,
      ),
    traced: async () =>
      traced(
        await createInstallation('hookline_traced', { postgres }, receiverUrl, cleanup),
        collectorUrl,
        1,
      ),
    nats: async () =>
      createInstallation(
        'hookline_nats',
        { postgres, nats: await startNats(folder, cleanup) },
        receiverUrl,
        cleanup,
      ),
  }

  const built = new Map<string, System>()
  const hookline: HooklineSystem[] = []
  for (const [name, build] of Object.entries(otherSystems))
    if (requested.includes(name)) built.set(name, await build())
  for (const [kind, build] of Object.entries(installations)) {
    const workers = [0, 1, 2, 4].filter((count) => requested.includes(nameOf(kind, count)))
    if (workers.length === 0) continue
    if (kind === 'nats' && !readsNatsUrl()) {
      console.log('Skipped nats-…: this version has no setting NATS_URL.')
      continue
    }
    const installation = await build()
    for (const count of workers) {
      const system = hooklineSystem(nameOf(kind, count), labels[kind] ?? kind, installation, count)
      built.set(system.name, system)
      hookline.push(system)
    }
  }
  return { systems: requested.flatMap((name) => built.get(name) ?? []), hookline }
}

/** Traces a part of the intake calls. */
function traced(installation: Installation, collectorUrl: string, ratio: number): Installation {
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: String(ratio) }
  return { ...installation, env: { ...installation.env, ...tracing } }
}

const labels: Record<string, string> = {
  postgres: 'PostgreSQL',
  unprepared: 'no prepared statements',
  pgbouncer: 'PgBouncer',
  sampled: `traces of ${sampledRatio * 100}% of the calls`,
  traced: 'traces of all calls',
  nats: 'NATS',
}

function nameOf(kind: string, workers: number): string {
  return `${kind}-${workers}`
}

function readsNatsUrl(): boolean {
  return Object.values(settings).some(({ name }) => name === 'NATS_URL')
}

/** Creates a database. Removing the server removes the database too. */
async function createDatabase(server: Server, name: string): Promise<string> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}
