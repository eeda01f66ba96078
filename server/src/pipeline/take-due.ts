/**
 * Due work: claim in turn over the hooks → places → attempts. What is claimed and finds no place is given back.
 */
import { type DeliveryHooks, isReadable } from '../hooks/delivery-hooks.ts'
import type { Clock } from '../ops/clock.ts'
import type { Attempts } from './attempts.ts'
import { type Lease, newLease } from './lease.ts'
import type { Slots } from './slots.ts'
import type { ClaimedDelivery } from './work/claim.ts'
import type { HeldClaim } from './work/hold-lanes.ts'
import type { WorkStore } from './work/work-store.ts'

interface DueParts {
  store: WorkStore
  hooks: DeliveryHooks
  clock: Clock
  /** Receivers cannot be found by their names, so nearly nothing can be sent. */
  isResolverDown: () => boolean
}

export interface TakeDue {
  /** Answers how long to wait before asking again. */
  take: () => Promise<number>
  /** There is some now: the next look comes soon. */
  expect: () => void
  /** How late the work is that this worker takes, or how long it has not been able to take any. */
  lagSeconds: () => number
}

/** Not more than can be placed at once: what is claimed for nothing has to be given back. */
const mostAClaim = 64
/** While the resolver is down: enough to notice that it is back, and for what needs no name. */
const maxClaimWhileDown = 16
const pauseWhileDownMs = 1_000
/** While nothing is due, the next look is later each time. */
const shortestIdleMs = 20
const longestIdleMs = 160
/** When those that are not known to be quick have all the places they may, they are asked again after this. */
const crowdedMs = 500

export function createTakeDue(
  parts: DueParts,
  slots: Slots,
  attempts: Attempts,
  /** Accounts that have more than their share while there is no time left: their work waits. */
  overShare: () => readonly number[],
): TakeDue {
  const { store, hooks, clock } = parts
  let idleMs = shortestIdleMs
  /** Accounts that had a large part of the last claim: they sit the next one out, so that others are not behind them. */
  let largest: number[] = []
  let lag = { seconds: 0, at: clock.monotonic() }

  /** Starts what finds a place; answers the rest by what keeps it from one. */
  async function place(claimed: readonly ClaimedDelivery[], lease: Lease) {
    const outdated = claimed.filter((row) => !isCurrent(row))
    await hooks.load(outdated.map((row) => row.accountId))
    const refused = {
      full: [] as ClaimedDelivery[],
      crowded: [] as ClaimedDelivery[],
      held: [] as HeldClaim[],
    }
    for (const row of claimed) {
      const {
        eventId: id,
        accountId,
        hookId,
        type,
        data,
        acceptedAt,
        testHookId,
        recoveredMs,
        round,
        attempts: made,
        faults,
        matchPending,
      } = row
      const stopId = whatHolds(row)
      if (stopId !== undefined) {
        refused.held.push({ accountId, hookId, eventId: id, stopId })
        continue
      }
      if (recoveredMs !== null) slots.startSlowly(hookId, recoveredMs)
      const hook = hooks.get(accountId)?.hooks.get(hookId) ?? nowhere(hookId)
      const slot = slots.reserve(accountId, hook, 'due')
      if (typeof slot === 'string') refused[slot].push(row)
      else {
        const event = { id, accountId, type, data, acceptedAt, testHookId }
        attempts.start({ event, slot, hookId, round, attempts: made, faults, matchPending }, lease)
      }
    }
    return refused
  }

  /** A hook that could not be loaded is tried again each time. */
  function isCurrent({ accountId, hookId, version, stopsVersion, matchPending }: ClaimedDelivery): boolean {
    const account = hooks.get(accountId)
    return (
      account?.version === version &&
      hooks.stopsVersion() === stopsVersion &&
      !account.unloadable.has(hookId) &&
      !(matchPending && account.unreadableFilters.has(hookId))
    )
  }

  /** The stop that holds a hook; null: it cannot be loaded; undefined: nothing does. */
  function whatHolds({ accountId, hookId, matchPending }: ClaimedDelivery): number | null | undefined {
    const account = hooks.get(accountId)
    if (account?.unloadable.has(hookId)) return null
    const hook = account?.hooks.get(hookId)
    if (matchPending && hook?.enabled && !isReadable(hook.filter)) return null
    return hook?.enabled ? hooks.findStop(accountId, hook)?.id : undefined
  }

  return {
    async take() {
      const lease = newLease(clock)
      const isResolverDown = parts.isResolverDown()
      const most = Math.min(slots.free('due'), isResolverDown ? maxClaimWhileDown : mostAClaim)
      const full = slots.full()
      const sitOut = largest
      const { deliveries: claimed, lagSeconds } = await store.claimDue(most, lease, {
        ...full,
        accounts: [...full.accounts, ...sitOut, ...overShare()],
      })
      largest = largestOf(claimed, most)
      const refused = await place(claimed, lease)
      await store.releaseClaimed(lease.id, refused.full, 0)
      await store.releaseClaimed(lease.id, refused.crowded, crowdedMs)
      await store.holdLanes(lease.id, refused.held)
      const hasRefused = refused.full.length + refused.crowded.length + refused.held.length > 0
      // Whoever takes less than it could is not behind; what finds no place waits for its own receiver.
      const isBehind = claimed.length === most && !hasRefused
      lag = { seconds: isBehind ? lagSeconds : 0, at: clock.monotonic() }
      idleMs = claimed.length > 0 ? shortestIdleMs : Math.min(longestIdleMs, idleMs * 2)
      if (isResolverDown) return pauseWhileDownMs
      // The others are through: now those that sat out.
      if (sitOut.length > 0 && claimed.length < most) return 0
      return claimed.length === 0 || hasRefused ? idleMs : 0
    },
    expect() {
      idleMs = shortestIdleMs
    },
    lagSeconds: () => lag.seconds + (clock.monotonic() - lag.at) / 1_000,
  }
}

/** Accounts with more than a quarter of what could be claimed: one with a thousand hooks has a thousand lanes that are due. */
function largestOf(claimed: readonly ClaimedDelivery[], most: number): number[] {
  const counts = Map.groupBy(claimed, ({ accountId }) => accountId)
  return [...counts].filter(([, rows]) => rows.length > most / 4).map(([accountId]) => accountId)
}

/** A hook that is not there any more: what waits for it needs a place only to be cancelled. */
function nowhere(id: number): { id: number; host: string; mostPerSecond: null } {
  return { id, host: '', mostPerSecond: null }
}
