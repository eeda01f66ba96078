/**
 * Measures latency under an open load: the arrival rate does not depend on response times. Latency is the time from
 * acceptance, which is the UUIDv7 timestamp of the event id, to the time in the receiver's log.
 */
import { percentile } from '../support/load.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Arrival, verifyExactlyOnce } from './arrivals.ts'
import { startChild } from '../support/child-process.ts'
import type { HooklineSystem, RunningHookline } from './systems/hookline.ts'
import type { LoadSpec, LoadReport, LoadSettings } from './load-process.ts'
import { type Costs, runOnce, type Harness, withCosts } from './run.ts'

export interface LatencyRun extends Costs {
  messages: number
  eventsPerSecond: number
  p50Ms: number
  p99Ms: number
  p999Ms: number
  maxMs: number
  /** p99 of intake calls, from scheduled start to response. */
  callP99Ms: number
  /** Time from the end of the load to the last arrival. */
  lagMs: number
  isSustained: boolean
}

/** A rate is sustained if p99 is at most this. */
export const maxP99Ms = 250
/** A rate is sustained only if the last event arrives within this time after the load ends. */
const maxLagMs = 1_000
const arrivalTimeoutMs = 120_000

export function measureLatency(
  system: HooklineSystem,
  harness: Harness,
  spec: LoadSpec,
): Promise<LatencyRun> {
  return runOnce(system, harness, async (running) => {
    const { producerKey, accountIds } = system.installation
    const settings: LoadSettings = { intakeUrl: running.intakeUrl, producerKey, accountIds }
    const load = await startChild(new URL('./load-process.ts', import.meta.url), settings)
    try {
      return await withCosts(running, harness, () =>
        underLoad(running, harness, spec, () => load.request<LoadReport>(spec)),
      )
    } finally {
      await load.stop()
    }
  })
}

async function underLoad(
  running: RunningHookline,
  { arrivals }: Harness,
  spec: LoadSpec,
  load: () => Promise<LoadReport>,
): Promise<Omit<LatencyRun, keyof Costs>> {
  await arrivals.mark()
  const endsAt = Date.now() + spec.seconds * 1_000
  const { ids, failedCalls, callP99Ms } = await load()
  await arrivals.untilCount(ids.length, arrivalTimeoutMs)
  await waitFor('all deliveries to be settled', running.isSettled)
  const arrived = await arrivals.read()
  // The service may have accepted a failed call. Its events have unknown ids, so an exact comparison is impossible.
  if (failedCalls === 0) verifyExactlyOnce(ids, arrived)

  const sorted = arrived.map(latencyOf).toSorted((a, b) => a - b)
  const lagMs = Math.max(0, arrived.reduce((latest, { atMs }) => Math.max(latest, atMs), 0) - endsAt)
  const p99Ms = percentile(sorted, 0.99)
  return {
    messages: arrived.length,
    eventsPerSecond: spec.eventsPerSecond,
    p50Ms: percentile(sorted, 0.5),
    p99Ms,
    p999Ms: percentile(sorted, 0.999),
    maxMs: percentile(sorted, 1),
    callP99Ms,
    lagMs,
    isSustained: failedCalls === 0 && p99Ms <= maxP99Ms && lagMs <= maxLagMs,
  }
}

function latencyOf({ id, atMs }: Arrival): number {
  const acceptedAtMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  return atMs - acceptedAtMs
}
