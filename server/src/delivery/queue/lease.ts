/**
 * A lease: the right to attempt deliveries until a time. A worker that holds it past its end has lost it.
 * Its id begins with that of the worker, so leases of a silent worker can be found. Deliveries that an api process leased
 * to the worker when it accepted their events have ids of their own range: the worker may never hear of them.
 */
import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../runtime/clock.ts'

export interface LeaseTerms {
  id: string
  seconds: number
}

export interface Lease extends LeaseTerms {
  /** On the monotonic clock, before the claim was sent. */
  takenAt: number
}

/** Longer than the longest deadline plus the time to settle. */
export const leaseSeconds = 30

/** Hooks read within this time may be used for an attempt. A deleted hook must receive nothing after one second. */
export const currentForMs = 500

export function newLease(clock: Clock, worker: string): Lease {
  return { id: leaseId(worker, digits.claim), seconds: leaseSeconds, takenAt: clock.monotonic() }
}

export function leaseLeftMs(lease: Lease, clock: Clock): number {
  return lease.takenAt + lease.seconds * 1_000 - clock.monotonic()
}

/** The first 64 bits of the worker's id, with the dash after them. */
const workerLength = 19
/** The digit after them tells who took the lease. Earlier versions used random ids, which have none of these there. */
const digits = { claim: 'c', handOff: 'e' } as const

function leaseId(worker: string, digit: string): string {
  return worker.slice(0, workerLength) + digit + randomUUID().slice(workerLength + 1)
}

/** Returns a lease that an api process takes for a worker. */
export function newHandOffLease(clock: Clock, worker: string): Lease {
  return { id: leaseId(worker, digits.handOff), seconds: leaseSeconds, takenAt: clock.monotonic() }
}

/** A range of lease ids, with both ends. */
type LeaseRange = readonly [first: string, last: string]

/** Returns the range of all leases of a worker. */
export function leasesOf(worker: string): LeaseRange {
  const prefix = worker.slice(0, workerLength)
  return [`${prefix}0000-000000000000`, `${prefix}ffff-ffffffffffff`]
}

/** Returns the range of the leases that api processes took for a worker. */
export function handOffLeasesOf(worker: string): LeaseRange {
  const prefix = worker.slice(0, workerLength) + digits.handOff
  return [`${prefix}000-000000000000`, `${prefix}fff-ffffffffffff`]
}

/** Whether an api process took the lease, in SQL. */
export const isHandOffLease = sql`substr(lease::text, ${sql.lit(workerLength + 1)}, 1) = ${sql.lit(digits.handOff)}`

/** Whether the lease is one of this worker, in SQL. */
export function isLeaseOf(worker: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`left(lease::text, ${sql.lit(workerLength)}) = left(${worker}::text, ${sql.lit(workerLength)})`
}
