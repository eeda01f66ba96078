/** Everybody who takes part, by name; who is not wanted is not built, and neither are servers that nobody needs. */
import { Client } from 'pg'
import { settings } from '../../../server/src/config.ts'
import { bareContestant } from './contestants/bare.ts'
import { bullmqContestant } from './contestants/bullmq.ts'
import type { Contestant } from './contestants/contestant.ts'
import { graphileContestant } from './contestants/graphile-worker.ts'
import {
  createInstallation,
  type HooklineContestant,
  hooklineContestant,
  type Installation,
} from './contestants/hookline.ts'
import { behindPgBouncer, unprepared } from './contestants/pooled.ts'
import { pgBossContestant } from './contestants/pg-boss.ts'
import { type Server, startNats, startRedis } from './servers.ts'
import type { Undo } from '../undo.ts'

/** All of them, but for what a pooler costs, which is asked for by `--pooler`. */
export const usualNames = [
  'bare',
  'postgres-1',
  'postgres-2',
  'postgres-4',
  'jetstream-1',
  'jetstream-2',
  'jetstream-4',
  'bullmq',
  'pg-boss',
  'graphile-worker',
]
export const poolerNames = ['postgres-2', 'unprepared-2', 'pgbouncer-2']
export const names = [...new Set([...usualNames, ...poolerNames])]

export interface Cast {
  contestants: Contestant[]
  /** Those of them that are Hookline. */
  hookline: HooklineContestant[]
}

export async function createCast(
  wanted: readonly string[],
  world: { folder: string; postgres: Server; receiverUrl: string },
  undo: Undo,
): Promise<Cast> {
  const { folder, postgres, receiverUrl } = world
  const rivals: Record<string, () => Promise<Contestant>> = {
    bare: () => Promise.resolve(bareContestant(receiverUrl)),
    bullmq: async () => bullmqContestant(await startRedis(folder, undo), receiverUrl),
    'pg-boss': async () => pgBossContestant(postgres, await createDatabase(postgres, 'pg_boss'), receiverUrl),
    'graphile-worker': async () =>
      graphileContestant(postgres, await createDatabase(postgres, 'graphile_worker'), receiverUrl),
  }
  const kinds: Record<string, () => Promise<Installation>> = {
    postgres: () => createInstallation('hookline_alone', { postgres }, receiverUrl, undo),
    unprepared: async () =>
      unprepared(await createInstallation('hookline_unprepared', { postgres }, receiverUrl, undo)),
    pgbouncer: async () =>
      behindPgBouncer(await createInstallation('hookline_pooled', { postgres }, receiverUrl, undo), undo),
    jetstream: async () =>
      createInstallation(
        'hookline_nats',
        { postgres, nats: await startNats(folder, undo) },
        receiverUrl,
        undo,
      ),
  }

  const built = new Map<string, Contestant>()
  const hookline: HooklineContestant[] = []
  for (const [name, build] of Object.entries(rivals))
    if (wanted.includes(name)) built.set(name, await build())
  for (const [kind, build] of Object.entries(kinds)) {
    const workers = [1, 2, 4].filter((count) => wanted.includes(nameOf(kind, count)))
    if (workers.length === 0) continue
    if (kind === 'jetstream' && !readsNatsUrl()) {
      console.log('Left out: jetstream-…, because this version has no setting NATS_URL.')
      continue
    }
    const installation = await build()
    for (const count of workers) {
      const contestant = hooklineContestant(nameOf(kind, count), labels[kind] ?? kind, installation, count)
      built.set(contestant.name, contestant)
      hookline.push(contestant)
    }
  }
  return { contestants: wanted.flatMap((name) => built.get(name) ?? []), hookline }
}

const labels: Record<string, string> = {
  postgres: 'PostgreSQL',
  unprepared: 'no prepared statements',
  pgbouncer: 'PgBouncer',
  jetstream: 'JetStream',
}

function nameOf(kind: string, workers: number): string {
  return `${kind}-${workers}`
}

function readsNatsUrl(): boolean {
  return Object.values(settings).some(({ name }) => name === 'NATS_URL')
}

/** Goes with the server. */
async function createDatabase(server: Server, name: string): Promise<string> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}
