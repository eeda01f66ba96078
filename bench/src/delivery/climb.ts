/** Climbs from rate to rate, everybody in turn, and finds the highest that each of them bears. */
import type { HooklineContestant } from './contestants/hookline.ts'
import { type LatencyTurn, measureLatency } from './latency.ts'
import type { Track } from './turn.ts'

export interface LatencyResult {
  name: string
  label: string
  /** The highest rate that was borne, as were all below it; 0: none. */
  kneePerSecond: number
  /** Whether a higher rate was tried and not borne: else the knee may lie higher. */
  isKneeFound: boolean
  rates: LatencyTurn[]
}

export async function climb(
  contestants: readonly HooklineContestant[],
  track: Track,
  { rates, seconds }: { rates: readonly number[]; seconds: number },
): Promise<LatencyResult[]> {
  const results = contestants.map((contestant) => ({
    contestant,
    result: {
      name: contestant.name,
      label: contestant.label,
      kneePerSecond: 0,
      isKneeFound: false,
      rates: [],
    } as LatencyResult,
  }))
  for (const eventsPerSecond of rates.toSorted((a, b) => a - b))
    for (const { contestant, result } of results) {
      if (result.isKneeFound) continue
      const order = { eventsPerSecond, seconds }
      let turn = await take(contestant, track, order)
      // Once more: a stall of the machine is not the contestant's limit.
      if (!turn.isHeld) turn = await take(contestant, track, order)
      result.rates.push(turn)
      if (turn.isHeld) result.kneePerSecond = eventsPerSecond
      else result.isKneeFound = true
    }
  return results.map(({ result }) => result)
}

async function take(
  contestant: HooklineContestant,
  track: Track,
  order: { eventsPerSecond: number; seconds: number },
): Promise<LatencyTurn> {
  const turn = await measureLatency(contestant, track, order)
  const { p50Ms, p99Ms, maxMs, behindMs, isHeld } = turn
  const figures = `p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)}, max ${maxMs.toFixed(0)} ms, ${behindMs.toFixed(0)} ms behind`
  console.log(
    `latency ${order.eventsPerSecond}/s  ${contestant.label}: ${figures}, ${isHeld ? 'borne' : 'NOT borne'}`,
  )
  return turn
}
