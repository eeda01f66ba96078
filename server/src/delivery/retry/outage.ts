/**
 * Distinguishes a fault of one delivery from an outage of this worker. While attempts at other hooks reach their
 * receiver, a delivery that always fails here is itself the cause.
 */
export interface OutageWatch {
  /** Records an attempt whose outcome is not a service fault. */
  reached: (hookId: number) => void
  /** Whether no attempt at another hook has reached its receiver recently. */
  isOutage: (hookId: number) => boolean
}

/** The longest delay after a service fault. */
const recentMs = 10 * 60 * 1_000

export function createOutageWatch(now: () => number): OutageWatch {
  /** Two hooks suffice: at least one of them differs from the hook in question. */
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
