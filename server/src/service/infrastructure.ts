/** Shared by all roles: settings, log, database, clock, vault, metrics and optionally NATS. */
import { commandLine } from '../model/command-line.ts'
import { type EventTypes, followEventTypes } from '../catalog/follow-event-types.ts'
import type { Config } from '../config.ts'
import { installationName } from '../db/installation.ts'
import { type Database, readTime } from '../db/database.ts'
import { missingMigrations } from '../db/migrate.ts'
import { migrationsFolder } from '../db/migrations-folder.ts'
import { vaultKeyStore } from '../db/vault-key-store.ts'
import { createHookCache, type HookCache } from '../hooks/hook-cache.ts'
import { saveReport } from '../hooks/hook-problems.ts'
import { OperatorError } from '../model/errors.ts'
import { type DatabaseClock, startDatabaseClock } from '../runtime/database-clock.ts'
import type { Log } from '../runtime/log.ts'
import { createMetrics, type Metrics } from '../runtime/metrics.ts'
import { noTracing, type Tracing } from '../runtime/tracing.ts'
import { createHookHints, type HookHints } from '../nats/hook-hints.ts'
import { type Nats, type NatsState, openNats } from '../nats/nats.ts'
import { createHint, type Hint } from '../nats/hints.ts'
import { openVault, type Vault } from '../vault/vault.ts'
import { openPool } from './open-pool.ts'

export interface Infrastructure {
  config: Config
  log: Log
  db: Database
  /** Follows the time of the database. */
  clock: DatabaseClock
  vault: Vault
  metrics: Metrics
  tracing: Tracing
  eventTypes: EventTypes & { stop: () => Promise<void> }
  /** Undefined without NATS. */
  nats:
    | { connection: Nats; installation: string; hookHints: HookHints; tailHint: Hint; inboxHint: Hint }
    | undefined
  /** Hooks as they are matched and delivered to. */
  hooks: HookCache
  /** Logs errors of background tasks. */
  warn: (error: unknown) => void
}

export async function createInfrastructure(config: Config, log: Log, role: string): Promise<Infrastructure> {
  const missing = await missingMigrations(config.databaseUrl, migrationsFolder)
  if (missing.length > 0)
    throw new OperatorError(
      `Missing migrations: ${missing.join(', ')}. Run \`${commandLine('migrate')}\` first.`,
    )
  const warn = (error: unknown): void => log.warn({ error }, 'background task failed')
  const metrics = createMetrics()
  const tracing = await startTracing(config, role, { log, metrics })
  const db = openPool({ config, metrics, warn }, 'main', config.poolSize)
  const clock = await startClock(db, log, warn)
  const vault = await openVault(vaultKeyStore(db), config)
  const eventTypes = await followEventTypes(db, {
    acceptsUnknown: config.unknownEventTypes === 'route',
    onError: warn,
  })
  const hooks = createHooks({ db, vault, log, warn })
  const nats = config.natsUrl && (await openHints(config.natsUrl, db, log))
  nats?.hookHints.subscribe(hooks.invalidate)
  return { config, log, db, clock, warn, vault, metrics, tracing, eventTypes, hooks, nats }
}

/** Without a collector, the SDK is not even loaded. */
async function startTracing(
  { otlpEndpoint, otlpHeaders, traceRatio }: Config,
  role: string,
  deps: { log: Log; metrics: Metrics },
): Promise<Tracing> {
  if (otlpEndpoint === undefined) return noTracing
  const { createTracing } = await import('../runtime/otel-tracing.ts')
  return createTracing({ otlpEndpoint, otlpHeaders, traceRatio }, role, deps)
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

async function openHints(url: URL, db: Database, log: Log): Promise<NonNullable<Infrastructure['nats']>> {
  const installation = await installationName(db)
  const connection = openNats(url, (state, error) => logNatsState(log, state, error))
  return {
    connection,
    installation,
    hookHints: createHookHints(connection, installation),
    tailHint: createHint(connection, `hookline.${installation}.tail`, { minIntervalMs: tailHintMs }),
    inboxHint: createHint(connection, `hookline.${installation}.inbox`, {
      minIntervalMs: inboxHintMs,
      queue: 'workers',
    }),
  }
}

/** Tails poll, so a hint saves a quarter of a second. Each costs all processes with tails a read. */
const tailHintMs = 20
const inboxHintMs = 5

function createHooks({
  db,
  vault,
  log,
  warn,
}: Pick<Infrastructure, 'db' | 'vault' | 'log' | 'warn'>): HookCache {
  return createHookCache(db, vault, {
    recordsUse: true,
    onReport(report) {
      for (const { accountId, hookId, problem } of report.unloadable)
        log.error(
          { account: accountId, hook: hookId, problem },
          'webhook cannot be loaded, deliveries on hold',
        )
      for (const { accountId, hookId } of report.loadable)
        log.info({ account: accountId, hook: hookId }, 'webhook loaded again')
      saveReport(db, report).catch(warn)
    },
  })
}

/** Logs at most warnings: without NATS no event is lost, and the delay is small. */
function logNatsState(log: Log, state: NatsState, error: unknown): void {
  if (state === 'connected') log.info('nats connected')
  else if (state === 'gone') log.warn('nats disconnected, polling PostgreSQL')
  else log.warn({ error }, 'nats unavailable, polling PostgreSQL')
}
