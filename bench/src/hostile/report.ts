/** Prints what was measured. */
import { type Spread, spreadOf } from '../isolation/figures.ts'
import type { Turns } from './judge.ts'
import type { TurnResult } from './turn.ts'

const kinds = ['baseline', 'with'] as const
const memoryColumns = 10

export function printReport(turns: Turns): void {
  console.log(`\n${row('healthy accounts', 'count', 'p50', 'p90', 'p99', 'p99.9', 'max')}`)
  printSpreads('acceptance to arrival', turns, ({ steady }) => steady.latencies)
  printSpreads('intake call', turns, ({ steady }) => steady.acceptMs)
  for (const call of turns.baseline.api.latencies.keys())
    printSpreads(`API call: ${call}`, turns, ({ api }) => api.latencies.get(call) ?? [])
  printMemory(turns)
  printHostile(turns.with)
  for (const kind of kinds) for (const line of turns[kind].complaints.lines) console.log(`${kind}: ${line}`)
}

function printSpreads(name: string, turns: Turns, timesOf: (turn: TurnResult) => readonly number[]): void {
  console.log(name)
  for (const kind of kinds) {
    const times = timesOf(turns[kind])
    console.log(row(`  ${kind}`, times.length, ...columnsOf(spreadOf(times))))
  }
}

function columnsOf({ p50, p90, p99, p999, max }: Spread): string[] {
  return [p50, p90, p99, p999, max].map((ms) => `${ms.toFixed(0)} ms`)
}

function printMemory(turns: Turns): void {
  console.log('\nmemory in MB, over time')
  for (const kind of kinds)
    for (const { name, rssMb } of turns[kind].memory) {
      const step = Math.max(1, rssMb.length / memoryColumns)
      const shown = Array.from({ length: Math.min(memoryColumns, rssMb.length) }, (_, n) =>
        (rssMb[Math.floor(n * step)] ?? 0).toFixed(0),
      )
      const max = rssMb.reduce((most, one) => Math.max(most, one), 0)
      console.log(row(`  ${kind}: ${name}`, ...shown, `max ${max.toFixed(0)}`))
    }
}

function printHostile({ hostile }: TurnResult): void {
  if (hostile === undefined) return
  const { registered, refused, results } = hostile
  console.log(
    `\nhostile tenant: ${registered} webhooks registered; registrations refused: ${partsOf(refused)}`,
  )
  for (const [name, counts] of Object.entries(results)) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    console.log(`  ${name.padEnd(16)} ${String(total).padStart(7)}   ${partsOf(counts)}`)
  }
}

function partsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([result, count]) => `${result}: ${count}`)
    .join(', ')
}

function row(name: string, ...columns: Array<string | number>): string {
  return [name.padEnd(28), ...columns.map((column) => String(column).padStart(9))].join('')
}
