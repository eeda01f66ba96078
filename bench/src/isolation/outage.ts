/**
 * `npm run prove -- outage`: all receivers fail for minutes under load and then recover. Measures how soon the backlog
 * drains and how soon fresh events arrive promptly again. Checks that receivers are not flooded during or after the
 * outage.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { startServices } from '../../../dev/services.ts'
import type { Percentiles } from './latency-stats.ts'
import { type Load, startLoad } from '../support/event-load.ts'
import { drain, readBacklog, readLedger, type Sample } from './outage-observations.ts'
import { writeChart } from './outage-chart.ts'
import { verifyOutage, type OutageObservations, type OutageVerdict } from './verify-outage.ts'
import type { Receivers } from './receivers.ts'
import { createCleanup } from '../support/cleanup.ts'
import { addAccounts, createEnvironment } from './environment.ts'

interface Options {
  seconds: number
  ratePerSecond: number
  hooks: number
  workers: number
  kind: 'status' | 'refuse'
  /** Response time of the receivers: long enough that requests of one hook overlap. */
  responseMs: number
  warmUpSeconds: number
  maxRecoverySeconds: number
  withNats: boolean
  out: string | undefined
}

const cooldownSeconds = 5

export async function proveOutage(args: string[]): Promise<void> {
  const options = readOptions(args)
  const { ratePerSecond, hooks, seconds, workers, kind } = options
  setMaxListeners(0, process)
  const cleanup = createCleanup()
  console.log(
    `${ratePerSecond} deliveries/s over ${hooks} webhooks, ${workers} workers${options.withNats ? ' with NATS' : ''}; ` +
      `all receivers ${kind === 'refuse' ? 'refuse connections' : 'respond 503'} for ${seconds} s`,
  )
  try {
    const services = await startServices(() => {})
    const environment = await createEnvironment({ services, workers, withNats: options.withNats, cleanup })
    const receivers = environment.startReceivers()
    const accounts = await addAccounts(environment, await receivers.listen('127.0.10.1', hooks), hooks)
    const intake = await environment.start()
    const outcome = await execute(
      environment.client,
      receivers,
      startLoad(intake, accounts, ratePerSecond),
      options,
    )
    const loggedProblems = environment.loggedProblems()
    const observations = { ...outcome, errors: loggedProblems.errors }
    const verdict = verifyOutage(observations)
    print(verdict, observations)
    for (const line of loggedProblems.lines) console.log(`  ${line}`)
    if (options.out !== undefined) {
      const title = `All receivers fail for ${seconds} s at ${ratePerSecond} deliveries/s`
      await writeChart(options.out, title, observations)
      console.log(`Chart: ${options.out}`)
    }
    if (verdict.violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(
  client: Client,
  receivers: Receivers,
  load: Load,
  options: Options,
): Promise<Omit<OutageObservations, 'errors'>> {
  const { seconds, ratePerSecond, workers, kind, responseMs, warmUpSeconds, maxRecoverySeconds } = options
  const isRefusing = kind === 'refuse'
  const healthy = { status: 204, afterMs: responseMs }
  const backlog: Sample[] = []
  const sampleFor = async (durationSeconds: number, isDone: () => boolean = () => false): Promise<void> => {
    const endsAt = performance.now() + durationSeconds * 1_000
    while (performance.now() < endsAt && !isDone()) {
      const nextAt = performance.now() + 1_000
      backlog.push(await readBacklog(client))
      await sleep(Math.max(0, Math.min(nextAt, endsAt) - performance.now()))
    }
  }

  await receivers.behave(healthy)
  await sampleFor(warmUpSeconds)
  const failedAt = isRefusing
    ? await receivers.refuse(true)
    : await receivers.behave({ status: 503, afterMs: responseMs })
  console.log(`  receivers fail; ${backlog.at(-1)?.waiting} pending`)
  await sampleFor(seconds)
  const recoveredAt = isRefusing ? await receivers.refuse(false) : await receivers.behave(healthy)
  console.log(`  receivers recover; ${backlog.at(-1)?.waiting} pending`)
  const isNormal = (): boolean =>
    backlog.slice(-3).every(({ at, waiting }) => at >= recoveredAt && waiting <= ratePerSecond)
  await sampleFor(maxRecoverySeconds, isNormal)
  await sampleFor(cooldownSeconds)
  await load.stop()
  console.log(`  load ends; ${backlog.at(-1)?.waiting} pending`)
  const left = await drain(client)
  return {
    workers,
    ratePerSecond,
    failedAt,
    recoveredAt,
    endedAt: Date.now(),
    accepted: load.accepted,
    requests: await receivers.report(),
    backlog,
    ledger: await readLedger(client, { failedAt, recoveredAt, isRefusing }),
    left,
    maxRecoverySeconds,
  }
}

function print(verdict: OutageVerdict, observations: OutageObservations): void {
  const { recoverySeconds, maxWaiting, fresh, attemptsPerHook, slowStart, firstSuccess } = verdict
  const normal = recoverySeconds === undefined ? 'never' : `after ${recoverySeconds.toFixed(1)} s`
  const { mean, max, allowed } = attemptsPerHook
  console.log(`
accepted events                  ${observations.accepted.length}, ${observations.requests.count} requests
max pending deliveries           ${maxWaiting}
backlog normal after recovery    ${normal}, limit ${observations.maxRecoverySeconds} s
first success after recovery     ${milliseconds(firstSuccess)}
fresh events, all                ${milliseconds(fresh.all)}
fresh, webhook recovered         ${milliseconds(fresh.afterFirstSuccess)} (${fresh.count} events; p99 limit 2000 ms)
attempts per webhook in outage   mean ${mean.toFixed(1)}, max ${max}, limit ${allowed}
in flight per webhook afterwards max ${slowStart.max} (${slowStart.checked} requests checked for slow start)`)
  for (const reason of verdict.violations) console.log(`  ✗ ${reason}`)
  console.log(verdict.violations.length === 0 ? '\noutage: passed' : '\noutage: FAILED')
}

function milliseconds({ p50, p99, max }: Percentiles): string {
  return `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string' },
      rate: { type: 'string' },
      hooks: { type: 'string' },
      workers: { type: 'string', default: '2' },
      kind: { type: 'string', default: 'status' },
      'response-ms': { type: 'string', default: '50' },
      out: { type: 'string' },
      nats: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  })
  const { kind } = values
  if (kind !== 'status' && kind !== 'refuse')
    throw new Error(`--kind must be status (receivers respond 503) or refuse, not ${kind}.`)
  const isSmoke = values.smoke
  return {
    seconds: Number(values.seconds ?? (isSmoke ? 15 : 300)),
    ratePerSecond: Number(values.rate ?? (isSmoke ? 100 : 500)),
    hooks: Number(values.hooks ?? (isSmoke ? 50 : 500)),
    workers: Number(values.workers),
    kind,
    responseMs: Number(values['response-ms']),
    warmUpSeconds: isSmoke ? 4 : 20,
    maxRecoverySeconds: isSmoke ? 30 : 180,
    withNats: values.nats,
    // A smoke run must not overwrite the chart in the documentation.
    out: values.out ?? (isSmoke ? undefined : 'docs/performance/outage.svg'),
  }
}
