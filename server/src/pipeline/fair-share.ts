/**
 * Who gives way when a worker has no time left: accounts with far more attempts than the others. While there is time,
 * everybody may have all of it; one account alone, or many with as much each, are never slowed down.
 */
export interface FairShare {
  /** An attempt of this account begins. */
  count: (accountId: number) => void
  isOver: (accountId: number) => boolean
  /** Those that give way now. */
  over: () => number[]
}

const windowMs = 1_000
/** Attempts in a second that nobody has to give up. */
const minPerSecond = 50
const maxTimesMean = 2

export function createFairShare(now: () => number, isBusy: () => boolean): FairShare {
  let counts = new Map<number, number>()
  let total = 0
  let previous = { counts: new Map<number, number>(), total: 0 }
  let startedAt = now()

  function turnWindow(): void {
    const age = now() - startedAt
    if (age < windowMs) return
    previous = age < 2 * windowMs ? { counts, total } : { counts: new Map(), total: 0 }
    counts = new Map()
    total = 0
    startedAt = now()
  }

  /** By the window that is over and the one that has begun, whichever says more. */
  function overIn(window: typeof previous): number[] {
    const mean = window.total / Math.max(1, window.counts.size)
    const max = Math.max(minPerSecond, mean * maxTimesMean)
    return [...window.counts].filter(([, count]) => count > max).map(([accountId]) => accountId)
  }

  function over(): number[] {
    if (!isBusy()) return []
    turnWindow()
    return [...new Set([...overIn(previous), ...overIn({ counts, total })])]
  }

  return {
    count(accountId) {
      turnWindow()
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
      total++
    },
    isOver: (accountId) => over().includes(accountId),
    over,
  }
}
