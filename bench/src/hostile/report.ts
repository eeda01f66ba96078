/** Prints the measurements. */
import { type Percentiles, percentilesOf } from '../isolation/latency-stats.ts'
import type { RunResult, Runs } from './run.ts'

const kinds = ['baseline', 'with'] as const
const memoryColumns = 10

export function printReport(runs: Runs): void {
  console.log(`\n${row('healthy accounts', 'count', 'p50', 'p90', 'p99', 'p99.9', 'max')}`)
  printPercentiles('acceptance to arrival', runs, ({ steady }) => steady.latencies)
  printPercentiles('intake call', runs, ({ steady }) => steady.acceptMs)
  for (const call of runs.baseline.api.latencies.keys())
    printPercentiles(`API call: ${call}`, runs, ({ api }) => api.latencies.get(call) ?? [])
  printMemory(runs)
  printHostile(runs.with)
  for (const kind of kinds)
    for (const line of runs[kind].loggedProblems.lines) console.log(`${kind}: ${line}`)
}

function printPercentiles(name: string, runs: Runs, timesOf: (run: RunResult) => readonly number[]): void {
  console.log(name)
  for (const kind of kinds) {
    const times = timesOf(runs[kind])
    console.log(row(`  ${kind}`, times.length, ...columnsOf(percentilesOf(times))))
  }
}

function columnsOf({ p50, p90, p99, p999, max }: Percentiles): string[] {
  return [p50, p90, p99, p999, max].map((ms) => `${ms.toFixed(0)} ms`)
}

function printMemory(runs: Runs): void {
  console.log('\nmemory in MB over time')
  for (const kind of kinds)
    for (const { name, rssMb } of runs[kind].memory) {
      const step = Math.max(1, rssMb.length / memoryColumns)
      const visible = Array.from({ length: Math.min(memoryColumns, rssMb.length) }, (_, n) =>
        (rssMb[Math.floor(n * step)] ?? 0).toFixed(0),
      )
      const peak = rssMb.reduce((highest, one) => Math.max(highest, one), 0)
      console.log(row(`  ${kind}: ${name}`, ...visible, `max ${peak.toFixed(0)}`))
    }
}

function printHostile({ hostile }: RunResult): void {
  if (hostile === undefined) return
  const { registered, rejected, results } = hostile
  console.log(
    `\nhostile tenant: ${registered} webhooks registered; rejected registrations: ${formatCounts(rejected)}`,
  )
  for (const [name, counts] of Object.entries(results)) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    console.log(`  ${name.padEnd(16)} ${String(total).padStart(7)}   ${formatCounts(counts)}`)
  }
}

export function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([result, count]) => `${result}: ${count}`)
    .join(', ')
}

function row(name: string, ...columns: Array<string | number>): string {
  return [name.padEnd(28), ...columns.map((column) => String(column).padStart(9))].join('')
}
