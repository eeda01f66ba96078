/** Measures how many attempts start per second, over the current and the previous window. */

const windowMs = 250

export interface StartRate {
  count: () => void
  perSecond: () => number
}

export function createStartRate(now: () => number): StartRate {
  let current = { starts: 0, since: now() }
  let previous = 0

  function rotate(): void {
    const windows = Math.floor((now() - current.since) / windowMs)
    if (windows === 0) return
    previous = windows === 1 ? current.starts : 0
    current = { starts: 0, since: current.since + windows * windowMs }
  }

  return {
    count() {
      rotate()
      current.starts++
    },
    perSecond() {
      rotate()
      return ((previous + current.starts) * 1_000) / (windowMs + now() - current.since)
    },
  }
}
