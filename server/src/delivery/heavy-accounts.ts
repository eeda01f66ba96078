/**
 * Accounts whose events are expensive to route: those with many hooks, and those over their share of a busy worker.
 * The loop for fresh events sets their events apart for another loop, so other accounts do not wait. After each batch
 * a heavy account waits at least as long as the batch took.
 */
import type { AccountHooks } from '../hooks/hook-cache.ts'

export interface HeavyAccounts {
  /** Whether the other loop routes this account's events. Adds the account if so. */
  isHeavy: (accountId: number, hooks: AccountHooks | undefined) => boolean
  has: (accountId: number) => boolean
  hasAny: () => boolean
  /** Adds an account whose events were set apart by another worker or before a restart. */
  add: (accountId: number, hooks: AccountHooks | undefined) => void
  /** Returns the accounts that may be routed now, longest waiting first, with the events to take of each. */
  due: () => Array<{ accountId: number; maxEvents: number }>
  /** Records how long a batch of this account took. Undefined: there was nothing to route. */
  routed: (accountId: number, ms: number | undefined) => void
}

interface Heavy {
  hooks: number
  notBefore: number
  lastRoutedAt: number
}

/** An event of an account with more hooks may commit so many rows that other events should not wait for it. */
export const maxLightHooks = 32
const maxDeliveriesPerBatch = 500
const maxAccountsPerStep = 16
const emptyWaitMs = 40
/** An account without events for this long is no longer heavy. */
const pruneAfterMs = 10_000
const maxAccounts = 1_000

interface HeavyDeps {
  now: () => number
  /** Whether the worker is at its CPU limit. */
  isBusy: () => boolean
  /** Whether an account is over its share of the attempts while the worker is busy. */
  isOverShare: (accountId: number) => boolean
}

export function createHeavyAccounts({ now, isBusy, isOverShare }: HeavyDeps): HeavyAccounts {
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
    hasAny: () => heavy.size > 0,
    add(accountId, hooks) {
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
      const entry = heavy.get(accountId)
      if (entry === undefined) return
      heavy.delete(accountId)
      if (ms === undefined && now() - entry.lastRoutedAt > pruneAfterMs) return
      // Re-inserted last, so the accounts take turns.
      heavy.set(accountId, {
        hooks: entry.hooks,
        notBefore: now() + (ms === undefined ? emptyWaitMs : ms * (isBusy() ? busyWait : idleWait)),
        lastRoutedAt: ms === undefined ? entry.lastRoutedAt : now(),
      })
    },
  }
}

function sizeOf(hooks: AccountHooks | undefined): number {
  return (hooks?.hooks.size ?? 0) + (hooks?.unloadable.size ?? 0)
}

/** Wait after a batch, as a multiple of its duration: half of the time while idle, a tenth while busy. */
const idleWait = 1
const busyWait = 9
