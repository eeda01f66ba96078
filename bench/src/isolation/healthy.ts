/** The healthy: accounts whose receivers answer at once, and how soon their events arrive. */
import { setTimeout as sleep } from 'node:timers/promises'
import { firstArrivals, latenciesOf } from './figures.ts'
import { handInAtOnce, type Intake, startLoad } from './load.ts'
import type { Receivers } from './receivers.ts'

export interface SteadyResult {
  /** In milliseconds; what never arrived is in it with the time it was waited for. */
  latencies: number[]
  missing: number
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
    async steady(ratePerSecond: number, seconds: number): Promise<SteadyResult> {
      const load = startLoad(intake, accounts, ratePerSecond)
      await sleep(seconds * 1_000)
      await load.stop()
      expected += load.accepted.length
      await allArrived(graceMs)
      const seen = latenciesOf(load.accepted, await receivers.report(), Date.now())
      return { ...seen, offered: load.offered(), refused: load.refused() }
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
