/**
 * Tells a fault of one delivery from an outage of this worker: while attempts at other hooks get as far as their
 * receiver, a delivery that fails here every time is itself the trouble.
 */
export interface OutageWatch {
  /** An attempt at this hook had an outcome that is not our fault. */
  reached: (hookId: number) => void
  /** No attempt at any other hook has reached its receiver lately. */
  isOutage: (hookId: number) => boolean
}

/** As long as the longest wait after our own fault. */
const recentMs = 10 * 60 * 1_000

export function createOutageWatch(now: () => number): OutageWatch {
  /** The last two hooks are enough: one of them is another one. */
  let last: { hookId: number; at: number } | undefined
  let lastOther: { hookId: number; at: number } | undefined

  return {
    reached(hookId) {
      if (last !== undefined && last.hookId !== hookId) lastOther = last
      last = { hookId, at: now() }
    },
    isOutage(hookId) {
      const other = last?.hookId === hookId ? lastOther : last
      return other === undefined || now() - other.at > recentMs
    },
  }
}
