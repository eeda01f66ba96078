/** How many deliveries a second a hook still gets from this worker: a token for each, filled up as time goes by. */
export interface Rates {
  /** Whether the hook has none left now. */
  isSpent: (hookId: number, perSecond: number) => boolean
  spend: (hookId: number) => void
  spentHooks: () => number[]
}

const mostRemembered = 100_000

export function createRates(now: () => number): Rates {
  const buckets = new Map<number, { tokens: number; at: number; perSecond: number }>()

  function fill(hookId: number, perSecond: number): number {
    const size = Math.max(1, perSecond)
    const known = buckets.get(hookId) ?? { tokens: size, at: now() }
    const tokens = Math.min(size, known.tokens + ((now() - known.at) / 1_000) * perSecond)
    if (buckets.size >= mostRemembered) buckets.clear()
    buckets.set(hookId, { tokens, at: now(), perSecond })
    return tokens
  }

  return {
    isSpent: (hookId, perSecond) => fill(hookId, perSecond) < 1,
    spend(hookId) {
      const bucket = buckets.get(hookId)
      if (bucket !== undefined) bucket.tokens--
    },
    spentHooks: () =>
      [...buckets].filter(([hookId, { perSecond }]) => fill(hookId, perSecond) < 1).map(([hookId]) => hookId),
  }
}
