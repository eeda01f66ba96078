/** Opens a pool of database connections with metrics. */
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../db/database.ts'
import type { Metrics } from '../runtime/metrics.ts'

interface PoolDeps {
  config: Config
  metrics: Metrics
  /** Called with the error of a lost connection. */
  warn: (error: unknown) => void
}

export function openPool({ config, metrics, warn }: PoolDeps, name: string, size: number): Database {
  return openDatabase(config.databaseUrl, size, warn, {
    preparedStatements: config.preparedStatements,
    onOpen: (readUse) => metrics.addPool(name, readUse),
  })
}
