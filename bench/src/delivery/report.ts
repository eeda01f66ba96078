/** Prints results as tables, and writes them as JSON and charts. */
import { writeFile } from 'node:fs/promises'
import { costChart } from './charts/cost.ts'
import { latencyChart } from './charts/latency.ts'
import { throughputChart } from './charts/throughput.ts'
import type { LatencyResult } from './ramp.ts'
import type { Machine } from './machine.ts'
import type { ThroughputResult } from './summary.ts'

export interface Results {
  machine: Machine
  sizes: { messages: number; runs: number; seconds: number }
  throughput: ThroughputResult[]
  latency: LatencyResult[]
}

export function printResults({ machine, sizes, throughput, latency }: Results): void {
  const { processor, cores, memoryGiB, kernel, syncMs } = machine
  console.log(
    `\n${processor}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}; disk sync ${syncMs.toFixed(2)} ms`,
  )
  if (throughput.length > 0) {
    console.log(`\nThroughput and cost: medians of ${sizes.runs} runs of ${sizes.messages} messages of 1 KB`)
    console.log('Core-µs, WAL and growth are per message, without the receiver and the load generator.\n')
    printTable([
      ['', 'msg/s', 'min', 'max', 'vs. bare', 'core-µs', 'WAL B', 'growth B', 'core-µs by process'],
      ...throughput.map(throughputRow),
    ])
  }
  if (latency.length === 0) return
  console.log(`\nLatency from acceptance to arrival in ms (± 1 ms), open load for ${sizes.seconds} s\n`)
  printTable([
    ['', 'events/s', 'p50', 'p99', 'p99.9', 'max', 'call p99', 'lag', 'core-µs', ''],
    ...latency.flatMap(latencyRows),
  ])
  console.log('')
  for (const { label, kneePerSecond, isKneeFound } of latency)
    console.log(
      `${label}: sustains ${kneePerSecond}/s${isKneeFound ? '' : ' or more; no higher rate was tried'}`,
    )
}

function throughputRow(result: ThroughputResult): string[] {
  const groups = Object.entries(result.coreMicros).map(([name, micros]) => `${name} ${micros.toFixed(0)}`)
  return [
    result.label,
    result.median.toFixed(0),
    result.slowest.toFixed(0),
    result.fastest.toFixed(0),
    result.ratioToBare === undefined ? '' : `${(result.ratioToBare * 100).toFixed(0)}%`,
    result.totalMicros.toFixed(0),
    result.walBytes.toFixed(0),
    result.storedBytes.toFixed(0),
    `${groups.join(', ')} (receiver ${result.receiverMicros.toFixed(0)})`,
  ]
}

function latencyRows({ label, rates }: LatencyResult): string[][] {
  return rates.map((run) => {
    const { p50Ms, p99Ms, p999Ms, maxMs, callP99Ms, lagMs } = run
    const micros = Object.values(run.coreMicros).reduce((sum, value) => sum + value, 0)
    const times = [p50Ms, p99Ms, p999Ms, maxMs, callP99Ms, lagMs, micros].map((value) => value.toFixed(0))
    return [label, String(run.eventsPerSecond), ...times, run.isSustained ? 'sustained' : 'NOT sustained']
  })
}

/** Aligns the first and last column left, because they hold text, and the others right. */
function printTable(rows: readonly string[][]): void {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 || column === columns - 1
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    )
    console.log(cells.join('  ').trimEnd())
  }
}

export async function writeResults(results: Results, folder: string): Promise<void> {
  await writeFile(`${folder}/delivery.json`, `${JSON.stringify(results, rounded, 2)}\n`)
  if (results.throughput.length > 0) {
    await writeFile(`${folder}/throughput.svg`, throughputChart(results.throughput))
    await writeFile(`${folder}/cost.svg`, costChart(results.throughput))
  }
  if (results.latency.length > 0) await writeFile(`${folder}/latency.svg`, latencyChart(results.latency))
}

/** Rounds to four significant digits. More would suggest a precision that the measurement lacks. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
