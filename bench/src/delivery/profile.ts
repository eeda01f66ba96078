/** Profiles a run: functions by self time, and PostgreSQL statements. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'

interface CpuProfile {
  nodes: Array<{ id: number; callFrame: { functionName: string; url: string; lineNumber: number } }>
  samples: number[]
  timeDeltas: number[]
  /** Microseconds on the machine's monotonic clock. */
  startTime: number
}

export interface Profile {
  /** Processes write their CPU profiles here when they exit. */
  folder: string
  begin: (database: Client | undefined) => Promise<void>
  end: (database: Client | undefined, messages: number) => Promise<void>
  /** Prints the profiles. Call it after the processes have exited. */
  print: (messages: number) => Promise<void>
}

const maxFunctions = 30
const maxStatements = 20

export async function createProfile(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-profile-'))
  const window = { from: 0, to: 0 }
  return {
    folder,
    async begin(database) {
      window.from = monotonicMicros()
      if (database !== undefined) await resetStatements(database)
    },
    async end(database, messages) {
      window.to = monotonicMicros()
      if (database !== undefined) await printStatements(database, messages)
    },
    async print(messages) {
      for (const name of (await readdir(folder)).toSorted())
        for (const file of await readdir(`${folder}/${name}`)) {
          // Threads write profiles of their own. The main thread has the number 0.
          if (!/\.0\.\d+\.cpuprofile$/.test(file)) continue
          const profile = JSON.parse(await readFile(`${folder}/${name}/${file}`, 'utf8')) as CpuProfile
          printFunctions(name, selfTimes(profile, window), messages)
        }
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the time on the clock that CPU profiles use. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

function printFunctions(title: string, times: ReadonlyMap<string, number>, messages: number): void {
  const sorted = [...times].toSorted((a, b) => b[1] - a[1])
  const total = sorted.reduce((sum, [, micros]) => sum + micros, 0)
  console.log(`\n${title}: ${(total / messages).toFixed(1)} µs busy per delivery; self time by function`)
  for (const [name, micros] of sorted.slice(0, maxFunctions))
    console.log(`${(micros / messages).toFixed(2).padStart(8)}  ${name}`)
}

function selfTimes(profile: CpuProfile, window: { from: number; to: number }): Map<string, number> {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let at = profile.startTime
  for (const [index, sample] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0
    at += delta
    const name = names.get(sample) ?? ''
    if (at < window.from || at > window.to || name.startsWith('(idle)')) continue
    // A sample covers the time until the next one.
    times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[index + 1] ?? 0))
  }
  return times
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const location = url.replace(/^.*\/(?=(node_modules|server|bench)\/)/, '')
  return `${functionName || '(anonymous)'}${location === '' ? '' : `  ${location}:${lineNumber + 1}`}`
}

async function resetStatements(client: Client): Promise<void> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  await client.query('SELECT pg_stat_statements_reset()')
}

async function printStatements(client: Client, messages: number): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT calls, rows, total_exec_time, mean_exec_time, wal_bytes, regexp_replace(query, '\\s+', ' ', 'g') AS query
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY total_exec_time DESC LIMIT ${maxStatements}`,
  )
  console.log('\nStatements (time, WAL and calls per delivery)')
  console.log('µs/delivery  mean ms    calls/d   rows/call  WAL B/d  statement')
  for (const row of rows) {
    const calls = Number(row.calls)
    const values = [
      ((Number(row.total_exec_time) * 1_000) / messages).toFixed(2).padStart(11),
      Number(row.mean_exec_time).toFixed(3).padStart(8),
      (calls / messages).toFixed(4).padStart(10),
      (Number(row.rows) / calls).toFixed(1).padStart(11),
      (Number(row.wal_bytes) / messages).toFixed(0).padStart(8),
    ]
    console.log(`${values.join(' ')}  ${titleOf(row.query ?? '')}`)
  }
}

/** Returns a short title with the tables that the statement writes. Long statements often start with the same text. */
function titleOf(query: string): string {
  const writtenTables = [...query.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) (?!SKIP|SET)(\w+)/gi)].map(
    ([, table]) => table,
  )
  const tables = writtenTables.length === 0 ? '' : `[${[...new Set(writtenTables)].join(', ')}] `
  return `${tables}${query.slice(0, 120)}`
}
