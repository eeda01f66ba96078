/**
 * Due work: claim in turn over the hooks → places → attempts. What is claimed and finds no place is given back.
 */
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Clock } from '../ops/clock.ts'
import type { Attempts } from './attempts.ts'
import { type Lease, newLease } from './lease.ts'
import type { Slots } from './slots.ts'
import type { ClaimedDelivery } from './work/claim.ts'
import type { WorkStore } from './work/work-store.ts'

interface DueParts {
  store: WorkStore
  hooks: DeliveryHooks
  clock: Clock
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
/** While nothing is due, the next look is later each time. */
const shortestIdleMs = 20
const longestIdleMs = 160
/** When those that are not known to be quick have all the places they may, they are asked again after this. */
const crowdedMs = 500

export function createTakeDue({ store, hooks, clock }: DueParts, slots: Slots, attempts: Attempts): TakeDue {
  let idleMs = shortestIdleMs
  let lag = { seconds: 0, at: clock.monotonic() }

  /** Starts what finds a place; answers the rest by what keeps it from one. */
  async function place(claimed: readonly ClaimedDelivery[], lease: Lease) {
    const outdated = claimed.filter((row) => hooks.get(row.accountId)?.version !== row.version)
    await hooks.load(outdated.map((row) => row.accountId))
    const refused = { full: [] as ClaimedDelivery[], crowded: [] as ClaimedDelivery[] }
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
      } = row
      if (recoveredMs !== null) slots.startSlowly(hookId, recoveredMs)
      const hook = hooks.get(accountId)?.hooks.get(hookId) ?? nowhere(hookId)
      const slot = slots.reserve(accountId, hook, 'due')
      if (typeof slot === 'string') refused[slot].push(row)
      else {
        const event = { id, accountId, type, data, acceptedAt, testHookId }
        attempts.start({ event, slot, hookId, round, attempts: made }, lease)
      }
    }
    return refused
  }

  return {
    async take() {
      const lease = newLease(clock)
      const most = Math.min(slots.free('due'), mostAClaim)
      const { deliveries: claimed, lagSeconds } = await store.claimDue(most, lease, slots.full())
      const refused = await place(claimed, lease)
      await store.releaseClaimed(lease.id, refused.full, 0)
      await store.releaseClaimed(lease.id, refused.crowded, crowdedMs)
      const hasRefused = refused.full.length + refused.crowded.length > 0
      // Whoever takes less than it could is not behind; what finds no place waits for its own receiver.
      const isBehind = claimed.length === most && !hasRefused
      lag = { seconds: isBehind ? lagSeconds : 0, at: clock.monotonic() }
      idleMs = claimed.length > 0 ? shortestIdleMs : Math.min(longestIdleMs, idleMs * 2)
      return claimed.length === 0 || hasRefused ? idleMs : 0
    },
    expect() {
      idleMs = shortestIdleMs
    },
    lagSeconds: () => lag.seconds + (clock.monotonic() - lag.at) / 1_000,
  }
}

/** A hook that is not there any more: what waits for it needs a place only to be cancelled. */
function nowhere(id: number): { id: number; host: string; mostPerSecond: null } {
  return { id, host: '', mostPerSecond: null }
}
