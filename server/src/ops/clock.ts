/** Time and chance, as arguments: a simulation brings its own. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Wall clock in milliseconds; the database's, wherever it is compared with stored times. */
  now: () => number
  /** The earlier of the two clocks while they differ: what is too old by this is too old by both. */
  earliest: () => number
  /** Milliseconds that only ever grow, for deadlines and leases. */
  monotonic: () => number
  sleep: (ms: number) => Promise<unknown>
  /** From 0 to 1. */
  random: () => number
}

/** The clock of this machine, right or wrong. */
export const systemClock: Clock = {
  now: Date.now,
  earliest: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms) => sleep(ms),
  random: Math.random,
}
