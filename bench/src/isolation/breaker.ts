/**
 * `npm run prove -- breaker`: how long events take to a receiver that fails a part of its requests at random, by failure
 * rate. A rate below the threshold must not open the circuit breaker, so events come as soon as to one that never fails.
 * With `--before <commit>` the service of that commit plays the same at the same time, so that whatever else the machine
 * does strikes both alike.
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
import { createUndo, type Undo } from '../undo.ts'
import { latenciesOf, type Spread, spreadOf } from './figures.ts'
import { startLoad } from './load.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'
import { addSpread, createWorld } from './world.ts'

/** In percent. The threshold of the breaker is 50. */
const failureRates = [0, 5, 10, 31, 60, 100]
const threshold = 50
const hooks = 2
/** The first retry comes after 5 to 6 s. */
const graceSeconds = 8

interface Options {
  ratePerSecond: number
  seconds: number
  failureRates: readonly number[]
  /** The versions that play at the same time, this one last. */
  versions: readonly Version[]
}

interface Version {
  name: string
  /** That starts it; undefined: of this checkout. */
  mainFile: string | undefined
  /** Of its receivers. */
  firstAddress: string
}

interface Turn {
  events: number
  /** Of all events, to their first attempt. */
  first: Spread
  /** Of events that were delivered before the run ended. */
  delivered: Spread
  deliveredRatio: number
  /** Webhooks whose breaker was open at one of the looks, which come twice a second. */
  opened: number
}

export async function proveBreaker(args: string[]): Promise<void> {
  const undo = createUndo()
  // Each started process adds a listener that ends it with us.
  setMaxListeners(0, process)
  try {
    const options = readOptions(args, undo)
    const services = await startServices(() => {})
    console.log(
      `${hooks} webhooks, ${options.ratePerSecond} events/s in all, ${options.seconds} s a turn; times in ms from acceptance`,
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
    const wrong: string[] = []
    for (const failureRate of options.failureRates) {
      const turns = await Promise.all(
        options.versions.map(({ mainFile, firstAddress }) =>
          playTurn(services, failureRate, { mainFile, firstAddress }, options),
        ),
      )
      for (const [index, turn] of turns.entries())
        printTurn(failureRate, options.versions[index]?.name ?? '', turn)
      const opened = turns.at(-1)?.opened ?? 0
      if (opened > 0 !== failureRate > threshold)
        wrong.push(`at ${failureRate} % the breakers of ${opened} of ${hooks} webhooks opened`)
    }
    for (const text of wrong) console.log(`✗ ${text}`)
    console.log(wrong.length === 0 ? 'Held.' : 'BROKEN.')
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    await undo.all()
  }
}

async function playTurn(
  services: Awaited<ReturnType<typeof startServices>>,
  failureRate: number,
  { mainFile, firstAddress }: Omit<Version, 'name'>,
  { ratePerSecond, seconds }: Options,
): Promise<Turn> {
  const undo = createUndo()
  try {
    const world = await createWorld({
      services,
      workers: 1,
      withNats: false,
      undo,
      ...(mainFile && { mainFile }),
    })
    const receivers = world.startReceivers()
    const hosts = await receivers.listen(firstAddress, hooks)
    const accounts = await addSpread(world, hosts, hooks)
    const intake = await world.start()
    await receivers.behave({ status: 204, afterMs: 5, failureRatio: failureRate / 100 })
    const opened = new Set<number>()
    const load = startLoad(intake, accounts, ratePerSecond)
    for (let look = 0; look < seconds * 2; look++) {
      await sleep(500)
      const { rows } = await world.client.query<{ hook_id: number }>(
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
      first: spreadOf(latenciesOf(load.accepted, columns, Date.now()).latencies),
      delivered: spreadOf(delivered),
      deliveredRatio: delivered.length / load.accepted.length,
      opened: opened.size,
    }
  } finally {
    await undo.all()
  }
}

/** Milliseconds from acceptance to the first request that succeeded. */
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

function printTurn(
  failureRate: number,
  name: string,
  { events, first, delivered, deliveredRatio, opened }: Turn,
): void {
  const firstTimes = [first.p50, first.p90, first.p99, first.max]
  const isDelivered = deliveredRatio > 0
  const deliveredTimes = [delivered.p50, delivered.p90, delivered.p99].map((ms) =>
    isDelivered ? String(Math.round(ms)) : '-',
  )
  console.log(
    row(
      `${failureRate} %`,
      name,
      String(events),
      ...firstTimes.map((ms) => String(Math.round(ms))),
      `${(deliveredRatio * 100).toFixed(1)} %`,
      ...deliveredTimes,
      `${opened} of ${hooks}`,
    ),
  )
}

function row(...columns: string[]): string {
  return `| ${columns.map((column) => column.padStart(8)).join(' | ')} |`
}

function readOptions(args: string[], undo: Undo): Options {
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
        : [{ name: 'before', mainFile: checkOut(values.before, undo), firstAddress: '127.0.20.1' }]),
      { name: 'after', mainFile: undefined, firstAddress: '127.0.10.1' },
    ],
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The server of a commit in a folder of its own, with the packages of this checkout. */
function checkOut(commit: string, undo: Undo): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-before-'))
  undo.push(async () => rmSync(folder, { recursive: true }))
  const archive = execFileSync('git', ['archive', commit, 'server', 'package.json'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const packages of ['node_modules', 'server/node_modules'])
    symlinkSync(join(root, packages), join(folder, packages))
  return join(folder, 'server/src/main.ts')
}
