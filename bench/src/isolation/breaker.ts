/**
 * `npm run prove -- breaker`: measures latency to receivers that fail at random, by failure rate. A rate below the
 * threshold must not open the circuit breaker, so events arrive as soon as at a receiver that never fails.
 * `--before <commit>` runs the service of that commit at the same time, so that other load affects both equally.
 */
import { execFileSync } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServices } from '../../../dev/services.ts'
import { createCleanup, type Cleanup } from '../support/cleanup.ts'
import { latenciesOf, type Percentiles, percentilesOf } from './latency-stats.ts'
import { startLoad } from '../support/event-load.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'
import { addAccounts, createEnvironment } from './environment.ts'

/** Failure rates in percent. The threshold of the circuit breaker is 50. */
const failureRates = [0, 5, 10, 31, 60, 100]
const threshold = 50
const hooks = 2
/** Time for the last retries: the first retry starts after 5 to 6 s. */
const graceSeconds = 8

interface Options {
  ratePerSecond: number
  seconds: number
  failureRates: readonly number[]
  /** Versions that run at the same time. The current one is last. */
  versions: readonly Version[]
}

interface Version {
  name: string
  /** Entry file. Undefined for this checkout. */
  mainFile: string | undefined
  /** First address of the receivers. */
  firstAddress: string
}

interface BreakerRun {
  events: number
  /** Time to the first attempt of all events. */
  first: Percentiles
  /** Time to success of events that were delivered before the run ended. */
  delivered: Percentiles
  deliveredRatio: number
  /** Number of webhooks whose circuit breaker was open in a sample. Samples are taken twice per second. */
  opened: number
}

export async function proveBreaker(args: string[]): Promise<void> {
  const cleanup = createCleanup()
  // Each started process adds an exit listener that kills it.
  setMaxListeners(0, process)
  try {
    const options = readOptions(args, cleanup)
    const services = await startServices(() => {})
    console.log(
      `${hooks} webhooks, ${options.ratePerSecond} events/s in total, ${options.seconds} s per run; times in ms from acceptance`,
    )
    console.log(
      row(
        'failures',
        'version',
        'events',
        'first attempt: p50',
        'p90',
        'p99',
        'max',
        'delivered',
        'p50',
        'p90',
        'p99',
        'opened',
      ),
    )
    const violations: string[] = []
    for (const failureRate of options.failureRates) {
      const runs = await Promise.all(
        options.versions.map(({ mainFile, firstAddress }) =>
          runOnce(services, failureRate, { mainFile, firstAddress }, options),
        ),
      )
      for (const [index, run] of runs.entries())
        printRun(failureRate, options.versions[index]?.name ?? '', run)
      const opened = runs.at(-1)?.opened ?? 0
      if (opened > 0 !== failureRate > threshold)
        violations.push(`at ${failureRate}% the circuit breakers of ${opened} of ${hooks} webhooks opened`)
    }
    for (const text of violations) console.log(`✗ ${text}`)
    console.log(violations.length === 0 ? 'Passed.' : 'FAILED.')
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function runOnce(
  services: Awaited<ReturnType<typeof startServices>>,
  failureRate: number,
  { mainFile, firstAddress }: Omit<Version, 'name'>,
  { ratePerSecond, seconds }: Options,
): Promise<BreakerRun> {
  const cleanup = createCleanup()
  try {
    const environment = await createEnvironment({
      services,
      workers: 1,
      withNats: false,
      cleanup,
      ...(mainFile && { mainFile }),
    })
    const receivers = environment.startReceivers()
    const hosts = await receivers.listen(firstAddress, hooks)
    const accounts = await addAccounts(environment, hosts, hooks)
    const intake = await environment.start()
    await receivers.behave({ status: 204, afterMs: 5, failureRatio: failureRate / 100 })
    const opened = new Set<number>()
    const load = startLoad(intake, accounts, ratePerSecond)
    for (let sampleCount = 0; sampleCount < seconds * 2; sampleCount++) {
      await sleep(500)
      const { rows } = await environment.client.query<{ hook_id: number }>(
        'SELECT hook_id FROM lane WHERE open_seconds > 0',
      )
      for (const { hook_id } of rows) opened.add(hook_id)
    }
    await load.stop()
    await sleep(graceSeconds * 1_000)
    const columns = await receivers.report()
    const delivered = deliveryTimes(load.accepted, columns)
    return {
      events: load.accepted.length,
      first: percentilesOf(latenciesOf(load.accepted, columns, Date.now()).latencies),
      delivered: percentilesOf(delivered),
      deliveredRatio: delivered.length / load.accepted.length,
      opened: opened.size,
    }
  } finally {
    await cleanup.run()
  }
}

/** Returns the milliseconds from acceptance to the first successful request. */
function deliveryTimes(accepted: readonly string[], columns: RequestColumns): number[] {
  const deliveredAt = new Map<string, number>()
  for (let index = 0; index < columns.count; index++) {
    const id = eventIdAt(columns, index)
    if (columns.statuses[index] === 204 && !deliveredAt.has(id))
      deliveredAt.set(id, columns.arrivedAt[index] ?? 0)
  }
  return accepted.flatMap((id) => {
    const at = deliveredAt.get(id)
    return at === undefined ? [] : [Math.max(0, at - acceptedAt(id))]
  })
}

function printRun(
  failureRate: number,
  name: string,
  { events, first, delivered, deliveredRatio, opened }: BreakerRun,
): void {
  const firstTimes = [first.p50, first.p90, first.p99, first.max]
  const isDelivered = deliveredRatio > 0
  const deliveredTimes = [delivered.p50, delivered.p90, delivered.p99].map((ms) =>
    isDelivered ? String(Math.round(ms)) : '-',
  )
  console.log(
    row(
      `${failureRate}%`,
      name,
      String(events),
      ...firstTimes.map((ms) => String(Math.round(ms))),
      `${(deliveredRatio * 100).toFixed(1)}%`,
      ...deliveredTimes,
      `${opened} of ${hooks}`,
    ),
  )
}

function row(...columns: string[]): string {
  return `| ${columns.map((column) => column.padStart(8)).join(' | ')} |`
}

function readOptions(args: string[], cleanup: Cleanup): Options {
  const { values } = parseArgs({
    args,
    options: {
      before: { type: 'string' },
      rate: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '30' },
      failures: { type: 'string', multiple: true },
    },
  })
  return {
    ratePerSecond: Number(values.rate),
    seconds: Number(values.seconds),
    failureRates: values.failures?.map(Number) ?? failureRates,
    versions: [
      ...(values.before === undefined
        ? []
        : [{ name: 'before', mainFile: extractCommit(values.before, cleanup), firstAddress: '127.0.20.1' }]),
      { name: 'after', mainFile: undefined, firstAddress: '127.0.10.1' },
    ],
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Extracts the server of a commit to a temporary folder and links the packages of this checkout. Returns its entry
 * file.
 */
function extractCommit(commit: string, cleanup: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-before-'))
  cleanup.push(async () => rmSync(folder, { recursive: true }))
  const archive = execFileSync('git', ['archive', commit, 'server', 'package.json'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const packages of ['node_modules', 'server/node_modules'])
    symlinkSync(join(root, packages), join(folder, packages))
  return join(folder, 'server/src/main.ts')
}
