/**
 * `npm run prove -- outage`: all receivers fail for minutes while the load goes on, and then work again. How soon is the
 * backlog gone, how soon are fresh events fresh again, and was nobody hammered, neither in the outage nor after it?
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { startServices } from '../../../dev/services.ts'
import type { Spread } from './figures.ts'
import { type Load, startLoad } from './load.ts'
import { drain, readBacklog, readLedger, type Sample } from './outage-books.ts'
import { writeChart } from './outage-chart.ts'
import { judgeOutage, type OutageBooks, type OutageVerdict } from './outage-judge.ts'
import type { Receivers } from './receivers.ts'
import { createUndo } from '../undo.ts'
import { addSpread, createWorld } from './world.ts'

interface Options {
  seconds: number
  ratePerSecond: number
  hooks: number
  workers: number
  kind: 'status' | 'refuse'
  /** How long a receiver takes to answer: long enough that requests of one hook can meet. */
  answerMs: number
  leadSeconds: number
  normalWithinSeconds: number
  withNats: boolean
  out: string | undefined
}

const afterNormalSeconds = 5

export async function proveOutage(args: string[]): Promise<void> {
  const options = readOptions(args)
  const { ratePerSecond, hooks, seconds, workers, kind } = options
  setMaxListeners(0, process)
  const undo = createUndo()
  console.log(
    `${ratePerSecond} deliveries/s over ${hooks} webhooks, ${workers} workers${options.withNats ? ' with NATS' : ''}; ` +
      `all receivers ${kind === 'refuse' ? 'refuse connections' : 'answer 503'} for ${seconds} s`,
  )
  try {
    const services = await startServices(() => {})
    const world = await createWorld({ services, workers, withNats: options.withNats, undo })
    const receivers = world.startReceivers()
    const accounts = await addSpread(world, await receivers.listen('127.0.10.1', hooks), hooks)
    const intake = await world.start()
    const played = await play(world.client, receivers, startLoad(intake, accounts, ratePerSecond), options)
    const complaints = world.complaints()
    const books = { ...played, errors: complaints.errors }
    const verdict = judgeOutage(books)
    print(verdict, books)
    for (const line of complaints.lines) console.log(`  ${line}`)
    if (options.out !== undefined) {
      const title = `All receivers fail for ${seconds} s at ${ratePerSecond} deliveries/s`
      await writeChart(options.out, title, books)
      console.log(`Chart: ${options.out}`)
    }
    if (verdict.broken.length > 0) process.exitCode = 1
  } finally {
    await undo.all()
  }
}

async function play(
  client: Client,
  receivers: Receivers,
  load: Load,
  options: Options,
): Promise<Omit<OutageBooks, 'errors'>> {
  const { seconds, ratePerSecond, workers, kind, answerMs, leadSeconds, normalWithinSeconds } = options
  const isRefusing = kind === 'refuse'
  const well = { status: 204, afterMs: answerMs }
  const backlog: Sample[] = []
  const sampleFor = async (howLong: number, isEnough: () => boolean = () => false): Promise<void> => {
    const endsAt = performance.now() + howLong * 1_000
    while (performance.now() < endsAt && !isEnough()) {
      const nextAt = performance.now() + 1_000
      backlog.push(await readBacklog(client))
      await sleep(Math.max(0, Math.min(nextAt, endsAt) - performance.now()))
    }
  }

  await receivers.behave(well)
  await sampleFor(leadSeconds)
  const failedAt = isRefusing
    ? await receivers.refuse(true)
    : await receivers.behave({ status: 503, afterMs: answerMs })
  console.log(`  the receivers fail; ${backlog.at(-1)?.waiting} waiting`)
  await sampleFor(seconds)
  const recoveredAt = isRefusing ? await receivers.refuse(false) : await receivers.behave(well)
  console.log(`  the receivers work again; ${backlog.at(-1)?.waiting} waiting`)
  const isNormal = (): boolean =>
    backlog.slice(-3).every(({ at, waiting }) => at >= recoveredAt && waiting <= ratePerSecond)
  await sampleFor(normalWithinSeconds, isNormal)
  await sampleFor(afterNormalSeconds)
  await load.stop()
  console.log(`  the load ends; ${backlog.at(-1)?.waiting} waiting`)
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
    normalWithinSeconds,
  }
}

function print(verdict: OutageVerdict, books: OutageBooks): void {
  const { normalAfterSeconds, mostWaiting, fresh, attemptsPerHook, slowStart, firstSuccess } = verdict
  const normal = normalAfterSeconds === undefined ? 'never' : `after ${normalAfterSeconds.toFixed(1)} s`
  const { mean, most, allowed } = attemptsPerHook
  console.log(`
accepted events                  ${books.accepted.length}, ${books.requests.count} requests
most deliveries waiting          ${mostWaiting}
backlog normal after recovery    ${normal}, at most ${books.normalWithinSeconds} s
first success after recovery     ${milliseconds(firstSuccess)}
fresh events, all                ${milliseconds(fresh.all)}
fresh, their webhook works again ${milliseconds(fresh.afterFirstSuccess)} (${fresh.count} events; p99 at most 2000 ms)
attempts per webhook in outage   mean ${mean.toFixed(1)}, most ${most}, at most ${allowed}
in flight per webhook afterwards at most ${slowStart.most} (${slowStart.checked} requests checked for a slow start)`)
  for (const reason of verdict.broken) console.log(`  ✗ ${reason}`)
  console.log(verdict.broken.length === 0 ? '\nThe outage was held.' : '\nBROKEN.')
}

function milliseconds({ p50, p99, max }: Spread): string {
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`
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
      'answer-ms': { type: 'string', default: '50' },
      out: { type: 'string' },
      nats: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  })
  const { kind } = values
  if (kind !== 'status' && kind !== 'refuse')
    throw new Error(`--kind is status (receivers answer 503) or refuse, not ${kind}.`)
  const isSmall = values.smoke
  return {
    seconds: Number(values.seconds ?? (isSmall ? 15 : 300)),
    ratePerSecond: Number(values.rate ?? (isSmall ? 100 : 500)),
    hooks: Number(values.hooks ?? (isSmall ? 50 : 500)),
    workers: Number(values.workers),
    kind,
    answerMs: Number(values['answer-ms']),
    leadSeconds: isSmall ? 4 : 20,
    normalWithinSeconds: isSmall ? 30 : 180,
    withNats: values.nats,
    // A small run is no figure to be shown.
    out: values.out ?? (isSmall ? undefined : 'docs/performance/outage.svg'),
  }
}
