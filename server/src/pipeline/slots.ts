/**
 * Places for attempts under way in this worker, and who may have one. Nobody can take all of them:
 *   - one hook, one account: so many over all workers, so each worker has its share;
 *   - one host: a quarter of this worker's;
 *   - hooks that have not lately answered within a second: half, so that those that do always find a place;
 *   - fresh and due work: three quarters each, so that neither waits for the other.
 * What finds no place waits as due work.
 */
import type { DeliveryHook } from '../hooks/delivery-hooks.ts'
import { createRates } from './rates.ts'
import { slowStartSeconds } from './work/breaker.ts'

export interface SlotLimits {
  total: number
  /** Over all workers. */
  ofHook: number
  ofAccount: number
}

export type SlotUse = 'fresh' | 'due'

export interface Slot {
  readonly accountId: number
  readonly hookId: number
  readonly host: string
  readonly use: SlotUse
  isProven: boolean
  startedAt: number | undefined
  isFinished: boolean
}

/** Full: its hook, account or host has as many as it may. Crowded: those that are not known to be quick have. */
type Refused = 'full' | 'crowded'

export interface Slots {
  free: (use: SlotUse) => number
  reserve: (accountId: number, hook: SlotHook, use: SlotUse) => Slot | Refused
  /** The attempt begins now. */
  begin: (slot: Slot) => void
  /** The receiver has answered or not: its hook, account and host have a place more. */
  finish: (slot: Slot) => void
  /** It is settled too, or nothing came of it. */
  giveBack: (slot: Slot) => void
  /** Whose turn can wait. */
  full: () => { hooks: number[]; accounts: number[]; hosts: string[] }
  /** How many workers share what is counted over all of them. */
  shareAmong: (workers: number) => void
  /** The hook's breaker closed so long ago: it gets one at a time, then two, four, eight. */
  startSlowly: (hookId: number, recoveredMs: number) => void
  isStartingSlowly: (hookId: number) => boolean
  /** Resolves when there is a place for this use. */
  whenFree: (use: SlotUse) => Promise<void>
}

type SlotHook = Pick<DeliveryHook, 'id' | 'host' | 'mostPerSecond'>

/** An answer within this time is quick. */
const quickMs = 1_000
const mostRemembered = 100_000

export function createSlots(limits: SlotLimits, now: () => number): Slots {
  const { total } = limits
  const mostOfUse = Math.ceil(total * 0.75)
  const mostOfHost = Math.ceil(total / 4)
  const mostUnproven = Math.ceil(total / 2)

  const used = { fresh: 0, due: 0 }
  const byHook = new Map<number, number>()
  const byAccount = new Map<number, number>()
  const byHost = new Map<string, number>()
  let unproven = 0
  let workers = 1
  /** Hooks whose last answer was quick. */
  const quick = new Set<number>()
  /** Under way, in the order they began. */
  const begun = new Set<Slot>()
  const recoveredAt = new Map<number, number>()
  const rates = createRates(now)
  let waiting: Array<{ use: SlotUse; resolve: () => void }> = []

  const shareOf = (most: number): number => Math.max(1, Math.ceil(most / workers))
  const free = (use: SlotUse): number => Math.min(total - used.fresh - used.due, mostOfUse - used[use])

  /** In a slow start 1 in the first second, then 2, 4, 8, until that is its share. */
  function mostOf(hookId: number): number {
    const share = shareOf(limits.ofHook)
    const recovered = recoveredAt.get(hookId)
    if (recovered === undefined) return share
    const slowly = 2 ** Math.floor(Math.max(0, now() - recovered) / 1_000)
    if (slowly >= share) recoveredAt.delete(hookId)
    return Math.min(share, slowly)
  }

  /** Every worker gives its share of the hook's rate. */
  function isPastRate({ id, mostPerSecond }: SlotHook): boolean {
    return mostPerSecond !== null && rates.isSpent(id, mostPerSecond / workers)
  }

  /** Attempts that have become slow are no longer quick, whatever their hook was before. */
  function noticeSlow(): void {
    for (const slot of begun) {
      if (slot.startedAt === undefined || now() - slot.startedAt < quickMs) return
      begun.delete(slot)
      quick.delete(slot.hookId)
      if (!slot.isProven) continue
      slot.isProven = false
      unproven++
    }
  }

  function finish(slot: Slot): void {
    if (slot.isFinished) return
    slot.isFinished = true
    begun.delete(slot)
    if (slot.startedAt !== undefined) {
      if (quick.size >= mostRemembered) quick.clear()
      if (now() - slot.startedAt < quickMs) quick.add(slot.hookId)
      else quick.delete(slot.hookId)
    }
    if (!slot.isProven) unproven--
    add(byHook, slot.hookId, -1)
    add(byAccount, slot.accountId, -1)
    add(byHost, slot.host, -1)
  }

  return {
    free,
    reserve(accountId, hook, use) {
      if (free(use) <= 0) return 'full'
      if (count(byHook, hook.id) >= mostOf(hook.id) || isPastRate(hook)) return 'full'
      if (count(byAccount, accountId) >= shareOf(limits.ofAccount)) return 'full'
      if (count(byHost, hook.host) >= mostOfHost) return 'full'
      noticeSlow()
      const isProven = quick.has(hook.id)
      if (!isProven && unproven >= mostUnproven) return 'crowded'

      if (hook.mostPerSecond !== null) rates.spend(hook.id)
      used[use]++
      if (!isProven) unproven++
      add(byHook, hook.id, 1)
      add(byAccount, accountId, 1)
      add(byHost, hook.host, 1)
      return {
        accountId,
        hookId: hook.id,
        host: hook.host,
        use,
        isProven,
        startedAt: undefined,
        isFinished: false,
      }
    },
    begin(slot) {
      slot.startedAt = now()
      begun.add(slot)
    },
    finish,
    giveBack(slot) {
      finish(slot)
      used[slot.use]--
      const woken = waiting.filter(({ use }) => free(use) > 0)
      waiting = waiting.filter(({ use }) => free(use) <= 0)
      for (const { resolve } of woken) resolve()
    },
    full: () => ({
      hooks: [
        ...[...byHook].filter(([hookId, own]) => own >= mostOf(hookId)).map(([hookId]) => hookId),
        ...rates.spentHooks(),
      ],
      accounts: keysFrom(byAccount, withoutRest(shareOf(limits.ofAccount))),
      hosts: keysFrom(byHost, withoutRest(mostOfHost)),
    }),
    shareAmong(live) {
      workers = Math.max(1, live)
    },
    startSlowly(hookId, recoveredMs) {
      if (recoveredMs > slowStartSeconds * 1_000) return
      if (recoveredAt.size >= mostRemembered) recoveredAt.clear()
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
  const own = count(counts, key) + change
  if (own === 0) counts.delete(key)
  else counts.set(key, own)
}

/** So nearly full counts as full: a turn takes several rows, and would have to give most of them back. */
function withoutRest(most: number): number {
  return most - Math.min(16, Math.floor(most / 4))
}

function keysFrom<Key>(counts: ReadonlyMap<Key, number>, least: number): Key[] {
  return [...counts].filter(([, own]) => own >= least).map(([key]) => key)
}
