/** Generates load for healthy accounts, whose receivers respond immediately, and measures latency. */
import { setTimeout as sleep } from 'node:timers/promises'
import { firstArrivals, latenciesOf, countRepeats } from './latency-stats.ts'
import { submitImmediately, type Intake, startLoad } from '../support/event-load.ts'
import type { Receivers } from './receivers.ts'

export interface SteadyResult {
  /** Milliseconds from acceptance to arrival. For a missing event, the time that the run waited for it. */
  latencies: number[]
  /** Milliseconds from the scheduled time of an event to its acceptance. */
  acceptMs: readonly number[]
  missing: number
  /** Number of requests beyond the first for an event. */
  repeats: number
  offered: number
  rejected: number
}

const burstTimeoutMs = 120_000
const pollMs = 20

export function createHealthy(
  receivers: Receivers,
  accounts: readonly number[],
  intake: Intake,
  /** Time after which events that have not arrived count as missing. */
  graceMs: number,
) {
  let expected = 0

  async function allArrived(withinMs: number): Promise<void> {
    const endsAt = performance.now() + withinMs
    while ((await receivers.count()) < expected && performance.now() < endsAt) await sleep(pollMs)
  }

  return {
    /** Generates load for `seconds`. `signal` ends it early. */
    async steady(ratePerSecond: number, seconds: number, signal?: AbortSignal): Promise<SteadyResult> {
      const load = startLoad(intake, accounts, ratePerSecond)
      await sleep(seconds * 1_000, undefined, { ...(signal && { signal }) }).catch(() => {})
      await load.stop()
      expected += load.accepted.length
      await allArrived(graceMs)
      const columns = await receivers.report()
      return {
        ...latenciesOf(load.accepted, columns, Date.now()),
        acceptMs: load.acceptMs,
        repeats: countRepeats(columns),
        offered: load.offered(),
        rejected: load.rejected(),
      }
    },
    /** Submits events as fast as possible. Returns the arrivals per second, 0 if not all arrive in time. */
    async burst(events: number): Promise<number> {
      const startedAt = Date.now()
      const ids = await submitImmediately(intake, accounts, events)
      expected += ids.length
      await allArrived(burstTimeoutMs)
      const arrivals = firstArrivals(await receivers.report())
      const arrivedAt = ids.map((id) => arrivals.get(id) ?? Number.POSITIVE_INFINITY)
      if (ids.length < events) return 0
      const lastAt = arrivedAt.reduce((last, at) => Math.max(last, at), startedAt)
      return events / ((lastAt - startedAt) / 1_000)
    },
  }
}
