/** Due deliveries: claim fairly over the hooks → slots → attempts. Claimed deliveries without a slot are released. */
import type { HookCache } from '../hooks/hook-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import { type LeasedStarter, slowLimitDelayMs } from './leased-starter.ts'
import type { ClaimedDelivery } from './queue/claim.ts'
import { newLease } from './queue/lease.ts'
import type { Slots } from './slots.ts'
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
const maxIdleMs = 320

export function createDuePoller(
  deps: DueDeps,
  worker: string,
  slots: Slots,
  starter: LeasedStarter,
  /** Accounts over their fair share while the worker is busy: their deliveries wait. */
  overShare: () => readonly number[],
): DuePoller {
  const { store, hooks, clock } = deps
  let idleMs = minIdleMs
  /** The last claim found nothing, so probably the next finds nothing either. */
  let isIdle = false
  /** Accounts that had a large part of the last claim. The next claim skips them, so others do not wait behind them. */
  let dominantAccounts: number[] = []
  let lag = { seconds: 0, at: clock.monotonic() }

  return {
    async poll() {
      const lease = newLease(clock, worker)
      const isResolverDown = deps.isResolverDown()
      const max = Math.min(slots.free('due'), isResolverDown ? maxClaimWhileDown : maxPerClaim)
      const skipped = dominantAccounts
      const skippedAccounts = [...skipped, ...overShare()]
      const single = slots.nextInLine(skippedAccounts)
      const atLimit = slots.atLimit(skippedAccounts)
      const excluded = { ...atLimit, accounts: [...atLimit.accounts, ...skippedAccounts] }
      const { deliveries: claimed, lagSeconds } =
        isIdle && !(await store.hasDue(excluded))
          ? { deliveries: [], lagSeconds: 0 }
          : await store.claimDue(max, lease, { ...excluded, single })
      isIdle = claimed.length === 0
      const claimedHooks = new Set(claimed.map(({ hookId }) => hookId))
      slots.leaveLine(single.filter((hookId) => !claimedHooks.has(hookId)))
      dominantAccounts = findDominantAccounts(claimed, max)
      await hooks.load(claimed.filter((row) => !starter.isCurrent(row)).map(({ accountId }) => accountId))
      const rejected = starter.start(claimed, lease, 'due')
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
