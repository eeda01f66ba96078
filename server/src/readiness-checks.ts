/** What each role needs for its own work, as readiness checks. */
import { sql } from 'kysely'
import type { Database } from './db/database.ts'
import { type DatabaseClock, describeOffset } from './ops/database-clock.ts'
import type { ReadinessCheck } from './ops/readiness.ts'
import type { NameResolver } from './pipeline/dispatch/resolve.ts'
import { ledgerTables } from './pipeline/ledger/partitions.ts'
import type { Worker } from './pipeline/worker.ts'

/** Of every role. */
export function databaseChecks(db: Database, migrations: readonly string[]): ReadinessCheck[] {
  return [
    {
      name: 'database',
      async findProblem() {
        await sql`SELECT 1`.execute(db)
        return undefined
      },
    },
    {
      name: 'migrations',
      async findProblem() {
        const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db)
        const applied = new Set(rows.map(({ name }) => name))
        const missing = migrations.filter((name) => !applied.has(name))
        return missing.length === 0
          ? undefined
          : `The database lacks ${missing.join(', ')}. Run \`npm run migrate\`.`
      },
    },
  ]
}

/** Of every role: a process that disagrees with the database about the time must be looked at. */
export function clockCheck(clock: DatabaseClock): ReadinessCheck {
  return {
    name: 'clock',
    findProblem: async () => (clock.isRight() ? undefined : describeOffset(clock.offsetMs())),
  }
}

/** Of the api: an event could be committed now. */
export function intakeCheck(db: Database): ReadinessCheck {
  return {
    name: 'intake',
    async findProblem() {
      const { rows } = await sql<{ isReadOnly: boolean; missing: string[] }>`
        SELECT current_setting('transaction_read_only') = 'on' AS is_read_only,
               ARRAY(SELECT name FROM unnest(${[...ledgerTables]}::text[]) AS ledger (table_name),
                     concat(table_name, '_', to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')) AS name
                     WHERE to_regclass(name) IS NULL) AS missing
      `.execute(db)
      const [state] = rows
      if (state?.isReadOnly) return 'The database is read-only.'
      if (state !== undefined && state.missing.length > 0)
        return `Partitions of today are missing: ${state.missing.join(', ')}. They are created within 10 seconds.`
      return undefined
    },
  }
}

/** Shorter failures are retried and pass by themselves. */
const maxFailingSeconds = 5

/** Of the worker: it takes fresh events and due deliveries. */
export function claimCheck(worker: Worker): ReadinessCheck {
  return {
    name: 'claim',
    async findProblem() {
      const seconds = worker.failingSeconds()
      return seconds <= maxFailingSeconds
        ? undefined
        : `Taking work has failed for ${Math.round(seconds)} s. The log has the error.`
    },
  }
}

/** Of a worker: receivers can be found by their names. */
export function resolverCheck(resolver: NameResolver): ReadinessCheck {
  return {
    name: 'dns',
    async findProblem() {
      return resolver.isDown()
        ? 'Our DNS resolver does not answer. Deliveries wait and use up no attempt. Check `DNS_SERVERS`.'
        : undefined
    },
  }
}
