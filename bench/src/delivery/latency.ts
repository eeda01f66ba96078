/**
 * Latency: events come at a rate that nothing slows down. From the event's acceptance, which its id holds in
 * milliseconds (UUIDv7), to the moment the receiver notes.
 */
import { percentile } from '../load.ts'
import { until } from '../faults/wait.ts'
import { type Arrival, verifyExactlyOnce } from './arrivals.ts'
import { startAssistant } from './child.ts'
import type { HooklineContestant, RunningHookline } from './contestants/hookline.ts'
import type { LoadOrder, LoadReport, LoadSettings } from './load-process.ts'
import { type Costs, takeTurn, type Track, withCosts } from './turn.ts'

export interface LatencyTurn extends Costs {
  messages: number
  eventsPerSecond: number
  p50Ms: number
  p99Ms: number
  p999Ms: number
  maxMs: number
  /** Of calls to the intake, from when they were due to their answer. */
  callP99Ms: number
  /** From the end of the load until everything had arrived. */
  behindMs: number
  /** Whether the rate was borne. */
  isHeld: boolean
}

/** A rate is borne while of a hundred events ninety-nine arrive within this time. */
export const worstP99Ms = 250
/** What comes later than this after the load's end was left behind. */
const mostBehindMs = 1_000
const arriveWithinMs = 120_000

export function measureLatency(
  contestant: HooklineContestant,
  track: Track,
  order: LoadOrder,
): Promise<LatencyTurn> {
  return takeTurn(contestant, track, async (running) => {
    const { producerKey, accountIds } = contestant.installation
    const settings: LoadSettings = { intakeUrl: running.intakeUrl, producerKey, accountIds }
    const load = await startAssistant(new URL('./load-process.ts', import.meta.url), settings)
    try {
      return await withCosts(running, track, () =>
        underLoad(running, track, order, () => load.ask<LoadReport>(order)),
      )
    } finally {
      await load.stop()
    }
  })
}

async function underLoad(
  running: RunningHookline,
  { arrivals }: Track,
  order: LoadOrder,
  load: () => Promise<LoadReport>,
): Promise<Omit<LatencyTurn, keyof Costs>> {
  await arrivals.mark()
  const endsAt = Date.now() + order.seconds * 1_000
  const { ids, failedCalls, callP99Ms } = await load()
  await arrivals.untilCount(ids.length, arriveWithinMs)
  await until('the books are closed', running.isSettled)
  const arrived = await arrivals.read()
  // A call that failed may have been accepted: its events are nobody's, so they can be missing or too many.
  if (failedCalls === 0) verifyExactlyOnce(ids, arrived)

  const sorted = arrived.map(latencyOf).toSorted((a, b) => a - b)
  const behindMs = Math.max(0, arrived.reduce((latest, { atMs }) => Math.max(latest, atMs), 0) - endsAt)
  const p99Ms = percentile(sorted, 0.99)
  return {
    messages: arrived.length,
    eventsPerSecond: order.eventsPerSecond,
    p50Ms: percentile(sorted, 0.5),
    p99Ms,
    p999Ms: percentile(sorted, 0.999),
    maxMs: percentile(sorted, 1),
    callP99Ms,
    behindMs,
    isHeld: failedCalls === 0 && p99Ms <= worstP99Ms && behindMs <= mostBehindMs,
  }
}

function latencyOf({ id, atMs }: Arrival): number {
  const acceptedAtMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  return atMs - acceptedAtMs
}
