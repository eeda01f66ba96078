/**
 * `npm run bench -- delivery`: measures cost and latency of deliveries. Compares Hookline with a bare HTTP loop and
 * with job queues. Starts dedicated servers. Systems run briefly in rotating order, so other load on the machine
 * affects all of them equally.
 */
import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { type BenchSystems, createSystems } from './systems.ts'
import { ramp, type LatencyResult } from './ramp.ts'
import { describeMachine } from './machine.ts'
import { type Options, readOptions } from './options.ts'
import { startReceiver } from './receiver.ts'
import { printResults, type Results, writeResults } from './report.ts'
import { createFolder, startPostgres } from '../support/servers.ts'
import { summarize, type ThroughputResult } from './summary.ts'
import { measureThroughput, type ThroughputRun } from './throughput.ts'
import type { Harness } from './run.ts'
import { createCleanup, type Cleanup } from '../support/cleanup.ts'

/** Messages sent before measuring, relative to a run. Enough for V8 to compile the hot code. */
const warmUpRatio = 0.3

export async function deliveryBench(args: string[]): Promise<void> {
  const options = await readOptions(args)
  // Each started process adds an exit listener that kills it.
  process.setMaxListeners(0)
  const cleanup = createCleanup()
  try {
    const results = await measureAll(options, cleanup)
    printResults(results)
    await mkdir(options.out, { recursive: true })
    await writeResults(results, options.out)
    console.log(`\nResults written to ${options.out}`)
  } finally {
    await cleanup.run()
  }
}

async function measureAll(options: Options, cleanup: Cleanup): Promise<Results> {
  const folder = await createFolder(cleanup)
  const machine = await describeMachine(folder)
  const { harness, ...benchSystems } = await createHarness(folder, options, cleanup)
  const throughput = await throughputOfAll(benchSystems, harness, options)
  const latency = await latencyOfAll(benchSystems, harness, options)
  const { messages, runs, seconds } = options
  return { machine, sizes: { messages, runs, seconds }, throughput, latency }
}

/** Starts the servers, and creates the systems that run on them. */
export async function createHarness(
  folder: string,
  { only, messages, isProfiled }: Pick<Options, 'only' | 'messages' | 'isProfiled'>,
  cleanup: Cleanup,
): Promise<BenchSystems & { harness: Harness }> {
  const postgres = await startPostgres(folder, cleanup, { withStatements: isProfiled })
  const { url: receiverUrl, collectorUrl, pid, arrivals } = await startReceiver(folder, cleanup)
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  cleanup.push(() => client.end())
  const harness = {
    receiver: { name: 'receiver', pid },
    arrivals,
    postgres: client,
    warmUpMessages: Math.ceil(messages * warmUpRatio),
    isProfiled,
  }
  return { harness, ...(await createSystems(only, { folder, postgres, receiverUrl, collectorUrl }, cleanup)) }
}

async function throughputOfAll(
  { systems }: BenchSystems,
  harness: Harness,
  { runs, messages }: Options,
): Promise<ThroughputResult[]> {
  const runsBySystem = new Map<string, ThroughputRun[]>()
  for (let run = 0; run < runs; run++)
    for (const index of systems.keys()) {
      const system = systems[(run + index) % systems.length]
      if (system === undefined) continue
      const result = await measureThroughput(system, harness, messages)
      runsBySystem.set(system.name, [...(runsBySystem.get(system.name) ?? []), result])
      const cost = Object.values(result.coreMicros).reduce((sum, micros) => sum + micros, 0)
      const summary = `${result.perSecond.toFixed(0)}/s, ${cost.toFixed(0)} core-µs/message`
      console.log(`throughput ${run + 1}/${runs}  ${system.label}: ${summary}`)
    }
  return systems.flatMap((system) => {
    const results = runsBySystem.get(system.name)
    return results === undefined ? [] : [summarize(system, results, runsBySystem.get('bare'))]
  })
}

/** Measures Hookline only: the other systems have no acceptance time to measure from. */
async function latencyOfAll(
  { hookline }: BenchSystems,
  harness: Harness,
  { seconds, rates }: Options,
): Promise<LatencyResult[]> {
  if (seconds === 0) return []
  const small = hookline.filter(({ workers }) => workers <= 2)
  return ramp(small, harness, { seconds, rates })
}
