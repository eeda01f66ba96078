/**
 * Ensures that stream and consumer exist: creates them at first, and again when they are missing. If that fails (for
 * example on a server without JetStream), retries with backoff and reports it once, since PostgreSQL alone suffices.
 */
import { ensureStream } from './fresh-events.ts'
import type { Nats } from './nats.ts'

export interface StreamMonitor {
  /** Whether stream and consumer exist, as far as known. */
  isPresent: () => boolean
  /** Marks stream and consumer as possibly missing. */
  invalidate: () => void
  /** Creates missing ones, unless that has just failed. Returns whether they exist now. */
  ensure: () => Promise<boolean>
}

const minPauseMs = 250
const maxPauseMs = 30_000

export function monitorStream(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): StreamMonitor {
  let isPresent = false
  let pauseMs = 0
  let notBefore = 0
  let ensuring: Promise<void> | undefined

  async function create(): Promise<void> {
    const connection = nats.live()
    if (connection === undefined) return
    try {
      await ensureStream(connection, installation)
      isPresent = true
      pauseMs = 0
    } catch (error) {
      if (pauseMs === 0) onError(error)
      pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs * 2))
    }
    notBefore = performance.now() + Math.max(minPauseMs, pauseMs)
  }

  return {
    isPresent: () => isPresent && nats.live() !== undefined,
    invalidate() {
      isPresent = false
    },
    async ensure() {
      if (!isPresent && performance.now() >= notBefore) {
        ensuring ??= create().finally(() => (ensuring = undefined))
        await ensuring
      }
      return isPresent
    },
  }
}
