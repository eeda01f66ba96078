/**
 * Accounts whose events cost much to route: those with many hooks, and those that have more than their share of a busy
 * worker. The loop that takes fresh events sets theirs apart for another loop, so that nobody waits behind them.
 * Each of them is routed for at most a part of the time: after every batch it waits at least as long as the batch took.
 */
import type { AccountHooks } from '../hooks/delivery-hooks.ts'

export interface HeavyAccounts {
  /** Whether events of this account are left to the other loop; notes it if so. */
  isHeavy: (accountId: number, hooks: AccountHooks | undefined) => boolean
  has: (accountId: number) => boolean
  /** Another worker has left events of this account, or this one before it was started again. */
  found: (accountId: number, hooks: AccountHooks | undefined) => void
  /** Those that may be routed now, with how many events of each, the longest waiting first. */
  due: () => Array<{ accountId: number; maxEvents: number }>
  /** A batch of this account took so long; no time: there was nothing to route. */
  routed: (accountId: number, ms: number | undefined) => void
}

interface Heavy {
  hooks: number
  notBefore: number
  lastRoutedAt: number
}

/** An event of an account with more hooks may be a commit of so many rows that others should not wait for it. */
const maxLightHooks = 32
const maxDeliveriesPerBatch = 500
const maxAccountsPerStep = 16
const emptyWaitMs = 40
/** Without events for so long it is like any other account again. */
const forgetAfterMs = 10_000
const maxAccounts = 1_000

interface HeavyParts {
  now: () => number
  /** Whether the worker has no time left. */
  isBusy: () => boolean
  /** Whether an account has more than its share of the attempts then. */
  isOverShare: (accountId: number) => boolean
}

export function createHeavyAccounts({ now, isBusy, isOverShare }: HeavyParts): HeavyAccounts {
  const heavy = new Map<number, Heavy>()

  function add(accountId: number, hooks: number): void {
    if (heavy.size < maxAccounts) heavy.set(accountId, { hooks, notBefore: now(), lastRoutedAt: now() })
  }

  return {
    isHeavy(accountId, hooks) {
      const size = sizeOf(hooks)
      if (!heavy.has(accountId) && (size > maxLightHooks || isOverShare(accountId)))
        add(accountId, Math.max(1, size))
      return heavy.has(accountId)
    },
    has: (accountId) => heavy.has(accountId),
    found(accountId, hooks) {
      if (!heavy.has(accountId)) add(accountId, Math.max(1, sizeOf(hooks)))
    },
    due: () =>
      [...heavy]
        .filter(([, { notBefore }]) => notBefore <= now())
        .slice(0, maxAccountsPerStep)
        .map(([accountId, { hooks }]) => ({
          accountId,
          maxEvents: Math.max(1, Math.floor(maxDeliveriesPerBatch / hooks)),
        })),
    routed(accountId, ms) {
      const own = heavy.get(accountId)
      if (own === undefined) return
      heavy.delete(accountId)
      if (ms === undefined && now() - own.lastRoutedAt > forgetAfterMs) return
      // Behind the others, so that all of them have their turn.
      heavy.set(accountId, {
        hooks: own.hooks,
        notBefore: now() + (ms === undefined ? emptyWaitMs : ms * (isBusy() ? busyWait : idleWait)),
        lastRoutedAt: ms === undefined ? own.lastRoutedAt : now(),
      })
    },
  }
}

function sizeOf(hooks: AccountHooks | undefined): number {
  return (hooks?.hooks.size ?? 0) + (hooks?.unloadable.size ?? 0)
}

/** How many times as long as a batch took its account waits: half of the time while there is room, else a tenth. */
const idleWait = 1
const busyWait = 9
