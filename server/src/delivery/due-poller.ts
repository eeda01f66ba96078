/** Due deliveries: claim fairly over the hooks → slots → attempts. Claimed deliveries without a slot are released. */
import { type HookCache, isReadable } from '../hooks/hook-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { type Lease, newLease } from './queue/lease.ts'
import type { Slots } from './slots.ts'
import { type ClaimedDelivery, toDelivery } from './queue/claim.ts'
import type { HeldClaim } from './queue/hold-lanes.ts'
import type { DeliveryQueue } from './queue/queue.ts'

interface DueDeps {
  store: DeliveryQueue
  hooks: HookCache
  clock: Clock
  /** Host names cannot be resolved, so nearly nothing can be sent. */
  isResolverDown: () => boolean
}

export interface DuePoller {
  /** Returns the delay before the next poll. */
  poll: () => Promise<number>
  /** Deliveries are due now: shortens the delay before the next poll. */
  wake: () => void
  /** Lag of the deliveries that this worker claims, plus the time since its last claim. */
  lagSeconds: () => number
}

/** At most as many as can get a slot: releasing unused claims costs work. */
const maxPerClaim = 64
/** While the resolver is down: enough to detect recovery, and for hosts that need no lookup. */
const maxClaimWhileDown = 16
const pauseWhileDownMs = 1_000
/** While nothing is due, the delay doubles after each poll. */
const minIdleMs = 20
const maxIdleMs = 160
/** Delay before the next claim of hooks rejected by the slow limit. */
const slowLimitDelayMs = 500

export function createDuePoller(
  deps: DueDeps,
  slots: Slots,
  attempts: AttemptRunner,
  /** Accounts over their fair share while the worker is busy: their deliveries wait. */
  overShare: () => readonly number[],
): DuePoller {
  const { store, hooks, clock } = deps
  let idleMs = minIdleMs
  /** Accounts that had a large part of the last claim. The next claim skips them, so others do not wait behind them. */
  let dominantAccounts: number[] = []
  let lag = { seconds: 0, at: clock.monotonic() }

  /** Starts deliveries that get a slot. Returns the others by the cause of rejection. */
  async function startAll(claimed: readonly ClaimedDelivery[], lease: Lease) {
    const outdated = claimed.filter((row) => !isCurrent(row))
    await hooks.load(outdated.map((row) => row.accountId))
    const rejected = {
      limit: [] as ClaimedDelivery[],
      slowLimit: [] as ClaimedDelivery[],
      held: [] as HeldClaim[],
    }
    for (const row of claimed) {
      const { accountId, hookId, eventId, recoveredMs } = row
      const stopId = findHold(row)
      if (stopId !== undefined) {
        rejected.held.push({ accountId, hookId, eventId, stopId })
        continue
      }
      if (recoveredMs !== null) slots.enterSlowStart(hookId, recoveredMs)
      const hook = hooks.get(accountId)?.hooks.get(hookId) ?? deletedHook(hookId)
      const slot = slots.reserve(accountId, hook, 'due')
      if (typeof slot === 'string') rejected[slot].push(row)
      else attempts.start({ ...toDelivery(row), slot }, lease)
    }
    return rejected
  }

  /** Returns false for a hook that could not be loaded, so each claim retries the load. */
  function isCurrent({ accountId, hookId, version, stopsVersion, matchPending }: ClaimedDelivery): boolean {
    const account = hooks.get(accountId)
    return (
      account?.version === version &&
      hooks.stopsVersion() === stopsVersion &&
      !account.unloadable.has(hookId) &&
      !(matchPending && account.unreadableFilters.has(hookId))
    )
  }

  /** Returns the id of the stop that applies, null if the hook cannot be loaded, undefined if nothing holds it. */
  function findHold({ accountId, hookId, matchPending }: ClaimedDelivery): number | null | undefined {
    const account = hooks.get(accountId)
    if (account?.unloadable.has(hookId)) return null
    const hook = account?.hooks.get(hookId)
    if (matchPending && hook?.enabled && !isReadable(hook.filter)) return null
    return hook?.enabled ? hooks.findStop(accountId, hook)?.id : undefined
  }

  return {
    async poll() {
      const lease = newLease(clock)
      const isResolverDown = deps.isResolverDown()
      const max = Math.min(slots.free('due'), isResolverDown ? maxClaimWhileDown : maxPerClaim)
      const atLimit = slots.atLimit()
      const skipped = dominantAccounts
      const { deliveries: claimed, lagSeconds } = await store.claimDue(max, lease, {
        ...atLimit,
        accounts: [...atLimit.accounts, ...skipped, ...overShare()],
      })
      dominantAccounts = findDominantAccounts(claimed, max)
      const rejected = await startAll(claimed, lease)
      await store.releaseClaimed(lease.id, rejected.limit, 0)
      await store.releaseClaimed(lease.id, rejected.slowLimit, slowLimitDelayMs)
      await store.holdLanes(lease.id, rejected.held)
      const hasRejected = rejected.limit.length + rejected.slowLimit.length + rejected.held.length > 0
      // A worker that claims less than it could has no lag. Rejected deliveries wait for their own receiver.
      const isBehind = claimed.length === max && !hasRejected
      lag = { seconds: isBehind ? lagSeconds : 0, at: clock.monotonic() }
      idleMs = claimed.length > 0 ? minIdleMs : Math.min(maxIdleMs, idleMs * 2)
      if (isResolverDown) return pauseWhileDownMs
      // The other accounts are done: claim the skipped ones immediately.
      if (skipped.length > 0 && claimed.length < max) return 0
      return claimed.length === 0 || hasRejected ? idleMs : 0
    },
    wake() {
      idleMs = minIdleMs
    },
    lagSeconds: () => lag.seconds + (clock.monotonic() - lag.at) / 1_000,
  }
}

/**
 * Returns accounts with more than a quarter of the claim. An account with a thousand hooks has a thousand due lanes.
 */
function findDominantAccounts(claimed: readonly ClaimedDelivery[], max: number): number[] {
  const byAccount = Map.groupBy(claimed, ({ accountId }) => accountId)
  return [...byAccount].filter(([, rows]) => rows.length > max / 4).map(([accountId]) => accountId)
}

/** A placeholder for a deleted hook: its deliveries need a slot only to be canceled. */
function deletedHook(id: number): { id: number; host: string; maxPerSecond: null } {
  return { id, host: '', maxPerSecond: null }
}
