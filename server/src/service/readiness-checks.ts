/** Readiness checks of each role. */
import { sql } from 'kysely'
import { commandLine } from '../model/command-line.ts'
import type { Database } from '../db/database.ts'
import { type DatabaseClock, describeOffset } from '../runtime/database-clock.ts'
import type { ReadinessCheck } from '../runtime/readiness.ts'
import type { NameResolver } from '../delivery/transport/resolve.ts'
import { ledgerTables } from '../ledger/partitions.ts'
import type { Worker } from '../delivery/worker.ts'

/** For every role: the database responds and has all migrations. */
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
          : `Missing migrations: ${missing.join(', ')}. Run \`${commandLine('migrate')}\`.`
      },
    },
  ]
}

/** For every role: the clock of the process agrees with the database. */
export function clockCheck(clock: DatabaseClock): ReadinessCheck {
  return {
    name: 'clock',
    findProblem: async () => (clock.isRight() ? undefined : describeOffset(clock.offsetMs())),
  }
}

/** For the api role: the database can commit an event now. */
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
        return `Partitions for today are missing: ${state.missing.join(', ')}. Hookline creates them within 10 seconds.`
      return undefined
    },
  }
}

/** Shorter failures usually recover by retry. */
const maxFailingSeconds = 5

/** For the worker role: claiming fresh events and due deliveries succeeds. */
export function claimCheck(worker: Worker): ReadinessCheck {
  return {
    name: 'claim',
    async findProblem() {
      const seconds = worker.failingSeconds()
      return seconds <= maxFailingSeconds
        ? undefined
        : `Claims have failed for ${Math.round(seconds)} s. See the log for the error.`
    },
  }
}

/** For a process with only the worker role: the DNS resolver responds. */
export function resolverCheck(resolver: NameResolver): ReadinessCheck {
  return {
    name: 'dns',
    async findProblem() {
      return resolver.isDown()
        ? 'The DNS resolver does not respond. Deliveries stay pending and use no attempts. Check `DNS_SERVERS`.'
        : undefined
    },
  }
}
