/**
 * Periodic maintenance, run by every worker so that a dead worker leaves no gap. Releases expired leases, applies hook
 * changes to pending deliveries, adds up counts, records warnings, disables failing hooks and drops old partitions.
 * Each task is safe to run on all workers at once. Deletions use the cleanup time and run only while the clocks agree.
 */
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import type { DatabaseClock } from '../runtime/database-clock.ts'
import { startInterval, startIntervalNow } from '../runtime/every.ts'
import type { Log } from '../runtime/log.ts'
import { drain } from '../runtime/drain.ts'
import { pruneEventKeys } from '../delivery/intake/prune-event-keys.ts'
import { advanceCleanupTime } from '../ledger/cleanup-time.ts'
import { addCounts } from '../stats/add-counts.ts'
import { pruneRollups } from '../stats/prune-rollups.ts'
import { createPartitions } from '../ledger/partitions.ts'
import { dropOldPartitions } from '../ledger/retention.ts'
import { pruneReplays } from '../replays/replay-store.ts'
import { pruneBreakers } from '../delivery/queue/circuit-breaker.ts'
import { repairFutureTimes } from '../delivery/queue/clock-set-back.ts'
import { cancelForDeletedHooks, expireBefore, expireHeld, expireStopped } from '../delivery/queue/finish.ts'
import { releaseOrphanedLeases } from '../delivery/queue/live-workers.ts'
import { holdForDisabledHooks } from '../delivery/queue/held.ts'
import { pruneEndedStops, releaseLanes } from '../delivery/queue/hold-lanes.ts'
import { type FailingHook, pruneFailures } from '../delivery/queue/failure-streaks.ts'
import { hooksToDisable, recordWarnings } from '../delivery/queue/failure-warnings.ts'
import { parkUnroutable } from '../delivery/queue/parked-events.ts'
import { pruneSuspects, releaseExpiredLeases } from '../delivery/queue/suspects.ts'
import { readPendingOfDay } from '../delivery/queue/pending-of-day.ts'

interface MaintenanceDeps {
  db: Database
  clock: DatabaseClock
  log: Log
  retentionDays: number
  disableHook: (hook: FailingHook) => Promise<void>
  onError: (error: unknown) => void
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export function startMaintenance(deps: MaintenanceDeps): () => Promise<void> {
  const { db, clock, log, retentionDays, disableHook, onError } = deps
  const ifClockIsRight = (task: string, run: (at: Date) => Promise<unknown>) => async () => {
    if (await clock.isRightNow()) return run((await advanceCleanupTime(db)).at)
    log.warn({ task, offset_seconds: clock.offsetMs() / 1_000 }, `${task} skipped, clock differs`)
  }
  let mayHaveFutureTimes = true
  clock.onSetBack(() => (mayHaveFutureTimes = true))
  const repairIfSetBack = async (): Promise<void> => {
    if (!mayHaveFutureTimes || !clock.isRight()) return
    await repairFutureTimes(db)
    mayHaveFutureTimes = false
  }
  const tasks: Array<[intervalMs: number, task: () => Promise<unknown>]> = [
    [1 * second, () => releaseExpiredLeases(db, 1_000)],
    [1 * second, () => releaseOrphanedLeases(db)],
    [1 * second, () => drain(() => cancelForDeletedHooks(db))],
    [1 * second, () => drain(() => holdForDisabledHooks(db))],
    [1 * minute, () => pruneSuspects(db)],
    [1 * second, repairIfSetBack],
    [1 * second, () => releaseLanes(db)],
    [1 * second, () => addCounts(db)],
    [1 * minute, () => pruneEndedStops(db)],
    [1 * minute, ifClockIsRight('expiry of held deliveries', (at) => drain(() => expireHeld(db, at)))],
    [1 * minute, ifClockIsRight('expiry of stopped deliveries', (at) => drain(() => expireStopped(db, at)))],
    [1 * minute, () => recordWarnings(db)],
    [1 * minute, ifClockIsRight('disabling', (at) => disableFailingHooks(db, at, disableHook))],
    [1 * minute, ifClockIsRight('cleanup of event keys', (at) => pruneEventKeys(db, at))],
    [10 * minute, () => pruneBreakers(db)],
    [10 * minute, () => pruneFailures(db)],
  ]
  const hourlyTasks: Array<() => Promise<unknown>> = [
    () => createPartitions(db, clock.now()),
    ifClockIsRight('retention', async (at) => {
      await dropOldDays(deps, at)
      await pruneReplays(db, new Date(at.getTime() - retentionDays * dayMs))
      await pruneRollups(db, at.getTime())
    }),
  ]
  const stops = [
    ...tasks.map(([intervalMs, task]) => startInterval(intervalMs, task, onError)),
    ...hourlyTasks.map((task) => startIntervalNow(1 * hour, task, onError)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

async function dropOldDays({ db, log, retentionDays }: MaintenanceDeps, at: Date): Promise<void> {
  await dropOldPartitions(
    {
      db,
      retentionDays,
      readPending: (day) => readPendingOfDay(db, day, retentionDays),
      expirePending: (before) => finishBefore(db, before),
      onDropped: (dropped) => log.info(dropped, 'ledger day dropped'),
      onKept: (kept) => log.warn(kept, 'ledger day kept, deliveries pending'),
    },
    at,
  )
}

async function disableFailingHooks(
  db: Database,
  at: Date,
  disableHook: (hook: FailingHook) => Promise<void>,
): Promise<void> {
  for (const hook of await hooksToDisable(db, at)) await disableHook(hook)
}

/** Parks unrouted events and expires deliveries of the days to drop. */
async function finishBefore(db: Database, before: Date): Promise<void> {
  await parkUnroutable(db, before)
  await drain(() => expireBefore(db, before))
}
