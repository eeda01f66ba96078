/**
 * What the flows ask of the hot tables. They know only this, so that they can run on another store too, one that a
 * simulation holds in memory; this one is PostgreSQL.
 */
import { type Database, isDatabaseUnavailable } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import { type Claimed, claimDue, type ClaimedDelivery, type Full, releaseClaimed } from './claim.ts'
import { commitRoute, type RoutedEvent, type RouteResult } from './commit-route.ts'
import { beat, leave } from './live-workers.ts'
import { recordFailures } from './hook-failures.ts'
import { parkEvents } from './park.ts'
import { settle, type Settlement } from './settle.ts'

export interface LeaseTerms {
  id: string
  seconds: number
}

export interface WorkStore {
  commitRoute: (events: readonly RoutedEvent[], lease: LeaseTerms) => Promise<RouteResult[]>
  park: (events: readonly Event[], reason: string) => Promise<void>
  claimDue: (most: number, lease: LeaseTerms, full: Full) => Promise<Claimed>
  releaseClaimed: (lease: string, rows: readonly ClaimedDelivery[], afterMs: number) => Promise<void>
  /** Says that a worker lives and how late the work is that it takes; answers how many live. */
  beat: (worker: string, lagSeconds: number) => Promise<number>
  leave: (worker: string) => Promise<void>
  /** Answers for each whether it was settled by this. */
  settle: (worker: string, items: readonly Settlement[]) => Promise<boolean[]>
  /** Whether an error says that the store cannot work now, so that the same may work later. */
  isUnavailable: (error: unknown) => boolean
}

export function createWorkStore(db: Database): WorkStore {
  return {
    commitRoute: (events, lease) => commitRoute(db, events, lease),
    park: (events, reason) => parkEvents(db, events, reason),
    claimDue: (most, lease, full) => claimDue(db, most, lease, full),
    releaseClaimed: (lease, rows, afterMs) => releaseClaimed(db, lease, rows, afterMs),
    beat: (worker, lagSeconds) => beat(db, worker, lagSeconds),
    leave: (worker) => leave(db, worker),
    async settle(worker, items) {
      const results = await settle(db, worker, items)
      await recordFailures(db, items, results)
      return results.map(({ isSettled }) => isSettled)
    },
    isUnavailable: isDatabaseUnavailable,
  }
}
