/**
 * Limits concurrent tasks in total and per owner. Owners with waiting tasks take turns, so one with many tasks does
 * not delay another with one. An owner whose tasks cost more than its share waits until that much time has passed.
 */
export interface FairLimiterOptions {
  maxConcurrent: number
  maxConcurrentPerOwner: number
  timeoutMs: number
  /** Further tasks of one owner are rejected. */
  maxWaitingPerOwner?: number
  share?: ShareLimits
}

/** Cost limit of one owner: as many milliseconds as pass, plus a burst. */
interface ShareLimits {
  burstMs: number
  costMs: (durationMs: number, result: unknown) => number
}

export type OwnerId = number | string

interface Owner {
  running: number
  waiting: Array<() => void>
}

/** The task did not start within the timeout. */
export class LimiterTimeout extends Error {}

export interface FairLimiter {
  run: <T>(owner: OwnerId, task: () => Promise<T>) => Promise<T>
}

export function createFairLimiter({
  maxConcurrent,
  maxConcurrentPerOwner,
  timeoutMs,
  maxWaitingPerOwner = Number.POSITIVE_INFINITY,
  share,
}: FairLimiterOptions): FairLimiter {
  const owners = new Map<OwnerId, Owner>()
  /** Owners with a waiting task that may run. The owner that started or finished a task last is at the end. */
  const ready = new Set<OwnerId>()
  const shares = share && createShares(share)
  let running = 0

  function startReady(): void {
    for (const id of ready) {
      if (running >= maxConcurrent) return
      const owner = owners.get(id)
      ready.delete(id)
      if (owner === undefined) continue
      begin(owner)
      owner.waiting.shift()?.()
      queue(id, owner)
    }
  }

  function begin(owner: Owner): void {
    running++
    owner.running++
  }

  /** Adds an owner to the queue or removes it. An owner in the queue keeps its position. */
  function queue(id: OwnerId, owner: Owner): void {
    if (owner.waiting.length > 0 && canRun(id, owner)) ready.add(id)
    else ready.delete(id)
    if (owner.running === 0 && owner.waiting.length === 0) owners.delete(id)
  }

  function canRun(id: OwnerId, owner: Owner): boolean {
    return owner.running < maxConcurrentPerOwner && (shares === undefined || shares.waitMs(id) <= 0)
  }

  function release(id: OwnerId, owner: Owner, costMs: number): void {
    running--
    owner.running--
    shares?.charge(id, costMs)
    ready.delete(id)
    queue(id, owner)
    startReady()
    startReadyLater(id, owner)
  }

  /** Resolves when the task may start, and rejects after the timeout. */
  async function waitForSlot(id: OwnerId, owner: Owner): Promise<void> {
    if (running < maxConcurrent && owner.waiting.length === 0 && canRun(id, owner)) return begin(owner)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      owner.waiting.splice(owner.waiting.indexOf(start), 1)
      queue(id, owner)
      reject(new LimiterTimeout())
    }, timeoutMs)
    const start = (): void => {
      clearTimeout(timer)
      resolve()
    }
    owner.waiting.push(start)
    queue(id, owner)
    startReadyLater(id, owner)
    return promise
  }

  /** Starts waiting tasks later, when the owner is within its share again. */
  function startReadyLater(id: OwnerId, owner: Owner): void {
    const waitMs = shares?.waitMs(id) ?? 0
    if (waitMs <= 0 || owner.waiting.length === 0) return
    setTimeout(() => {
      const current = owners.get(id)
      if (current !== undefined) queue(id, current)
      startReady()
    }, waitMs + 1).unref()
  }

  return {
    async run(id, task) {
      const owner = owners.get(id) ?? { running: 0, waiting: [] }
      if (owner.waiting.length >= maxWaitingPerOwner) throw new LimiterTimeout()
      owners.set(id, owner)
      await waitForSlot(id, owner)
      const startedAt = performance.now()
      let result: Awaited<ReturnType<typeof task>> | undefined
      try {
        result = await task()
        return result
      } finally {
        release(id, owner, share?.costMs(performance.now() - startedAt, result) ?? 0)
      }
    },
  }
}

const maxShares = 10_000

function createShares({ burstMs }: ShareLimits) {
  /** The time at which an owner's cost is paid off. */
  const usedUntil = new Map<OwnerId, number>()

  function pruneUnused(now: number): void {
    for (const [owner, until] of usedUntil) if (until <= now - burstMs) usedUntil.delete(owner)
  }

  return {
    waitMs: (owner: OwnerId): number => (usedUntil.get(owner) ?? 0) - performance.now(),
    charge(owner: OwnerId, costMs: number): void {
      if (costMs <= 0) return
      const now = performance.now()
      if (usedUntil.size >= maxShares) pruneUnused(now)
      const unusedSince = now - burstMs
      const base = Math.max(usedUntil.get(owner) ?? unusedSince, unusedSince)
      usedUntil.set(owner, base + costMs)
    },
  }
}
