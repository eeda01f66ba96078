/** Hands events in from a process of its own, at times drawn beforehand, whether or not earlier calls are answered. */
import { Pool } from 'undici'
import { openLoad, percentile } from '../load.ts'
import { intake, intakeCalls } from './contestants/hookline.ts'

export interface LoadSettings {
  intakeUrl: string
  producerKey: string
  accountIds: readonly number[]
}

export interface LoadOrder {
  eventsPerSecond: number
  seconds: number
}

export interface LoadReport {
  /** Of all accepted events. */
  ids: string[]
  failedCalls: number
  /** Of calls, from when they were due to their answer. */
  callP99Ms: number
}

/** A gateway collects for some milliseconds and hands in what there is. */
const eventsACall = 10
/** Calls are drawn from so many that were made beforehand, so that making them takes no time while it counts. */
const madeCalls = 500

const settings = JSON.parse(process.argv[2] ?? '{}') as LoadSettings
const calls = intakeCalls(settings.accountIds, madeCalls * eventsACall, eventsACall)
// As many connections as there are calls under way: none waits for another.
const hand = intake(new Pool(settings.intakeUrl, { connections: null }), settings.producerKey)

process.on('message', (order: LoadOrder) => void load(order).then((report) => process.send?.(report)))
process.send?.({})

async function load({ eventsPerSecond, seconds }: LoadOrder): Promise<LoadReport> {
  const ids: string[] = []
  let next = 0
  const { latencies, failures } = await openLoad(eventsPerSecond / eventsACall, seconds, async () => {
    ids.push(...(await hand(calls[next++ % madeCalls] ?? '')))
    return 'call'
  })
  const sorted = (latencies.get('call') ?? []).toSorted((a, b) => a - b)
  return { ids, failedCalls: failures, callP99Ms: percentile(sorted, 0.99) }
}
