/**
 * Sees to it that stream and consumer are there: made at first, and again when somebody finds them missing. Where that
 * fails (a server without JetStream, say) it is tried ever more seldom and said once, since PostgreSQL alone does the work.
 */
import { ensureStream } from './fresh-events.ts'
import type { Nats } from './nats.ts'

export interface StreamKeeper {
  /** Whether they are there, as far as is known. */
  isThere: () => boolean
  /** They may not be there any more. */
  doubt: () => void
  /** Makes what is missing, unless that has just failed; answers whether they are there now. */
  ensure: () => Promise<boolean>
}

const shortestPauseMs = 250
const longestPauseMs = 30_000

export function keepStream(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): StreamKeeper {
  let isThere = false
  let pauseMs = 0
  let notBefore = 0
  let ensuring: Promise<void> | undefined

  async function make(): Promise<void> {
    const connection = nats.live()
    if (connection === undefined) return
    try {
      await ensureStream(connection, installation)
      isThere = true
      pauseMs = 0
    } catch (error) {
      if (pauseMs === 0) onError(error)
      pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, pauseMs * 2))
    }
    notBefore = performance.now() + Math.max(shortestPauseMs, pauseMs)
  }

  return {
    isThere: () => isThere && nats.live() !== undefined,
    doubt() {
      isThere = false
    },
    async ensure() {
      if (!isThere && performance.now() >= notBefore) {
        ensuring ??= make().finally(() => (ensuring = undefined))
        await ensuring
      }
      return isThere
    },
  }
}
