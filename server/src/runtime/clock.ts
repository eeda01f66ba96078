/** Time and randomness, as dependencies. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Wall clock in milliseconds. The database's time where it is compared with stored times. */
  now: () => number
  /** The earlier of both clocks while they differ: an event that is too old by this is too old by both. */
  earliest: () => number
  /** Monotonic milliseconds, for deadlines and leases. */
  monotonic: () => number
  sleep: (ms: number) => Promise<unknown>
  /** From 0 to 1. */
  random: () => number
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  earliest: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms) => sleep(ms),
  random: Math.random,
}
