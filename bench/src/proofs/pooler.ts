/**
 * `npm run bench -- pooler`: measures the CPU time of the statement that accepts events, direct and behind PgBouncer,
 * with and without prepared statements. `--managed <program>` adds a PgBouncer that supports prepared statements.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createPgBouncer } from '../../../dev/pgbouncer.ts'
import { startServices } from '../../../dev/services.ts'
import { type Database, openDatabase } from '../../../server/src/db/database.ts'
import { storeRoleSettings } from '../../../server/src/db/role-settings.ts'
import { takeIdEndings } from '../../../server/src/model/event-id.ts'
import { insertEvents } from '../../../server/src/delivery/queue/insert-events.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { createBenchDatabase } from '../support/database.ts'
import { createCleanup, type Cleanup } from '../support/cleanup.ts'

interface ConnectionMode {
  name: string
  db: Database
  poolerPid?: number
}

interface Cost {
  node: number
  backend: number
  pooler: number
}

const runs = 7
const sizes = [
  { events: 1, statements: 200 },
  { events: 50, statements: 40 },
]
const event = {
  accountId: 1,
  producerId: 0,
  type: 'sms_mo',
  data: '{"system":"1"}',
  occurredAt: null,
  key: null,
  digest: null,
  messageId: 'bench',
  sender: null,
  recipient: null,
  foreignId: null,
} as const

export async function poolerBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { managed: { type: 'string' } } })
  const { DATABASE_URL } = await startServices(console.log)
  const cleanup = createCleanup()
  try {
    const { url, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_bench_pooler')
    cleanup.push(drop)
    const modes = await openModes(url, values.managed, cleanup)
    const costs = new Map<string, Cost[]>()
    for (let run = 0; run < runs; run++)
      for (const mode of modes)
        for (const size of sizes) {
          const name = `${mode.name}, ${size.events} per statement`
          costs.set(name, [...(costs.get(name) ?? []), await measure(mode, size)])
        }
    console.log('core-µs per statement, medians')
    for (const [name, all] of costs)
      console.log(
        `${name}: service ${median(all, 'node')}, PostgreSQL ${median(all, 'backend')}, pooler ${median(all, 'pooler')}`,
      )
  } finally {
    await cleanup.run()
  }
}

async function openModes(url: URL, managed: string | undefined, cleanup: Cleanup): Promise<ConnectionMode[]> {
  const open = (at: URL, preparedStatements: boolean): Database => {
    const db = openDatabase(at, 1, () => {}, { preparedStatements })
    cleanup.push(() => db.destroy())
    return db
  }
  const behind = async (name: string, program: string, isManaged: boolean): Promise<ConnectionMode> => {
    const settings = isManaged ? ['max_prepared_statements = 100'] : []
    const pgbouncer = await createPgBouncer(url, 1, { program, settings })
    cleanup.push(() => pgbouncer.close())
    await pgbouncer.start()
    const databaseUrl = pgbouncer.through(url)
    await storeRoleSettings({ directUrl: url, databaseUrl })
    return { name, db: open(databaseUrl, isManaged), poolerPid: pgbouncer.pid() }
  }
  const direct = open(url, true)
  await createPartitions(direct, Date.now())
  return [
    { name: 'direct, prepared', db: direct },
    { name: 'direct, not prepared', db: open(url, false) },
    await behind('PgBouncer, not prepared', 'pgbouncer', false),
    ...(managed === undefined ? [] : [await behind('PgBouncer, prepared', managed, true)]),
  ]
}

async function measure({ db, poolerPid }: ConnectionMode, size: (typeof sizes)[number]): Promise<Cost> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  const backendPid = rows[0]?.pid
  const [backend, pooler] = [await coreMicros(backendPid), await coreMicros(poolerPid)]
  const started = process.cpuUsage()
  for (let done = 0; done < size.statements; done++)
    await insertEvents(
      db,
      takeIdEndings(size.events).map((idEnding) => ({ ...event, idEnding })),
    )
  const { user, system } = process.cpuUsage(started)
  return {
    node: (user + system) / size.statements,
    backend: ((await coreMicros(backendPid)) - backend) / size.statements,
    pooler: ((await coreMicros(poolerPid)) - pooler) / size.statements,
  }
}

async function coreMicros(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0
  return Number.parseInt(await readFile(`/proc/${pid}/schedstat`, 'utf8')) / 1_000
}

function median(costs: readonly Cost[], part: keyof Cost): string {
  const sorted = costs.map((cost) => cost[part]).toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0)
}
