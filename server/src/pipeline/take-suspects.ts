/**
 * Suspects: claim → the hook as it is now → attempt in an isolated process → settle. Several at once in a shared process;
 * those that were in one when it crashed one at a time, each in a new process. They use no slots of this worker, and there
 * are never more of them than deliveries were leased when workers died.
 */
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Clock } from '../ops/clock.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { type Attempt, NoOutcome } from './attempt-once.ts'
import type { Attempts } from './attempts.ts'
import { attemptIn } from './isolated-jobs.ts'
import type { Runner } from './isolation/runner.ts'
import type { Runners } from './isolation/runners.ts'
import { type Lease, newLease } from './lease.ts'
import type { SuspectDelivery, SuspectNext } from './work/suspects.ts'
import type { WorkStore } from './work/work-store.ts'

interface SuspectParts {
  store: WorkStore
  hooks: DeliveryHooks
  clock: Clock
  log: Log
  metrics: Metrics
  runners: Runners
}

export interface TakeSuspects {
  /** Both return how long to wait before the next call. */
  takeTogether: () => Promise<number>
  takeAlone: () => Promise<number>
  whenDone: () => Promise<void>
}

const maxTogether = 64
const idleMs = 1_000
const busyMs = 50
/** Before a suspect is tried again of which nothing is known yet. */
const unknownSeconds = 5

export function createTakeSuspects(parts: SuspectParts, attempts: Attempts): TakeSuspects {
  const { store, hooks, clock, log, metrics, runners } = parts
  const inFlight = new Set<Promise<void>>()

  /** Claims, and attempts what was claimed in the process that `start` returns. */
  async function take(which: 'together' | 'alone', most: number, start: () => Promise<Runner>) {
    const lease = newLease(clock)
    const suspects = await store.claimSuspects(which, most, lease)
    if (suspects.length === 0) return []
    const release = (next: SuspectNext) => store.releaseSuspects(lease.id, suspects, next)
    try {
      const runner = await start()
      await hooks.load(suspects.map(({ accountId }) => accountId))
      return suspects.map((suspect) => attempt(suspect, lease, runner, which))
    } catch (error) {
      await release({ isAlone: false, afterSeconds: unknownSeconds })
      throw error
    }
  }

  async function attempt(
    suspect: SuspectDelivery,
    lease: Lease,
    runner: Runner,
    which: 'together' | 'alone',
  ): Promise<void> {
    const { eventId: id, accountId, hookId, type, data, acceptedAt, testHookId, ...counts } = suspect
    const event = { id, accountId, type, data, acceptedAt, testHookId }
    const name = { event: id, hook: hookId, account: accountId }
    const release = (next: SuspectNext) => store.releaseSuspects(lease.id, [suspect], next)
    try {
      const attemptThere: Attempt = (planned) => attemptIn(runner, planned)
      const settlement = await attempts.deliverBy(attemptThere, { event, hookId, ...counts }, lease)
      const hasRun = settlement?.attempt !== undefined || settlement?.fault !== undefined
      const isFinal = settlement !== undefined && 'reason' in settlement.next
      // Its hook is disabled or stopped, or the lease too short: it has not proved anything yet.
      if (settlement === undefined || !(hasRun || isFinal))
        return await release({ isAlone: false, afterSeconds: unknownSeconds })
      await attempts.conclude(settlement)
      await store.clearSuspects([suspect])
      metrics.suspects.inc({ result: 'cleared' })
    } catch (error) {
      const cause = causeOf(error, store.isUnavailable)
      if (cause === undefined) {
        metrics.suspects.inc({ result: 'unknown' })
        await release({ isAlone: false, afterSeconds: unknownSeconds })
      } else if (which === 'together') {
        metrics.suspects.inc({ result: 'crashed_together' })
        log.warn({ ...name, cause }, 'isolated process crashed, retrying each delivery alone')
        await release({ isAlone: true, afterSeconds: 0 })
      } else {
        metrics.suspects.inc({ result: 'quarantined' })
        log.error({ ...name, cause }, 'delivery quarantined')
        await release({ quarantineReason: cause })
      }
    }
  }

  function keep(running: Promise<void>): Promise<void> {
    const kept = running
      .catch((error: unknown) => log.warn({ error }, 'suspect not released'))
      .finally(() => inFlight.delete(kept))
    inFlight.add(kept)
    return kept
  }

  return {
    async takeTogether() {
      if (inFlight.size >= maxTogether) return busyMs
      const started = await take('together', maxTogether - inFlight.size, runners.shared)
      for (const running of started) void keep(running)
      return started.length === 0 ? idleMs : busyMs
    },
    async takeAlone() {
      let runner: Runner | undefined
      const started = await take('alone', 1, async () => (runner = await runners.alone()))
      await Promise.all(started.map(keep))
      runner?.stop()
      return started.length === 0 ? idleMs : 0
    },
    async whenDone() {
      await Promise.all(inFlight)
    },
  }
}

/** What a delivery did wrong; undefined: nothing that is known. */
function causeOf(error: unknown, isUnavailable: (error: unknown) => boolean): string | undefined {
  if (error instanceof NoOutcome) return error.cause
  return isUnavailable(error)
    ? undefined
    : `failed with ${error instanceof Error ? error.name : typeof error}`
}
