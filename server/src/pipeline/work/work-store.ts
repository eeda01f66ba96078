/**
 * What the flows ask of the hot tables. They know only this, so that they can run on another store too, one that a
 * simulation holds in memory; this one is PostgreSQL.
 */
import { type Database, isDatabaseUnavailable } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import { type Claimed, claimDue, type ClaimedDelivery, type Full, releaseClaimed } from './claim.ts'
import { commitRoute, type RoutedEvent, type RouteResult } from './commit-route.ts'
import { type HeldClaim, holdLanes } from './hold-lanes.ts'
import { beat, leave } from './live-workers.ts'
import { recordFailures } from './hook-failures.ts'
import { parkEvents } from './park.ts'
import {
  claimSuspects,
  clearSuspects,
  releaseSuspects,
  type SuspectDelivery,
  type SuspectName,
  type SuspectNext,
} from './suspects.ts'
import { settle, type Settled, type Settlement } from './settle.ts'

export interface LeaseTerms {
  id: string
  seconds: number
}

export interface WorkStore {
  commitRoute: (events: readonly RoutedEvent[], lease: LeaseTerms) => Promise<RouteResult[]>
  park: (events: readonly Event[], reason: string) => Promise<void>
  claimDue: (most: number, lease: LeaseTerms, full: Full) => Promise<Claimed>
  releaseClaimed: (lease: string, rows: readonly ClaimedDelivery[], afterMs: number) => Promise<void>
  /** Gives back what its hook cannot get now, and lets its lane wait. */
  holdLanes: (lease: string, rows: readonly HeldClaim[]) => Promise<void>
  /** Says that a worker lives and how late the work is that it takes; answers how many live. */
  beat: (worker: string, lagSeconds: number) => Promise<number>
  leave: (worker: string) => Promise<void>
  settle: (worker: string, items: readonly Settlement[]) => Promise<Settled[]>
  /** Counts what settled deliveries say for or against their hooks; returns what it was given. */
  recordFailures: (
    settled: ReadonlyArray<readonly [Settlement, Settled]>,
  ) => Promise<ReadonlyArray<readonly [Settlement, Settled]>>
  claimSuspects: (which: 'together' | 'alone', most: number, lease: LeaseTerms) => Promise<SuspectDelivery[]>
  releaseSuspects: (lease: string, suspects: readonly SuspectName[], next: SuspectNext) => Promise<void>
  clearSuspects: (suspects: readonly SuspectName[]) => Promise<void>
  /** Whether an error says that the store cannot work now, so that the same may work later. */
  isUnavailable: (error: unknown) => boolean
}

export function createWorkStore(db: Database): WorkStore {
  return {
    commitRoute: (events, lease) => commitRoute(db, events, lease),
    park: (events, reason) => parkEvents(db, events, reason),
    claimDue: (most, lease, full) => claimDue(db, most, lease, full),
    releaseClaimed: (lease, rows, afterMs) => releaseClaimed(db, lease, rows, afterMs),
    holdLanes: (lease, rows) => holdLanes(db, lease, rows),
    beat: (worker, lagSeconds) => beat(db, worker, lagSeconds),
    leave: (worker) => leave(db, worker),
    settle: (worker, items) => settle(db, worker, items),
    async recordFailures(settled) {
      await recordFailures(
        db,
        settled.map(([item]) => item),
        settled.map(([, result]) => result),
      )
      return settled
    },
    claimSuspects: (which, most, lease) => claimSuspects(db, which, most, lease),
    releaseSuspects: (lease, suspects, next) => releaseSuspects(db, lease, suspects, next),
    clearSuspects: (suspects) => clearSuspects(db, suspects),
    isUnavailable: isDatabaseUnavailable,
  }
}
