/** Token buckets for the rate limits of hooks in this worker: one token per delivery, refilled over time. */
export interface TokenBuckets {
  /** Whether the hook has no token left. */
  isSpent: (hookId: number, perSecond: number) => boolean
  spend: (hookId: number) => void
  spentHooks: () => number[]
}

const maxBuckets = 100_000

export function createTokenBuckets(now: () => number): TokenBuckets {
  const buckets = new Map<number, { tokens: number; at: number; perSecond: number }>()

  function fill(hookId: number, perSecond: number): number {
    const size = Math.max(1, perSecond)
    const bucket = buckets.get(hookId) ?? { tokens: size, at: now() }
    const tokens = Math.min(size, bucket.tokens + ((now() - bucket.at) / 1_000) * perSecond)
    if (buckets.size >= maxBuckets) buckets.clear()
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
