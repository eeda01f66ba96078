/** Time and chance, as arguments: a simulation brings its own. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Wall clock in milliseconds. */
  now: () => number
  /** Milliseconds that only ever grow, for deadlines and leases. */
  monotonic: () => number
  sleep: (ms: number) => Promise<unknown>
  /** From 0 to 1. */
  random: () => number
}

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms) => sleep(ms),
  random: Math.random,
}
