/** Raises the rate step by step, alternating between systems, and finds the highest rate that each sustains. */
import type { HooklineSystem } from './systems/hookline.ts'
import { type LatencyRun, measureLatency } from './latency.ts'
import type { Harness } from './run.ts'

export interface LatencyResult {
  name: string
  label: string
  /** The highest sustained rate, where all lower rates were sustained too. 0 if none was. */
  kneePerSecond: number
  /** Whether a higher rate was tried and not sustained. If false, the knee may be higher. */
  isKneeFound: boolean
  rates: LatencyRun[]
}

export async function ramp(
  systems: readonly HooklineSystem[],
  harness: Harness,
  { rates, seconds }: { rates: readonly number[]; seconds: number },
): Promise<LatencyResult[]> {
  const results = systems.map((system) => ({
    system,
    result: {
      name: system.name,
      label: system.label,
      kneePerSecond: 0,
      isKneeFound: false,
      rates: [],
    } as LatencyResult,
  }))
  for (const eventsPerSecond of rates.toSorted((a, b) => a - b))
    for (const { system, result } of results) {
      if (result.isKneeFound) continue
      const spec = { eventsPerSecond, seconds }
      let run = await measure(system, harness, spec)
      // Repeats once: the machine may have stalled.
      if (!run.isSustained) run = await measure(system, harness, spec)
      result.rates.push(run)
      if (run.isSustained) result.kneePerSecond = eventsPerSecond
      else result.isKneeFound = true
    }
  return results.map(({ result }) => result)
}

async function measure(
  system: HooklineSystem,
  harness: Harness,
  spec: { eventsPerSecond: number; seconds: number },
): Promise<LatencyRun> {
  const run = await measureLatency(system, harness, spec)
  const { p50Ms, p99Ms, maxMs, lagMs, isSustained } = run
  const summary = `p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)}, max ${maxMs.toFixed(0)} ms, lag ${lagMs.toFixed(0)} ms`
  console.log(
    `latency ${spec.eventsPerSecond}/s  ${system.label}: ${summary}, ${isSustained ? 'sustained' : 'NOT sustained'}`,
  )
  return run
}
