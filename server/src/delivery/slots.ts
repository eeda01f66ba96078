/**
 * Slots for attempts in flight in this worker, and their limits. No group can use all of them:
 * - a hook, an account: a limit over all workers, divided by their number;
 * - a host: a quarter of this worker's slots;
 * - hooks whose last response took a second or more, or that have not responded yet: half, so fast hooks always find
 *   a slot;
 * - fresh events and due deliveries: three quarters each, so neither waits for the other.
 * A delivery without a slot waits as due. Hooks that the third limit rejects wait in line for its slots: one delivery of
 * each, in turn. Claims skip the others, which would be claimed and released again and again.
 */
import type { CachedHook } from '../hooks/hook-cache.ts'
import { createTokenBuckets } from './token-buckets.ts'
import { slowStartSeconds } from './queue/circuit-breaker.ts'

export interface SlotLimits {
  total: number
  /** Over all workers, like `perAccount`. */
  perHook: number
  perAccount: number
}

export type SlotUse = 'fresh' | 'due'

export interface Slot {
  readonly accountId: number
  readonly hookId: number
  readonly host: string
  readonly use: SlotUse
  isFast: boolean
  startedAt: number | undefined
  isFinished: boolean
}

/** `limit`: the hook, account or host is at its limit. `slowLimit`: hooks not known to be fast are at theirs. */
type SlotRejection = 'limit' | 'slowLimit'

export interface Slots {
  free: (use: SlotUse) => number
  usedShare: () => number
  reserve: (accountId: number, hook: SlotHook, use: SlotUse) => Slot | SlotRejection
  /** Marks the start of the attempt. */
  begin: (slot: Slot) => void
  /** Marks the end of the exchange with the receiver. Frees the share of the hook, account and host. */
  finish: (slot: Slot) => void
  /** Frees the slot after the settlement, or when there was no attempt. */
  release: (slot: Slot) => void
  /** Hooks, accounts and hosts at their limit, and hooks in line whose turn it is not. */
  atLimit: (skippedAccounts?: readonly number[]) => { hooks: number[]; accounts: number[]; hosts: string[] }
  /** Hooks in line whose turn it is: a slot is free for one delivery of each. Those of skipped accounts let others pass. */
  nextInLine: (skippedAccounts?: readonly number[]) => number[]
  /** These hooks have nothing to deliver now. */
  leaveLine: (hookIds: readonly number[]) => void
  /** How many more fresh deliveries of this hook would get a slot, if enough are free. */
  roomOf: (accountId: number, hook: SlotHook) => number
  /** Sets the number of workers that share the limits over all workers. */
  setWorkerCount: (workers: number) => void
  /** The hook's breaker closed this long ago: it gets one concurrent attempt, then two, four, eight. */
  enterSlowStart: (hookId: number, recoveredMs: number) => void
  isStartingSlowly: (hookId: number) => boolean
  /** Resolves when a slot for this use is free. */
  whenFree: (use: SlotUse) => Promise<void>
}

type SlotHook = Pick<CachedHook, 'id' | 'host' | 'maxPerSecond'>

/** A response within this time is fast. */
const fastMs = 1_000
const maxCached = 100_000
/** A claim gets the ids of the hooks that it skips. It claims and releases further ones. */
const maxSkipped = 1_000

export function createSlots(limits: SlotLimits, now: () => number): Slots {
  const { total } = limits
  const maxPerUse = Math.ceil(total * 0.75)
  const maxPerHost = Math.ceil(total / 4)
  const maxSlow = Math.ceil(total / 2)

  const used = { fresh: 0, due: 0 }
  const byHook = new Map<number, number>()
  const byAccount = new Map<number, number>()
  const byHost = new Map<string, number>()
  let slowInUse = 0
  let workers = 1
  /** Hooks whose last response was fast. */
  const fast = new Set<number>()
  /** Attempts in flight, in the order they started. */
  const inFlight = new Set<Slot>()
  const recoveredAt = new Map<number, number>()
  /** Hooks that wait for a slot of those not known to be fast. The one that has waited longest comes first. */
  const line = new Map<number, { accountId: number; hook: SlotHook }>()
  const rates = createTokenBuckets(now)
  let waiting: Array<{ use: SlotUse; resolve: () => void }> = []

  const shareOf = (max: number): number => Math.max(1, Math.ceil(max / workers))
  const free = (use: SlotUse): number => Math.min(total - used.fresh - used.due, maxPerUse - used[use])

  /** In a slow start: 1 in the first second, then 2, 4, 8, up to the share of this worker. */
  function maxPerHook(hookId: number): number {
    const share = shareOf(limits.perHook)
    const recovered = recoveredAt.get(hookId)
    if (recovered === undefined) return share
    const slowStartLimit = 2 ** Math.floor(Math.max(0, now() - recovered) / 1_000)
    if (slowStartLimit >= share) recoveredAt.delete(hookId)
    return Math.min(share, slowStartLimit)
  }

  /** Each worker applies its share of the hook's rate limit. */
  function isRateLimited({ id, maxPerSecond }: SlotHook): boolean {
    return maxPerSecond !== null && rates.isSpent(id, maxPerSecond / workers)
  }

  /** How many more attempts the limits of the hook, its account and its host allow. */
  function roomWithinLimits(accountId: number, hook: SlotHook): number {
    if (isRateLimited(hook)) return 0
    return Math.min(
      maxPerHook(hook.id) - count(byHook, hook.id),
      shareOf(limits.perAccount) - count(byAccount, accountId),
      maxPerHost - count(byHost, hook.host),
    )
  }

  /** Reclassifies attempts that take longer than a fast response, whatever their hook was before. */
  function markSlow(): void {
    for (const slot of inFlight) {
      if (slot.startedAt === undefined || now() - slot.startedAt < fastMs) return
      inFlight.delete(slot)
      fast.delete(slot.hookId)
      if (!slot.isFast) continue
      slot.isFast = false
      slowInUse++
    }
  }

  /** At its end. A hook that is in line keeps its place. */
  function joinLine(accountId: number, hook: SlotHook): void {
    line.set(hook.id, { accountId, hook })
  }

  /** Hooks in line whose turn it is, and others to skip. A hook that is fast or at a limit leaves: it needs or can use no turn. */
  function splitLine(skippedAccounts: readonly number[] = []): { next: number[]; later: number[] } {
    markSlow()
    const next: number[] = []
    const later: number[] = []
    for (const [id, { accountId, hook }] of line) {
      if (fast.has(id) || roomWithinLimits(accountId, hook) <= 0) line.delete(id)
      else if (skippedAccounts.includes(accountId)) continue
      else if (next.length < maxSlow - slowInUse) next.push(id)
      else if (later.push(id) >= maxSkipped) break
    }
    return { next, later }
  }

  /** Whether a hook that is not known to be fast gets a slot now, because fewer hooks come before it than slots are free. */
  function isItsTurn(hookId: number): boolean {
    let left = maxSlow - slowInUse
    if (left <= 0) return false
    for (const id of line.keys()) {
      if (id === hookId) return true
      if (!fast.has(id) && --left <= 0) return false
    }
    return true
  }

  function finish(slot: Slot): void {
    if (slot.isFinished) return
    slot.isFinished = true
    inFlight.delete(slot)
    if (slot.startedAt !== undefined) {
      if (fast.size >= maxCached) fast.clear()
      if (now() - slot.startedAt < fastMs) fast.add(slot.hookId)
      else fast.delete(slot.hookId)
    }
    if (!slot.isFast) slowInUse--
    add(byHook, slot.hookId, -1)
    add(byAccount, slot.accountId, -1)
    add(byHost, slot.host, -1)
  }

  return {
    free,
    usedShare: () => (used.fresh + used.due) / total,
    reserve(accountId, hook, use) {
      if (free(use) <= 0 || roomWithinLimits(accountId, hook) <= 0) return 'limit'
      markSlow()
      const isFast = fast.has(hook.id)
      if (!isFast && !isItsTurn(hook.id)) {
        if (line.size < maxCached) joinLine(accountId, hook)
        return 'slowLimit'
      }

      // It may have more to deliver, after one delivery of each other hook in line.
      if (line.delete(hook.id) && !isFast) joinLine(accountId, hook)
      if (hook.maxPerSecond !== null) rates.spend(hook.id)
      used[use]++
      if (!isFast) slowInUse++
      add(byHook, hook.id, 1)
      add(byAccount, accountId, 1)
      add(byHost, hook.host, 1)
      return {
        accountId,
        hookId: hook.id,
        host: hook.host,
        use,
        isFast,
        startedAt: undefined,
        isFinished: false,
      }
    },
    begin(slot) {
      slot.startedAt = now()
      inFlight.add(slot)
    },
    finish,
    release(slot) {
      finish(slot)
      used[slot.use]--
      const woken = waiting.filter(({ use }) => free(use) > 0)
      waiting = waiting.filter(({ use }) => free(use) <= 0)
      for (const { resolve } of woken) resolve()
    },
    roomOf(accountId, hook) {
      markSlow()
      if (!fast.has(hook.id) && !isItsTurn(hook.id)) return 0
      return roomWithinLimits(accountId, hook)
    },
    atLimit: (skippedAccounts) => ({
      hooks: [
        ...[...byHook].filter(([hookId, inUse]) => inUse >= maxPerHook(hookId)).map(([hookId]) => hookId),
        ...rates.spentHooks(),
        ...splitLine(skippedAccounts).later,
      ],
      accounts: keysAtLeast(byAccount, withoutReserve(shareOf(limits.perAccount))),
      hosts: keysAtLeast(byHost, withoutReserve(maxPerHost)),
    }),
    nextInLine: (skippedAccounts) => splitLine(skippedAccounts).next,
    leaveLine(hookIds) {
      for (const id of hookIds) line.delete(id)
    },
    setWorkerCount(live) {
      workers = Math.max(1, live)
    },
    enterSlowStart(hookId, recoveredMs) {
      if (recoveredMs > slowStartSeconds * 1_000) return
      if (recoveredAt.size >= maxCached) recoveredAt.clear()
      recoveredAt.set(hookId, now() - recoveredMs)
    },
    isStartingSlowly: (hookId) => recoveredAt.has(hookId),
    whenFree: (use) =>
      free(use) > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push({ use, resolve })),
  }
}

function count<Key>(counts: ReadonlyMap<Key, number>, key: Key): number {
  return counts.get(key) ?? 0
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const next = count(counts, key) + change
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

/**
 * A count this close to the limit is at the limit: a claim takes several rows per lane, and would have to release
 * most.
 */
function withoutReserve(max: number): number {
  return max - Math.min(16, Math.floor(max / 4))
}

function keysAtLeast<Key>(counts: ReadonlyMap<Key, number>, min: number): Key[] {
  return [...counts].filter(([, value]) => value >= min).map(([key]) => key)
}
