/**
 * `npm run prove -- restore --gigabytes N`: measures backup and restore of a large database. Fills a ledger, backs it
 * up, writes a tenth of its size as WAL, restores the backup, replays the WAL and starts Hookline.
 */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres } from '../../../dev/postgres.ts'
import { startProcess } from '../../../dev/service-process.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { migrationsFolder } from '../../../server/src/db/migrations-folder.ts'
import { waitUntilReady } from '../deploy/try-out.ts'
import { seedLedger } from '../ledger/seed.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { createFolder } from '../support/servers.ts'
import { enableArchiving, restoreCluster } from './clusters.ts'
import { withClient } from '../support/with-client.ts'
import { logStep, timed } from './context.ts'
import { createRepository } from './pgbackrest.ts'

export interface Measurement {
  databaseBytes: number
  backupMs: number
  backupBytes: number
  /** An incremental backup after the WAL was written. */
  incrementMs: number
  incrementBytes: number
  restoreMs: number
  recoveryMs: number
  walBytes: number
  startMs: number
}

const gigabyte = 1e9
/** A delivery of the seeded ledger with its event, attempts and indexes, as docs/ledger.md measured it. */
const bytesPerDelivery = 850
const eventsPerInsert = 20_000
const fillSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  maintenance_work_mem: '512MB',
}

export async function measureRestore(gigabytes: number, cleanup: Cleanup): Promise<Measurement> {
  const parent = await createFolder(cleanup)
  const password = randomBytes(12).toString('hex')
  const postgres = createPostgres(parent, { port: await freePort(), password }, () => {})
  cleanup.push(() => postgres.remove())
  cleanup.push(() => postgres.stop())
  await postgres.start()
  const url = postgres.url()
  await migrate({ databaseUrl: new URL(url), folder: migrationsFolder })
  const restart = async (): Promise<void> => {
    await postgres.stop()
    await postgres.start()
  }

  logStep(`filling a database of about ${gigabytes} GB`)
  await withClient(url, (client) => alterSystem(client, fillSettings))
  await restart()
  const deliveries = Math.round((gigabytes * gigabyte) / bytesPerDelivery)
  await withClient(url, (client) => seedLedger(client, deliveries, 'http://127.0.0.1:9/'))
  await withClient(url, (client) => resetSettings(client, Object.keys(fillSettings)))
  const repository = await createRepository(parent)
  await enableArchiving(url, repository)
  await restart()
  await repository.create()

  logStep('full backup')
  const backupMs = await timed(() => repository.backup('full'))
  const full = await repository.newestBackup()
  logStep('writing WAL')
  const walBytes = await withClient(url, (client) => writeWal(client, (gigabytes * gigabyte) / 10))
  logStep('restore and recovery')
  await postgres.stop()
  const restored = await restoreCluster({ repository, parent, name: 'restored', url, isCopy: false, cleanup })

  logStep('starting Hookline')
  const settings = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64') }
  const startMs = await timed(async () => {
    const service = await startProcess(settings, 'all')
    cleanup.push(() => service.stop())
    await waitUntilReady(service.internalUrl)
  })
  logStep('incremental backup')
  const incrementMs = await timed(() => repository.backup('incr'))
  const increment = await repository.newestBackup()
  return {
    databaseBytes: full.database,
    backupMs,
    backupBytes: full.repository,
    incrementMs,
    incrementBytes: increment.repository,
    restoreMs: restored.restoreMs,
    recoveryMs: restored.recoveryMs,
    walBytes,
    startMs,
  }
}

async function alterSystem(client: Client, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
}

async function resetSettings(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(`ALTER SYSTEM RESET ${name}`)
}

/** Inserts events until so much WAL is written. Returns its size. */
async function writeWal(client: Client, bytes: number): Promise<number> {
  const { rows } = await client.query<{ start: string; partition: string }>(
    `SELECT pg_current_wal_lsn() AS start, min(inhrelid::regclass::text) AS partition
     FROM pg_inherits WHERE inhparent = 'events'::regclass`,
  )
  const { start, partition } = rows[0] ?? {}
  for (;;) {
    await client.query(
      `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at, message_id, sender, recipient)
       SELECT account_id, uuid_v7(now()), type, data, producer_id, now(), message_id, sender, recipient
       FROM ${partition} LIMIT ${eventsPerInsert}`,
    )
    const written = await client.query<{ bytes: string }>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes',
      [start],
    )
    const writtenBytes = Number(written.rows[0]?.bytes)
    if (writtenBytes >= bytes) return writtenBytes
  }
}
