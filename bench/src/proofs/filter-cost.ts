/**
 * `npm run prove -- filter-cost`: searches for the most expensive pairs of filter and event, and lists the worst ten.
 * Fails if a pair takes more than 5 ms of CPU time or 8 MB. The same `--seed` repeats a search.
 */
import { parseArgs } from 'node:util'
import { type Cost, searchWorst } from '../../../server/test/support/filter-search.ts'

const maxCpuMs = 5
const maxMegabytes = 8

export async function proveFilterCost(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { pairs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  })
  const started = performance.now()
  const result = searchWorst(Number(values.pairs), Number(values.seed))
  const seconds = ((performance.now() - started) / 1_000).toFixed(0)
  console.log(
    `${result.pairs} pairs of ${result.filters} filters in ${seconds} s; ${result.tooExpensive} too expensive; ` +
      `the slowest validation took ${result.validateMs.toFixed(1)} ms`,
  )
  list('worst by CPU time', result.byCpu)
  list('worst by memory', result.byMemory)
  const broken = [...result.byCpu, ...result.byMemory].filter(
    ({ cpuMs, megabytes }) => cpuMs > maxCpuMs || megabytes > maxMegabytes,
  )
  if (broken.length === 0) return
  console.error(`${broken.length} pairs exceed ${maxCpuMs} ms or ${maxMegabytes} MB`)
  process.exitCode = 1
}

function list(title: string, costs: readonly Cost[]): void {
  console.log(`\n${title}`)
  for (const { units, cpuMs, megabytes, event, filter } of costs)
    console.log(
      `${Math.round(units).toString().padStart(9)} units ${cpuMs.toFixed(2).padStart(6)} ms ` +
        `${megabytes.toFixed(2).padStart(6)} MB  ${event}: ${filter}`,
    )
}
