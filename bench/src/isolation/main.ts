/**
 * `npm run prove -- isolation`: one makes trouble, the others must not notice. Each scenario is played with and without
 * its troublemaker in turns, each in a fresh database, and the healthy ones' times from acceptance to arrival compared.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { startServices } from '../../../dev/services.ts'
import { type Comparison, compare } from './compare.ts'
import { spreadOf } from './figures.ts'
import { type Scenario, scenarios, small } from './scenarios.ts'
import { type Kind, runTurns, type TurnOptions, type TurnResult } from './turn.ts'
import { createUndo } from '../undo.ts'

const workers = 2
/** So few places that a handful of slow answers fills them within the seconds of a small run. */
const smallConcurrency = '64'

interface Options {
  chosen: readonly Scenario[]
  /** Of a baseline and a turn with the troublemaker. */
  pairs: number
  /** The turns of a pair, by the installation they are played in. */
  installations: ReadonlyArray<readonly Kind[]>
  turn: Omit<TurnOptions, 'services' | 'undo'>
}

export async function proveIsolation(args: string[]): Promise<void> {
  const wanted = readOptions(args)
  const { chosen, pairs, turn } = wanted
  const services = await startServices(() => {})
  // Each started process adds a listener that ends it with us.
  setMaxListeners(0, process)
  const options: TurnOptions = { ...turn, services, undo: createUndo() }
  console.log(
    `an api and ${workers} workers${turn.withNats ? ' with NATS' : ''}, ${pairs} pairs of turns of ${turn.seconds} s`,
  )
  const compared: Array<{ scenario: Scenario; comparison: Comparison }> = []
  for (const scenario of chosen) {
    console.log(`\n${scenario.name}: ${scenario.what}`)
    compared.push({ scenario, comparison: await playInTurns(scenario, wanted, options) })
  }
  printTable(compared)
  const broken = compared.filter(({ comparison }) => comparison.broken.length > 0)
  console.log(
    broken.length === 0
      ? `\nAll ${chosen.length} held.`
      : `\n${broken.length} of ${chosen.length} are BROKEN.`,
  )
  if (broken.length > 0) process.exitCode = 1
}

/** Without and with it in turn, so that whatever else the machine does strikes both alike. */
async function playInTurns(
  scenario: Scenario,
  { pairs, installations }: Options,
  options: TurnOptions,
): Promise<Comparison> {
  const results: Record<Kind, TurnResult[]> = { baseline: [], with: [] }
  try {
    for (let pair = 0; pair < pairs; pair++)
      for (const kinds of installations)
        for (const result of await runTurns(scenario, kinds, options)) {
          results[result.kind].push(result)
          printTurn(result)
        }
    return compare(results)
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const comparison = compare(results)
    return { ...comparison, broken: [`broke off: ${text}`] }
  }
}

function printTurn(result: TurnResult): void {
  const { kind, latencies, missing, refused, bursts, trouble, complaints } = result
  const { p50, p99, max } = spreadOf(latencies)
  const parts = [
    `${latencies.length} healthy events, p50 ${p50} p99 ${p99} max ${max} ms`,
    ...(missing > 0 ? [`${missing} did not arrive`] : []),
    ...(refused > 0 ? [`${refused} not accepted`] : []),
    ...(bursts.length > 0 ? [`bursts at ${bursts.map((rate) => rate.toFixed(0)).join(', ')}/s`] : []),
  ]
  console.log(`  ${kind.padEnd(8)} ${parts.join('; ')}`)
  if (trouble !== undefined) console.log(`           troublemaker: ${troubleText(trouble)}`)
  for (const line of complaints.lines) console.log(`           ${line}`)
}

function troubleText(trouble: NonNullable<TurnResult['trouble']>): string {
  const { accepted, refused, requests, delivered, mostOfHook, mostOfHost, mostHanging } = trouble
  const inFlight =
    mostHanging > 0
      ? `at most ${mostHanging} connections hung at once`
      : `at most ${mostOfHook} in flight for a webhook, ${mostOfHost} for a host`
  return `${accepted} accepted, ${refused} refused, ${requests} requests, ${delivered} delivered, ${inFlight}`
}

function printTable(compared: ReadonlyArray<{ scenario: Scenario; comparison: Comparison }>): void {
  const three = ['p50', 'p99', 'max']
  console.log(`\n${' '.repeat(16)}${'healthy, baseline'.padStart(27)}${'with troublemaker'.padStart(27)}`)
  console.log(row('scenario', ...three, ...three, 'ratio', 'verdict'))
  for (const { scenario, comparison } of compared) {
    const { baseline, with: withIt, ratio, throughput, broken } = comparison
    const figures = [baseline, withIt].flatMap(({ p50, p99, max }) => [p50, p99, max].map((ms) => `${ms} ms`))
    console.log(row(scenario.name, ...figures, ratio.toFixed(2), broken.length === 0 ? 'held' : 'BROKEN'))
    if (throughput !== undefined)
      console.log(
        `  bursts: ${throughput.baseline.toFixed(0)}/s, with ${throughput.with.toFixed(0)}/s: ${throughput.ratio.toFixed(2)}`,
      )
    for (const reason of broken) console.log(`  ✗ ${reason}`)
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
      turns: { type: 'string' },
      'healthy-rate': { type: 'string' },
      'trouble-rate': { type: 'string' },
      parked: { type: 'string' },
      nats: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  })
  const names = scenarios.map(({ name }) => name)
  const unknown = values.only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`There is no scenario ${unknown.join(', ')}. Choose ${names.join(', ')}.`)
  const isSmall = values.smoke
  const amounts = {
    healthy: values['healthy-rate'],
    trouble: values['trouble-rate'],
    parked: values.parked,
  }
  return {
    chosen: scenarios
      .filter(({ name }) => values.only?.includes(name) ?? true)
      .map((scenario) => withAmounts(isSmall ? small(scenario) : scenario, amounts)),
    pairs: Number(values.turns ?? (isSmall ? 1 : 2)),
    // Starting one takes longer than a small turn.
    installations: isSmall ? [['baseline', 'with']] : [['baseline'], ['with']],
    turn: {
      workers,
      withNats: values.nats,
      env: isSmall ? { CONCURRENCY: smallConcurrency } : {},
      seconds: Number(values.seconds ?? (isSmall ? 1.5 : 30)),
      warmUpSeconds: isSmall ? 1 : 3,
      graceSeconds: isSmall ? 2 : 10,
    },
  }
}

function withAmounts(
  scenario: Scenario,
  amounts: Record<'healthy' | 'trouble' | 'parked', string | undefined>,
): Scenario {
  const { healthy, trouble, parked } = scenario
  const rows = Number(amounts.parked ?? parked)
  return {
    ...scenario,
    healthy: { ...healthy, ratePerSecond: Number(amounts.healthy ?? healthy.ratePerSecond) },
    ...(trouble && {
      trouble: { ...trouble, ratePerSecond: Number(amounts.trouble ?? trouble.ratePerSecond) },
    }),
    ...(parked && { parked: rows, what: `${rows.toLocaleString('en')} ${scenario.what}` }),
  }
}
