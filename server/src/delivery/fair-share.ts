/**
 * Limits accounts with far more attempts than the others while the worker is busy. An idle worker limits nobody. One
 * account alone, or many with equal load, are never slowed down.
 */
export interface FairShare {
  /** Counts an attempt of this account. */
  count: (accountId: number) => void
  isOverShare: (accountId: number) => boolean
  /** Returns the accounts that are over their share now. */
  over: () => number[]
}

const windowMs = 1_000
/** An account below this rate is never over its share. */
const minPerSecond = 50
const maxRatioToMean = 2

export function createFairShare(now: () => number, isBusy: () => boolean): FairShare {
  let counts = new Map<number, number>()
  let total = 0
  let previous = { counts: new Map<number, number>(), total: 0 }
  let startedAt = now()

  function rotateWindow(): void {
    const age = now() - startedAt
    if (age < windowMs) return
    previous = age < 2 * windowMs ? { counts, total } : { counts: new Map(), total: 0 }
    counts = new Map()
    total = 0
    startedAt = now()
  }

  /** An account is over its share if it is in the previous or in the current window. */
  function overIn(window: typeof previous): number[] {
    const mean = window.total / Math.max(1, window.counts.size)
    const max = Math.max(minPerSecond, mean * maxRatioToMean)
    return [...window.counts].filter(([, count]) => count > max).map(([accountId]) => accountId)
  }

  function over(): number[] {
    if (!isBusy()) return []
    rotateWindow()
    return [...new Set([...overIn(previous), ...overIn({ counts, total })])]
  }

  return {
    count(accountId) {
      rotateWindow()
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
      total++
    },
    isOverShare: (accountId) => over().includes(accountId),
    over,
  }
}
