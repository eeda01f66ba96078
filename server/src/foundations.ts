/** What every role stands on: settings, log, database, vault. */
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { missingMigrations } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { vaultKeyStore } from './db/vault-key-store.ts'
import { Advice } from './model/errors.ts'
import type { Log } from './ops/log.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { openVault, type Vault } from './vault/vault.ts'

export interface Foundations {
  config: Config
  log: Log
  db: Database
  vault: Vault
  metrics: Metrics
  /** For what failed in the background and will be tried again. */
  warn: (error: unknown) => void
}

export async function layFoundations(config: Config, log: Log): Promise<Foundations> {
  const missing = await missingMigrations(config.databaseUrl, migrationsFolder)
  if (missing.length > 0)
    throw new Advice(`The database lacks ${missing.join(', ')}. Run \`npm run migrate\` first.`)
  const warn = (error: unknown): void => log.warn({ error }, 'background work failed')
  const db = openDatabase(config.databaseUrl, config.poolSize, warn)
  const vault = await openVault(vaultKeyStore(db), config)
  return { config, log, db, warn, vault, metrics: createMetrics() }
}
