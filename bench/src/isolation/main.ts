/**
 * `npm run prove -- isolation`: a noisy neighbor must not affect healthy accounts. Runs each scenario alternately
 * without and with its noisy neighbor, each in a fresh database, and compares the latency of healthy accounts.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { startServices } from '../../../dev/services.ts'
import { type Comparison, compare } from './compare.ts'
import { percentilesOf } from './latency-stats.ts'
import { type Scenario, scenarios, toSmokeScenario } from './scenarios.ts'
import { type Kind, runKinds, type RunOptions, type RunResult } from './run.ts'
import { createCleanup } from '../support/cleanup.ts'

const workers = 2
/** So few slots that a few slow responses fill them within a smoke run. */
const smokeConcurrency = '64'

interface Options {
  selected: readonly Scenario[]
  /** Number of pairs of a baseline and a run with the noisy neighbor. */
  pairs: number
  /** The runs of a pair, grouped by installation. */
  installations: ReadonlyArray<readonly Kind[]>
  runOptions: Omit<RunOptions, 'services' | 'cleanup'>
}

export async function proveIsolation(args: string[]): Promise<void> {
  const requested = readOptions(args)
  const { selected, pairs, runOptions } = requested
  const services = await startServices(() => {})
  // Each started process adds an exit listener that kills it.
  setMaxListeners(0, process)
  const options: RunOptions = { ...runOptions, services, cleanup: createCleanup() }
  console.log(
    `an api and ${workers} workers${runOptions.withNats ? ' with NATS' : ''}, ${pairs} pairs of runs of ${runOptions.seconds} s`,
  )
  const comparisons: Array<{ scenario: Scenario; comparison: Comparison }> = []
  for (const scenario of selected) {
    console.log(`\n${scenario.name}: ${scenario.description}`)
    comparisons.push({ scenario, comparison: await runPairs(scenario, requested, options) })
  }
  printTable(comparisons)
  const violations = comparisons.filter(({ comparison }) => comparison.violations.length > 0)
  console.log(
    violations.length === 0
      ? `\nAll ${selected.length} scenarios passed.`
      : `\n${violations.length} of ${selected.length} scenarios FAILED.`,
  )
  if (violations.length > 0) process.exitCode = 1
}

/** Alternates runs without and with the noisy neighbor, so that other load affects both equally. */
async function runPairs(
  scenario: Scenario,
  { pairs, installations }: Options,
  options: RunOptions,
): Promise<Comparison> {
  const results: Record<Kind, RunResult[]> = { baseline: [], with: [] }
  try {
    for (let pair = 0; pair < pairs; pair++)
      for (const kinds of installations)
        for (const result of await runKinds(scenario, kinds, options)) {
          results[result.kind].push(result)
          printRun(result)
        }
    return compare(results)
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const comparison = compare(results)
    return { ...comparison, violations: [`aborted: ${text}`] }
  }
}

function printRun(result: RunResult): void {
  const { kind, latencies, missing, rejected, bursts, noisy, loggedProblems } = result
  const { p50, p99, max } = percentilesOf(latencies)
  const parts = [
    `${latencies.length} healthy events, p50 ${p50} p99 ${p99} max ${max} ms`,
    ...(missing > 0 ? [`${missing} did not arrive`] : []),
    ...(rejected > 0 ? [`${rejected} not accepted`] : []),
    ...(bursts.length > 0 ? [`bursts at ${bursts.map((rate) => rate.toFixed(0)).join(', ')}/s`] : []),
  ]
  console.log(`  ${kind.padEnd(8)} ${parts.join('; ')}`)
  if (noisy !== undefined) console.log(`           noisy neighbor: ${describeNoisy(noisy)}`)
  for (const line of loggedProblems.lines) console.log(`           ${line}`)
}

function describeNoisy(noisy: NonNullable<RunResult['noisy']>): string {
  const { accepted, rejected, requests, delivered, maxPerHook, maxPerHost, maxHanging } = noisy
  const inFlight =
    maxHanging > 0
      ? `at most ${maxHanging} connections hanging`
      : `at most ${maxPerHook} in flight per webhook, ${maxPerHost} per host`
  return `${accepted} accepted, ${rejected} rejected, ${requests} requests, ${delivered} delivered, ${inFlight}`
}

function printTable(comparisons: ReadonlyArray<{ scenario: Scenario; comparison: Comparison }>): void {
  const percentiles = ['p50', 'p99', 'max']
  console.log(`\n${' '.repeat(16)}${'healthy, baseline'.padStart(27)}${'with noisy neighbor'.padStart(27)}`)
  console.log(row('scenario', ...percentiles, ...percentiles, 'ratio', 'result'))
  for (const { scenario, comparison } of comparisons) {
    const { baseline, with: withNoisy, ratio, throughput, violations } = comparison
    const columns = [baseline, withNoisy].flatMap(({ p50, p99, max }) =>
      [p50, p99, max].map((ms) => `${ms} ms`),
    )
    console.log(
      row(scenario.name, ...columns, ratio.toFixed(2), violations.length === 0 ? 'passed' : 'FAILED'),
    )
    if (throughput !== undefined)
      console.log(
        `  bursts: ${throughput.baseline.toFixed(0)}/s, with ${throughput.with.toFixed(0)}/s: ${throughput.ratio.toFixed(2)}`,
      )
    for (const reason of violations) console.log(`  ✗ ${reason}`)
  }
}

function row(name: string, ...columns: string[]): string {
  return [name.padEnd(16), ...columns.map((column) => column.padStart(9))].join('')
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      pairs: { type: 'string' },
      'healthy-rate': { type: 'string' },
      'noisy-rate': { type: 'string' },
      retries: { type: 'string' },
      nats: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  })
  const names = scenarios.map(({ name }) => name)
  const unknown = values.only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`Unknown scenario ${unknown.join(', ')}. Choose from ${names.join(', ')}.`)
  const isSmoke = values.smoke
  const amounts = {
    healthy: values['healthy-rate'],
    noisy: values['noisy-rate'],
    retries: values.retries,
  }
  return {
    selected: scenarios
      .filter(({ name }) => values.only?.includes(name) ?? true)
      .map((scenario) => withAmounts(isSmoke ? toSmokeScenario(scenario) : scenario, amounts)),
    pairs: Number(values.pairs ?? (isSmoke ? 1 : 2)),
    // Starting an installation takes longer than a smoke run, so both kinds share one.
    installations: isSmoke ? [['baseline', 'with']] : [['baseline'], ['with']],
    runOptions: {
      workers,
      withNats: values.nats,
      env: isSmoke ? { CONCURRENCY: smokeConcurrency } : {},
      seconds: Number(values.seconds ?? (isSmoke ? 1.5 : 30)),
      warmUpSeconds: isSmoke ? 1 : 3,
      graceSeconds: isSmoke ? 2 : 10,
    },
  }
}

function withAmounts(
  scenario: Scenario,
  amounts: Record<'healthy' | 'noisy' | 'retries', string | undefined>,
): Scenario {
  const { healthy, noisy, retries } = scenario
  const rows = Number(amounts.retries ?? retries)
  return {
    ...scenario,
    healthy: { ...healthy, ratePerSecond: Number(amounts.healthy ?? healthy.ratePerSecond) },
    ...(noisy && {
      noisy: { ...noisy, ratePerSecond: Number(amounts.noisy ?? noisy.ratePerSecond) },
    }),
    ...(retries && { retries: rows, description: `${rows.toLocaleString('en')} ${scenario.description}` }),
  }
}
