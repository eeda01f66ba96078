/**
 * Starts leased deliveries that get a slot: due ones that this worker has claimed, and fresh ones that were leased to it when
 * their event was accepted. Returns the others to its caller, by cause.
 */
import { type HookCache, isReadable } from '../hooks/hook-cache.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { type ClaimedDelivery, toDelivery } from './queue/claim.ts'
import type { HeldClaim } from './queue/hold-lanes.ts'
import type { Lease } from './queue/lease.ts'
import type { Slots, SlotUse } from './slots.ts'

/** Delay before the next attempt to start a delivery of a hook rejected by the slow limit. */
export const slowLimitDelayMs = 500

interface Rejected {
  limit: ClaimedDelivery[]
  slowLimit: ClaimedDelivery[]
  /** Their hook cannot receive now. */
  held: HeldClaim[]
}

export interface LeasedStarter {
  /** Whether the account's hooks are cached at the version of the delivery. Otherwise they must be loaded first. */
  isCurrent: (delivery: ClaimedDelivery) => boolean
  /** Starts deliveries of accounts whose hooks are cached, at once, so the hooks stay current. Returns the others. */
  start: (deliveries: readonly ClaimedDelivery[], lease: Lease, use: SlotUse) => Rejected
}

export function createLeasedStarter(
  hooks: HookCache,
  slots: Slots,
  attempts: Pick<AttemptRunner, 'start'>,
): LeasedStarter {
  /** Returns the id of the stop that applies, null if the hook cannot be loaded, undefined if nothing holds it. */
  function findHold({ accountId, hookId, matchPending }: ClaimedDelivery): number | null | undefined {
    const account = hooks.get(accountId)
    if (account?.unloadable.has(hookId)) return null
    const hook = account?.hooks.get(hookId)
    if (matchPending && hook?.enabled && !isReadable(hook.filter)) return null
    return hook?.enabled ? hooks.findStop(accountId, hook)?.id : undefined
  }

  return {
    // False for a hook that could not be loaded, so each claim retries the load.
    isCurrent({ accountId, hookId, version, stopsVersion, matchPending }) {
      const account = hooks.get(accountId)
      return (
        account?.version === version &&
        hooks.stopsVersion() === stopsVersion &&
        !account.unloadable.has(hookId) &&
        !(matchPending && account.unreadableFilters.has(hookId))
      )
    },
    start(deliveries, lease, use) {
      const rejected: Rejected = { limit: [], slowLimit: [], held: [] }
      for (const row of deliveries) {
        const { accountId, hookId, eventId, recoveredMs } = row
        const stopId = findHold(row)
        if (stopId !== undefined) {
          rejected.held.push({ accountId, hookId, eventId, stopId })
          continue
        }
        if (recoveredMs !== null) slots.enterSlowStart(hookId, recoveredMs)
        const hook = hooks.get(accountId)?.hooks.get(hookId) ?? deletedHook(hookId)
        const slot = slots.reserve(accountId, hook, use)
        if (typeof slot === 'string') rejected[slot].push(row)
        else attempts.start({ ...toDelivery(row), slot }, lease)
      }
      return rejected
    },
  }
}

/** A placeholder for a deleted hook: its deliveries need a slot only to be canceled. */
function deletedHook(id: number): { id: number; host: string; maxPerSecond: null } {
  return { id, host: '', maxPerSecond: null }
}
