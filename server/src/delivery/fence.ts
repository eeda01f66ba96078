/**
 * Stops a worker that cannot send its heartbeat: other workers release its leases and attempt its deliveries. So it starts
 * no attempt from well before they do, and leases from before the silence are void.
 */
import type { Lease } from './queue/lease.ts'

/** Other workers release the leases of a worker that is silent for this long. */
export const maxSilenceMs = 5_000
/** Less, because this worker counts from sending its last heartbeat and the others from seeing it. */
export const closeAfterMs = 3_000

export interface Fence {
  /** Records a heartbeat that was sent at this time of the monotonic clock and has succeeded. */
  heartbeat: (sentAt: number) => void
  /** Whether attempts may start. */
  isOpen: () => boolean
  /** Whether the lease is still that of this worker. It may have ended. */
  holds: (lease: Pick<Lease, 'takenAt'>) => boolean
}

export function createFence(now: () => number): Fence {
  let openedAt = Number.POSITIVE_INFINITY
  let lastSentAt = Number.NEGATIVE_INFINITY
  const isOpen = (): boolean => now() - lastSentAt <= closeAfterMs
  return {
    heartbeat(sentAt) {
      // While it was closed, others may have released the leases: the last heartbeat was applied at most when it returned.
      if (!isOpen()) openedAt = now()
      lastSentAt = sentAt
    },
    isOpen,
    holds: ({ takenAt }) => isOpen() && takenAt >= openedAt,
  }
}
