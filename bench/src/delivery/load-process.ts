/** Submits events from a separate process as an open load: call times do not depend on earlier responses. */
import { Pool } from 'undici'
import { openLoad, percentile } from '../support/load.ts'
import { intake, intakeCalls } from './systems/hookline.ts'

export interface LoadSettings {
  intakeUrl: string
  producerKey: string
  accountIds: readonly number[]
}

export interface LoadSpec {
  eventsPerSecond: number
  seconds: number
}

export interface LoadReport {
  /** Ids of all accepted events. */
  ids: string[]
  failedCalls: number
  /** p99 of calls, from scheduled start to response. */
  callP99Ms: number
}

/** A gateway collects events for a few milliseconds and submits them in one call. */
const eventsPerCall = 10
/** Number of call bodies built in advance, so that building them does not affect the measurement. */
const preparedCalls = 500

const settings = JSON.parse(process.argv[2] ?? '{}') as LoadSettings
const calls = intakeCalls(settings.accountIds, preparedCalls * eventsPerCall, eventsPerCall)
// The number of connections is unlimited, so no call waits for another.
const submitCall = intake(new Pool(settings.intakeUrl, { connections: null }), settings.producerKey)

process.on('message', (spec: LoadSpec) => void load(spec).then((report) => process.send?.(report)))
process.send?.({})

async function load({ eventsPerSecond, seconds }: LoadSpec): Promise<LoadReport> {
  const ids: string[] = []
  let next = 0
  const { latencies, failures } = await openLoad(eventsPerSecond / eventsPerCall, seconds, async () => {
    ids.push(...(await submitCall(calls[next++ % preparedCalls] ?? '')))
    return 'call'
  })
  const sorted = (latencies.get('call') ?? []).toSorted((a, b) => a - b)
  const failedCalls = [...failures.values()].reduce((sum, count) => sum + count, 0)
  return { ids, failedCalls, callP99Ms: percentile(sorted, 0.99) }
}
