/**
 * `npm run bench -- sizing`: runs Hookline at fixed rates and prints the cores, memory and disk that each rate needs, by
 * process. The table of docs/scale.md comes from here.
 */
import { parseArgs } from 'node:util'
import { createCleanup } from '../support/cleanup.ts'
import { createFolder } from '../support/servers.ts'
import { type LatencyRun, measureLatency } from './latency.ts'
import { describeMachine } from './machine.ts'
import { createHarness } from './main.ts'

const defaults = { rates: '10,100,1000,3000', seconds: '60', workers: '1' }
const warmUpMessages = 2_000
const secondsPerDay = 86_400

export async function sizingBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rates: { type: 'string', default: defaults.rates },
      seconds: { type: 'string', default: defaults.seconds },
      workers: { type: 'string', default: defaults.workers },
    },
  })
  // Each started process adds an exit listener that kills it.
  process.setMaxListeners(0)
  const cleanup = createCleanup()
  try {
    const folder = await createFolder(cleanup)
    const { processor, cores } = await describeMachine(folder)
    console.log(
      `${processor}, ${cores} cores, ${values.workers} worker processes, ${values.seconds} s per rate`,
    )
    const only = [`postgres-${values.workers}`]
    const { harness, hookline } = await createHarness(
      folder,
      { only, messages: warmUpMessages, isProfiled: false },
      cleanup,
    )
    const [system] = hookline
    if (system === undefined) throw new Error('--workers must be 1, 2 or 4.')
    for (const rate of values.rates.split(',').map(Number))
      print(await measureLatency(system, harness, { eventsPerSecond: rate, seconds: Number(values.seconds) }))
  } finally {
    await cleanup.run()
  }
}

function print(run: LatencyRun): void {
  const { eventsPerSecond, p50Ms, p99Ms, isSustained } = run
  const times = `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${isSustained ? 'sustained' : 'NOT sustained'}`
  console.log(`\n${eventsPerSecond} deliveries/s: ${times}`)
  for (const [name, micros] of Object.entries(run.coreMicros)) {
    const coreCount = (micros * eventsPerSecond) / 1e6
    console.log(`  ${name}: ${coreCount.toFixed(2)} cores, ${run.memoryMb[name]?.toFixed(0)} MB`)
  }
  const perDay = (bytes: number): string =>
    `${((bytes * eventsPerSecond * secondsPerDay) / 1e9).toFixed(1)} GB`
  console.log(`  per day: ${perDay(run.storedBytes)} stored, ${perDay(run.walBytes)} of WAL`)
}
