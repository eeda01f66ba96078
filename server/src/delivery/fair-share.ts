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
  let current = emptyWindow()
  let previous = emptyWindow()
  let startedAt = now()

  function rotateWindow(): void {
    const age = now() - startedAt
    if (age < windowMs) return
    previous = age < 2 * windowMs ? current : emptyWindow()
    current = emptyWindow()
    startedAt = now()
  }

  /** An account is over its share if it is in the previous or in the current window. */
  function isOverShare(accountId: number): boolean {
    if (!isBusy()) return false
    rotateWindow()
    return [previous, current].some((window) => (window.counts.get(accountId) ?? 0) > maxIn(window))
  }

  return {
    count(accountId) {
      rotateWindow()
      current.counts.set(accountId, (current.counts.get(accountId) ?? 0) + 1)
      current.total++
    },
    isOverShare,
    over: () =>
      isBusy() ? [...new Set([...previous.counts.keys(), ...current.counts.keys()])].filter(isOverShare) : [],
  }
}

/** Attempts by account, and of all accounts together. */
interface Window {
  counts: Map<number, number>
  total: number
}

function emptyWindow(): Window {
  return { counts: new Map(), total: 0 }
}

function maxIn({ counts, total }: Window): number {
  return Math.max(minPerSecond, (total / Math.max(1, counts.size)) * maxRatioToMean)
}
