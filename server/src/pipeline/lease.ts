/** The right to attempt deliveries, for a while. Whoever holds it past its end has lost it. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../ops/clock.ts'
import type { LeaseTerms } from './work/work-store.ts'

export interface Lease extends LeaseTerms {
  /** On the monotonic clock, before the statement that takes it was sent. */
  takenAt: number
}

/** Longer than the longest deadline and the time to settle. */
const leaseSeconds = 30

/** Hooks that were read within this time may be used for an attempt; the promise after a delete is one second. */
export const currentForMs = 500

export function newLease(clock: Clock): Lease {
  return { id: randomUUID(), seconds: leaseSeconds, takenAt: clock.monotonic() }
}

export function leaseLeftMs(lease: Lease, clock: Clock): number {
  return lease.takenAt + lease.seconds * 1_000 - clock.monotonic()
}
