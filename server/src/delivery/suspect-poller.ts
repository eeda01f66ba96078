/**
 * Suspects: claim → load the current hook → attempt in an isolated process → settle. Several run in a shared process.
 * Those that were in one when it crashed run one at a time, each in a new process. They use no slots of this worker,
 * and there are never more of them than deliveries were leased when workers died.
 */
import type { HookCache } from '../hooks/hook-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { type Attempt, NoOutcome } from './attempt-once.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { attemptIn } from './isolated-jobs.ts'
import type { Runner } from './isolation/runner.ts'
import type { Runners } from './isolation/runners.ts'
import { type LeasedRow, toDelivery } from './queue/claim.ts'
import { type Lease, newLease } from './queue/lease.ts'
import type { SuspectNext } from './queue/suspects.ts'
import type { DeliveryQueue } from './queue/queue.ts'

interface SuspectDeps {
  store: DeliveryQueue
  hooks: HookCache
  clock: Clock
  log: Log
  metrics: Metrics
  runners: Runners
}

export interface SuspectPoller {
  /** Both return how long to wait before the next call. */
  pollTogether: () => Promise<number>
  pollAlone: () => Promise<number>
  whenDone: () => Promise<void>
}

const maxTogether = 64
const idleMs = 1_000
const busyMs = 50

export function createSuspectPoller(
  deps: SuspectDeps,
  worker: string,
  attempts: AttemptRunner,
): SuspectPoller {
  const { store, hooks, clock, log, metrics, runners } = deps
  const inFlight = new Set<Promise<void>>()

  /** Claims suspects and attempts them in the process that `start` returns. */
  async function claimAndAttempt(which: 'together' | 'alone', max: number, start: () => Promise<Runner>) {
    const lease = newLease(clock, worker)
    const suspects = await store.claimSuspects(which, max, lease)
    if (suspects.length === 0) return []
    const release = (next: SuspectNext) => store.releaseSuspects(lease.id, suspects, next)
    try {
      const runner = await start()
      await hooks.load(suspects.map(({ accountId }) => accountId))
      return suspects.map((suspect) => attempt(suspect, lease, runner, which))
    } catch (error) {
      await release('not attempted')
      throw error
    }
  }

  async function attempt(
    suspect: LeasedRow,
    lease: Lease,
    runner: Runner,
    which: 'together' | 'alone',
  ): Promise<void> {
    const delivery = toDelivery(suspect)
    const name = { event: suspect.eventId, hook: suspect.hookId, account: suspect.accountId }
    const release = (next: SuspectNext) => store.releaseSuspects(lease.id, [suspect], next)
    try {
      const attemptThere: Attempt = (planned) => attemptIn(runner, planned)
      const settlement = await attempts.deliverBy(attemptThere, delivery, lease)
      const hasRun = settlement.attempt !== undefined || settlement.fault !== undefined
      const isFinal = 'reason' in settlement.next
      // The hook is disabled or stopped, or the lease too short: nothing is proved yet.
      if (!(hasRun || isFinal)) return await release('not attempted')
      await attempts.conclude(settlement, delivery.event)
      await store.clearSuspects([suspect])
      metrics.suspects.inc({ result: 'cleared' })
    } catch (error) {
      const cause = causeOf(error, store.isUnavailable)
      if (cause === undefined) {
        metrics.suspects.inc({ result: 'unknown' })
        await release('inconclusive')
      } else if (which === 'together') {
        metrics.suspects.inc({ result: 'crashed_together' })
        log.warn({ ...name, cause }, 'isolated process crashed, retrying each delivery alone')
        await release('alone')
      } else {
        metrics.suspects.inc({ result: 'quarantined' })
        log.error({ ...name, cause }, 'delivery quarantined')
        await release({ quarantineReason: cause })
      }
    }
  }

  function track(running: Promise<void>): Promise<void> {
    const tracked = running
      .catch((error: unknown) => log.warn({ error }, 'suspect not released'))
      .finally(() => inFlight.delete(tracked))
    inFlight.add(tracked)
    return tracked
  }

  return {
    async pollTogether() {
      if (inFlight.size >= maxTogether) return busyMs
      const started = await claimAndAttempt('together', maxTogether - inFlight.size, runners.shared)
      for (const running of started) void track(running)
      return started.length === 0 ? idleMs : busyMs
    },
    async pollAlone() {
      let runner: Runner | undefined
      const started = await claimAndAttempt('alone', 1, async () => (runner = await runners.alone()))
      await Promise.all(started.map(track))
      runner?.stop()
      return started.length === 0 ? idleMs : 0
    },
    async whenDone() {
      await Promise.all(inFlight)
    },
  }
}

/** Returns the crash or failure that the delivery caused; undefined if none is known. */
function causeOf(error: unknown, isUnavailable: (error: unknown) => boolean): string | undefined {
  if (error instanceof NoOutcome) return error.cause
  return isUnavailable(error)
    ? undefined
    : `failed with ${error instanceof Error ? error.name : typeof error}`
}
