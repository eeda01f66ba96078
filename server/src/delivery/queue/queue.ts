/**
 * The interface between the flows and the queue (tables `work` and `lane`), implemented in PostgreSQL. The flows use
 * only this.
 */
import { type Database, isDatabaseUnavailable } from '../../db/database.ts'
import type { Event } from '../../model/event.ts'
import {
  type Claimed,
  claimDue,
  hasDueLane,
  type ClaimedDelivery,
  type AtLimit,
  type ClaimLimits,
  releaseClaimed,
  type LeasedRow,
} from './claim.ts'
import { commitRoute, type RoutedEvent, type RouteResult } from './commit-route.ts'
import { type HeldClaim, holdLanes } from './hold-lanes.ts'
import { findHandOffs, type LeasedName, releaseHandOffs } from './hand-offs.ts'
import type { LeaseTerms } from './lease.ts'
import { heartbeat, leave, type OtherWorker, releaseSilentWorker } from './live-workers.ts'
import { recordFailures } from './failure-streaks.ts'
import { parkEvents } from './parked-events.ts'
import {
  claimSuspects,
  clearSuspects,
  releaseSuspects,
  type SuspectName,
  type SuspectNext,
} from './suspects.ts'
import { settle, type Settlement, type Unsuccessful } from './settle.ts'
import { settleDelivered, type Success } from './settle-delivered.ts'
import type { Settled } from './settled.ts'

export interface DeliveryQueue {
  commitRoute: (events: readonly RoutedEvent[], lease: LeaseTerms) => Promise<RouteResult[]>
  park: (events: readonly Event[], reason: string) => Promise<void>
  /** Whether a claim would find anything. Cheaper than a claim that finds nothing. */
  hasDue: (atLimit: AtLimit) => Promise<boolean>
  claimDue: (max: number, lease: LeaseTerms, limits: ClaimLimits) => Promise<Claimed>
  releaseClaimed: (lease: string, rows: readonly ClaimedDelivery[], afterMs: number) => Promise<void>
  /** Returns deliveries that api processes leased to a worker at least this long ago and that are not settled. */
  findHandOffs: (worker: string, minAgeMs: number) => Promise<LeasedName[]>
  /** Releases handed-off deliveries that did not start: they are due after a delay. */
  releaseHandOffs: (rows: readonly LeasedName[], afterMs: number) => Promise<void>
  /** Releases deliveries that their hook cannot receive now, and puts its lane on hold. */
  holdLanes: (lease: string, rows: readonly HeldClaim[]) => Promise<void>
  /** Records a heartbeat with the lag of a worker. Returns the other workers. */
  heartbeat: (worker: string, lagSeconds: number) => Promise<OtherWorker[]>
  /** Releases the leases of a silent worker. Returns the number of its deliveries. */
  releaseSilentWorker: (silent: OtherWorker) => Promise<number>
  leave: (worker: string) => Promise<void>
  settle: (worker: string, items: readonly Unsuccessful[]) => Promise<Settled[]>
  settleDelivered: (worker: string, items: readonly Success[]) => Promise<Settled[]>
  /** Counts failures and successes of settled deliveries. Returns its input. */
  recordFailures: (
    settled: ReadonlyArray<readonly [Settlement, Settled]>,
  ) => Promise<ReadonlyArray<readonly [Settlement, Settled]>>
  claimSuspects: (which: 'together' | 'alone', max: number, lease: LeaseTerms) => Promise<LeasedRow[]>
  releaseSuspects: (lease: string, suspects: readonly SuspectName[], next: SuspectNext) => Promise<void>
  clearSuspects: (suspects: readonly SuspectName[]) => Promise<void>
  /** Whether the error means that the database is unavailable, so a retry may succeed. */
  isUnavailable: (error: unknown) => boolean
}

export function createDeliveryQueue(db: Database): DeliveryQueue {
  return {
    commitRoute: (events, lease) => commitRoute(db, events, lease),
    park: (events, reason) => parkEvents(db, events, reason),
    hasDue: (atLimit) => hasDueLane(db, atLimit),
    claimDue: (max, lease, limits) => claimDue(db, max, lease, limits),
    releaseClaimed: (lease, rows, afterMs) => releaseClaimed(db, lease, rows, afterMs),
    findHandOffs: (worker, minAgeMs) => findHandOffs(db, worker, minAgeMs),
    releaseHandOffs: (rows, afterMs) => releaseHandOffs(db, rows, afterMs),
    holdLanes: (lease, rows) => holdLanes(db, lease, rows),
    heartbeat: (worker, lagSeconds) => heartbeat(db, worker, lagSeconds),
    releaseSilentWorker: (silent) => releaseSilentWorker(db, silent),
    leave: (worker) => leave(db, worker),
    settle: (worker, items) => settle(db, worker, items),
    settleDelivered: (worker, items) => settleDelivered(db, worker, items),
    async recordFailures(settled) {
      await recordFailures(
        db,
        settled.map(([item]) => item),
        settled.map(([, result]) => result),
      )
      return settled
    },
    claimSuspects: (which, max, lease) => claimSuspects(db, which, max, lease),
    releaseSuspects: (lease, suspects, next) => releaseSuspects(db, lease, suspects, next),
    clearSuspects: (suspects) => clearSuspects(db, suspects),
    isUnavailable: isDatabaseUnavailable,
  }
}
