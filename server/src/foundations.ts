/** What every role stands on: settings, log, database, vault, and NATS where there is one. */
import type { Config } from './config.ts'
import { installationName } from './db/installation.ts'
import { type Database, openDatabase, readTime } from './db/database.ts'
import { missingMigrations } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { vaultKeyStore } from './db/vault-key-store.ts'
import { Advice } from './model/errors.ts'
import { type DatabaseClock, startDatabaseClock } from './ops/database-clock.ts'
import type { Log } from './ops/log.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { createHookHints, type HookHints } from './stream/hook-hints.ts'
import { type Nats, type NatsState, openNats } from './stream/nats.ts'
import { createTailHints, type TailHints } from './stream/tail-hints.ts'
import { openVault, type Vault } from './vault/vault.ts'

export interface Foundations {
  config: Config
  log: Log
  db: Database
  /** The database's time. */
  clock: DatabaseClock
  vault: Vault
  metrics: Metrics
  /** Undefined: PostgreSQL alone. */
  stream: { nats: Nats; installation: string; hints: HookHints; tailHints: TailHints } | undefined
  /** For what failed in the background and will be tried again. */
  warn: (error: unknown) => void
}

export async function layFoundations(config: Config, log: Log): Promise<Foundations> {
  const missing = await missingMigrations(config.databaseUrl, migrationsFolder)
  if (missing.length > 0)
    throw new Advice(`The database lacks ${missing.join(', ')}. Run \`npm run migrate\` first.`)
  const warn = (error: unknown): void => log.warn({ error }, 'background work failed')
  const db = openDatabase(config.databaseUrl, config.poolSize, warn, config)
  const clock = await startClock(db, log, warn)
  const vault = await openVault(vaultKeyStore(db), config)
  const stream = config.natsUrl && (await openStream(config.natsUrl, db, log))
  return { config, log, db, clock, warn, vault, metrics: createMetrics(), stream }
}

function startClock(db: Database, log: Log, onError: (error: unknown) => void): Promise<DatabaseClock> {
  return startDatabaseClock({
    read: () => readTime(db),
    onError,
    onChange(isRight, offsetMs) {
      const fields = { offset_seconds: offsetMs / 1_000 }
      if (isRight) log.info(fields, 'clock agrees with the database again')
      else log.error(fields, 'clock differs from the database')
    },
    onStep: (byMs) => log.error({ by_seconds: byMs / 1_000 }, 'database clock stepped'),
  })
}

async function openStream(url: URL, db: Database, log: Log): Promise<NonNullable<Foundations['stream']>> {
  const installation = await installationName(db)
  const nats = openNats(url, (state, error) => logNatsState(log, state, error))
  return {
    nats,
    installation,
    hints: createHookHints(nats, installation),
    tailHints: createTailHints(nats, installation),
  }
}

/** Without NATS nothing is lost and little is late, so none of this is an error. */
function logNatsState(log: Log, state: NatsState, error: unknown): void {
  if (state === 'connected') log.info('NATS is connected')
  else if (state === 'gone') log.warn('NATS is gone; PostgreSQL alone does the work until it is back')
  else log.warn({ error }, 'NATS cannot be used; PostgreSQL alone does the work')
}
