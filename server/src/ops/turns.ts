/**
 * Lets few tasks run at once, and of one owner fewer still. Owners whose tasks wait are taken by turns, so that one with
 * many does not stand before another with one. An owner whose tasks cost more than its share waits until that much time
 * has passed.
 */
export interface TurnLimits {
  atOnce: number
  atOnceOfOwner: number
  patienceMs: number
  /** Further tasks of one owner are not taken on at all. */
  maxWaitingOfOwner?: number
  share?: ShareLimits
}

/** What tasks of one owner may cost: as many milliseconds as pass, and a burst. */
interface ShareLimits {
  burstMs: number
  costMs: (tookMs: number, result: unknown) => number
}

interface Owner {
  running: number
  waiting: Array<() => void>
}

/** It was not a task's turn while its owner was willing to wait. */
export class NoTurn extends Error {}

export interface Turns {
  run: <T>(owner: number, task: () => Promise<T>) => Promise<T>
}

export function createTurns({
  atOnce,
  atOnceOfOwner,
  patienceMs,
  maxWaitingOfOwner = Number.POSITIVE_INFINITY,
  share,
}: TurnLimits): Turns {
  /** Those who have tasks; who began or ended one last stands at the end. */
  const owners = new Map<number, Owner>()
  const shares = share && createShares(share)
  let running = 0

  function giveTurns(): void {
    while (running < atOnce) {
      const next = [...owners].find(([id, own]) => own.waiting.length > 0 && mayRun(id, own))
      if (next === undefined) return
      const [id, own] = next
      moveToEnd(id, own)
      running++
      own.running++
      own.waiting.shift()?.()
    }
  }

  function mayRun(id: number, own: Owner): boolean {
    return own.running < atOnceOfOwner && (shares === undefined || shares.waitMs(id) <= 0)
  }

  function leave(id: number, own: Owner, costMs: number): void {
    running--
    own.running--
    shares?.charge(id, costMs)
    moveToEnd(id, own)
    forgetIdle(id, own)
    giveTurns()
    giveTurnsLater(id, own)
  }

  function moveToEnd(id: number, own: Owner): void {
    owners.delete(id)
    owners.set(id, own)
  }

  function forgetIdle(id: number, own: Owner): void {
    if (own.running === 0 && own.waiting.length === 0) owners.delete(id)
  }

  function turnOf(id: number, own: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        own.waiting.splice(own.waiting.indexOf(begin), 1)
        forgetIdle(id, own)
        reject(new NoTurn())
      }, patienceMs)
      own.waiting.push(begin)
      giveTurns()
      giveTurnsLater(id, own)
    })
  }

  /** Tasks that wait for their owner's share to be free again. */
  function giveTurnsLater(id: number, own: Owner): void {
    const waitMs = shares?.waitMs(id) ?? 0
    if (waitMs > 0 && own.waiting.length > 0) setTimeout(giveTurns, waitMs + 1).unref()
  }

  return {
    async run(id, task) {
      const own = owners.get(id) ?? { running: 0, waiting: [] }
      if (own.waiting.length >= maxWaitingOfOwner) throw new NoTurn()
      owners.set(id, own)
      await turnOf(id, own)
      const startedAt = performance.now()
      let result: Awaited<ReturnType<typeof task>> | undefined
      try {
        result = await task()
        return result
      } finally {
        leave(id, own, share?.costMs(performance.now() - startedAt, result) ?? 0)
      }
    },
  }
}

const maxShares = 10_000

function createShares({ burstMs }: ShareLimits) {
  /** When as much time as an owner's tasks cost will have passed. */
  const usedUntil = new Map<number, number>()

  function forgetUnused(now: number): void {
    for (const [owner, until] of usedUntil) if (until <= now - burstMs) usedUntil.delete(owner)
  }

  return {
    waitMs: (owner: number): number => (usedUntil.get(owner) ?? 0) - performance.now(),
    charge(owner: number, costMs: number): void {
      if (costMs <= 0) return
      const now = performance.now()
      if (usedUntil.size >= maxShares) forgetUnused(now)
      const unusedSince = now - burstMs
      const before = Math.max(usedUntil.get(owner) ?? unusedSince, unusedSince)
      usedUntil.set(owner, before + costMs)
    },
  }
}
