/** The healthy: accounts whose receivers answer at once, and how soon their events arrive. */
import { setTimeout as sleep } from 'node:timers/promises'
import { firstArrivals, latenciesOf, repeatsIn } from './figures.ts'
import { handInAtOnce, type Intake, startLoad } from './load.ts'
import type { Receivers } from './receivers.ts'

export interface SteadyResult {
  /** In milliseconds; what never arrived is in it with the time it was waited for. */
  latencies: number[]
  /** Milliseconds from when an event was due to its acceptance. */
  acceptMs: readonly number[]
  missing: number
  /** Requests that brought an event again. */
  repeats: number
  offered: number
  refused: number
}

const burstWithinMs = 120_000
const pollMs = 20

export function createHealthy(
  receivers: Receivers,
  accounts: readonly number[],
  intake: Intake,
  /** How long the last events may take before they are counted as missing. */
  graceMs: number,
) {
  let expected = 0

  async function allArrived(withinMs: number): Promise<void> {
    const endsAt = performance.now() + withinMs
    while ((await receivers.count()) < expected && performance.now() < endsAt) await sleep(pollMs)
  }

  return {
    /** Loads for so many seconds; `signal` ends it early. */
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
        repeats: repeatsIn(columns),
        offered: load.offered(),
        refused: load.refused(),
      }
    },
    /** Hands events in at once; answers how many of them arrived in a second, 0 if they did not all in time. */
    async burst(events: number): Promise<number> {
      const startedAt = Date.now()
      const ids = await handInAtOnce(intake, accounts, events)
      expected += ids.length
      await allArrived(burstWithinMs)
      const arrivals = firstArrivals(await receivers.report())
      const arrivedAt = ids.map((id) => arrivals.get(id) ?? Number.POSITIVE_INFINITY)
      if (ids.length < events) return 0
      const lastAt = arrivedAt.reduce((last, at) => Math.max(last, at), startedAt)
      return events / ((lastAt - startedAt) / 1_000)
    },
  }
}
