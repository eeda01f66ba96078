/** Places for attempts under way: so many in a worker, so many for one hook. Overflow waits as due work. */
export interface Slots {
  free: () => number
  reserve: (hookId: number) => boolean
  giveBack: (hookId: number) => void
  /** Hooks that have as many under way as they may. */
  fullHooks: () => number[]
  /** Resolves when a place is free. */
  whenFree: () => Promise<void>
}

export function createSlots(total: number, forOneHook: number): Slots {
  const byHook = new Map<number, number>()
  const waiting: Array<() => void> = []
  let used = 0
  return {
    free: () => total - used,
    reserve(hookId) {
      const own = byHook.get(hookId) ?? 0
      if (used >= total || own >= forOneHook) return false
      used++
      byHook.set(hookId, own + 1)
      return true
    },
    giveBack(hookId) {
      const own = (byHook.get(hookId) ?? 1) - 1
      if (own === 0) byHook.delete(hookId)
      else byHook.set(hookId, own)
      used--
      for (const wake of waiting.splice(0)) wake()
    },
    fullHooks: () => [...byHook].filter(([, own]) => own >= forOneHook).map(([hookId]) => hookId),
    whenFree: () => (used < total ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
