/** Profiles a run: functions by self time, and PostgreSQL statements. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'

interface CpuProfile {
  nodes: Array<{
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }>
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

const maxLines = 40
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
          printParts(name, timesOf(profile, window, partsOf(profile)), messages)
          printFunctions(timesOf(profile, window, namesOf(profile)), messages)
        }
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the time on the clock that CPU profiles use. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

function printParts(title: string, times: ReadonlyMap<string, number>, messages: number): void {
  const total = [...times.values()].reduce((sum, micros) => sum + micros, 0)
  console.log(`\n${title}: ${(total / messages).toFixed(1)} µs busy per delivery, by part`)
  print(times, messages)
}

function printFunctions(times: ReadonlyMap<string, number>, messages: number): void {
  console.log('\nSelf time by function')
  print(times, messages)
}

function print(times: ReadonlyMap<string, number>, messages: number): void {
  const sorted = [...times].toSorted((a, b) => b[1] - a[1])
  for (const [name, micros] of sorted.slice(0, maxLines))
    console.log(`${(micros / messages).toFixed(2).padStart(8)}  ${name}`)
}

/** Returns the busy time by the name of each sampled node. */
function timesOf(
  profile: CpuProfile,
  window: { from: number; to: number },
  names: ReadonlyMap<number, string>,
): Map<string, number> {
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

function namesOf({ nodes }: CpuProfile): Map<number, string> {
  return new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
}

/** A function belongs to the first part that matches its file, and others to the part of their caller. */
const parts: ReadonlyArray<readonly [RegExp, string]> = [
  [/\/undici\//, 'HTTP client'],
  [/delivery\/transport\//, 'send'],
  [/delivery\/request\/|model\/(hmac|account-signature)/, 'build and sign requests'],
  [/\/(pg|pg-protocol|pg-pool|kysely)\//, 'PostgreSQL client'],
  [/server\/src\/db\//, 'statement parameters'],
  [/\/pino\/|runtime\/log/, 'log'],
  [/prom-client|runtime\/metrics/, 'metrics'],
  [
    /delivery\/(intake|accept|commit-events|place-events|matching)|queue\/insert-events|model\/filter|model\/json-text/,
    'accept',
  ],
  [/server\/src\/(http|identity)\//, 'intake calls'],
  [/delivery\/(hand-off|leased-starter)|server\/src\/nats|\/@nats-io\//, 'hand-off'],
  [/queue\/settle|queue\/failure|queue\/circuit/, 'settle'],
  [/delivery\/(fresh-poller|route|due-poller)|queue\/(inbox|commit-route|claim)/, 'route and claim'],
  [/server\/src\/delivery\//, 'attempt'],
  [/node:_http_(server|incoming|outgoing|common)|\/zod\//, 'intake calls'],
  [/server\/src\//, 'other of Hookline'],
]

function partsOf({ nodes }: CpuProfile): Map<number, string> {
  const found = new Map<number, string>()
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  for (const { id, callFrame } of nodes) {
    const name = nameOf(callFrame)
    const location = `${callFrame.url} ${name}`
    const part = parts.find(([pattern]) => pattern.test(location))?.[1]
    // Parents come first.
    const inherited = found.get(parentOf.get(id) ?? -1)
    found.set(
      id,
      part ?? (name.startsWith('(') && !name.startsWith('(anonymous)') ? name : (inherited ?? 'other')),
    )
  }
  return found
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
