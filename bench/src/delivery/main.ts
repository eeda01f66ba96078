/**
 * `npm run bench -- delivery`: what a delivery costs and how soon it arrives, Hookline beside a bare sending loop and
 * beside job queues, in one run, on servers of its own. Contestants take short turns in rotating order, so that whatever
 * else the machine does strikes all alike.
 */
import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { type Cast, createCast } from './cast.ts'
import { climb, type LatencyResult } from './climb.ts'
import { describeMachine } from './machine.ts'
import { type Options, readOptions } from './options.ts'
import { startReceiver } from './receiver.ts'
import { printResults, type Results, writeResults } from './report.ts'
import { createFolder, startPostgres } from './servers.ts'
import { summarise, type ThroughputResult } from './summary.ts'
import { measureThroughput, type ThroughputTurn } from './throughput.ts'
import type { Track } from './turn.ts'
import { createUndo, type Undo } from '../undo.ts'

/** Enough for the hot code to be compiled, in turns of full size. */
const warmUpShare = 0.3

export async function deliveryBench(args: string[]): Promise<void> {
  const options = await readOptions(args)
  // Every process that is started waits for our end, to end too.
  process.setMaxListeners(0)
  const undo = createUndo()
  try {
    const results = await measureAll(options, undo)
    printResults(results)
    await mkdir(options.out, { recursive: true })
    await writeResults(results, options.out)
    console.log(`\nWritten to ${options.out}`)
  } finally {
    await undo.all()
  }
}

async function measureAll(options: Options, undo: Undo): Promise<Results> {
  const folder = await createFolder(undo)
  const machine = await describeMachine(folder)
  const postgres = await startPostgres(folder, undo, { withStatements: options.isProfiled })
  const receiver = await startReceiver(folder, undo)
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  undo.push(() => client.end())
  const cast = await createCast(options.only, { folder, postgres, receiverUrl: receiver.url }, undo)
  const track: Track = {
    receiver: { name: 'receiver', pid: receiver.pid },
    arrivals: receiver.arrivals,
    postgres: client,
    warmUpMessages: Math.ceil(options.messages * warmUpShare),
    isProfiled: options.isProfiled,
  }
  const throughput = await throughputOfAll(cast, track, options)
  const latency = await latencyOfAll(cast, track, options)
  const { messages, turns, seconds } = options
  return { machine, sizes: { messages, turns, seconds }, throughput, latency }
}

async function throughputOfAll(
  { contestants }: Cast,
  track: Track,
  { turns, messages }: Options,
): Promise<ThroughputResult[]> {
  const taken = new Map<string, ThroughputTurn[]>()
  for (let turn = 0; turn < turns; turn++)
    for (const place of contestants.keys()) {
      const contestant = contestants[(turn + place) % contestants.length]
      if (contestant === undefined) continue
      const result = await measureThroughput(contestant, track, messages)
      taken.set(contestant.name, [...(taken.get(contestant.name) ?? []), result])
      const cost = Object.values(result.coreMicros).reduce((sum, micros) => sum + micros, 0)
      const figures = `${result.perSecond.toFixed(0)}/s, ${cost.toFixed(0)} core-µs each`
      console.log(`throughput ${turn + 1}/${turns}  ${contestant.label}: ${figures}`)
    }
  return contestants.flatMap((contestant) => {
    const own = taken.get(contestant.name)
    return own === undefined ? [] : [summarise(contestant, own, taken.get('bare'))]
  })
}

/** Hookline alone has something to be late against: an accepted event. */
async function latencyOfAll(
  { hookline }: Cast,
  track: Track,
  { seconds, rates }: Options,
): Promise<LatencyResult[]> {
  if (seconds === 0) return []
  const small = hookline.filter(({ workers }) => workers <= 2)
  return climb(small, track, { seconds, rates })
}
