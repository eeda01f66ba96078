/** A lease: the right to attempt deliveries until a time. A worker that holds it past its end has lost it. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../runtime/clock.ts'
import type { LeaseTerms } from './queue.ts'

export interface Lease extends LeaseTerms {
  /** On the monotonic clock, before the claim was sent. */
  takenAt: number
}

/** Longer than the longest deadline plus the time to settle. */
const leaseSeconds = 30

/** Hooks read within this time may be used for an attempt. A deleted hook must receive nothing after one second. */
export const currentForMs = 500

export function newLease(clock: Clock): Lease {
  return { id: randomUUID(), seconds: leaseSeconds, takenAt: clock.monotonic() }
}

export function leaseLeftMs(lease: Lease, clock: Clock): number {
  return lease.takenAt + lease.seconds * 1_000 - clock.monotonic()
}
