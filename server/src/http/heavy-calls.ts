/**
 * Calls that may look at much each keep a connection to the database busy for up to a second. They take turns, so that
 * no account's searches keep others, or the deliveries, from the database. All those of one account may take as much time as
 * passes, and a fifth of that while the process is busy.
 */
import { type CallTurns, createCallTurns } from './call-turns.ts'

const atOnceOfAccount = 2
const patienceMs = 3_000
/** A page of the dashboard makes several of these calls at once, and then none for a while. */
const burstMs = 3_000
const timesWhenBusy = 5
/** One may take long through no fault of its owner. */
const maxCostMs = 1_000

export type HeavyCalls = CallTurns

/** Half of the connections are for everything else. */
export function createHeavyCalls(connections: number, isBusy: () => boolean): HeavyCalls {
  const atOnce = Math.max(1, Math.floor(connections / 2))
  return createCallTurns(
    {
      atOnce,
      atOnceOfOwner: atOnceOfAccount,
      patienceMs,
      share: {
        burstMs,
        costMs: (tookMs) => Math.min(maxCostMs, tookMs * (isBusy() ? timesWhenBusy : 1)),
      },
    },
    `${atOnceOfAccount} searches of an account are answered at once, and the others did not end in time. Ask again, with fewer at once.`,
  )
}
