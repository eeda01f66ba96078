/**
 * What every worker does beside delivering, so that nothing is forgotten when one of them dies: leases of the dead are
 * given up, changes of hooks reach what waits, hooks that only fail are warned of and disabled, old days leave.
 * Each step is safe to run on all workers at once. What deletes goes by the cleanup time and only while the clocks agree.
 */
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import type { DatabaseClock } from '../ops/database-clock.ts'
import { every, nowAndEvery } from '../ops/every.ts'
import type { Log } from '../ops/log.ts'
import { untilNone } from '../ops/until-none.ts'
import { forgetEventKeys } from './intake/forget-event-keys.ts'
import { moveCleanupTime } from './ledger/cleanup-time.ts'
import { forgetFigures } from './ledger/forget-figures.ts'
import { makePartitions } from './ledger/partitions.ts'
import { dropOldPartitions } from './ledger/retention.ts'
import { forgetReplays } from './replays/replay-store.ts'
import { forgetBreakers } from './work/breaker.ts'
import { repairFutureTimes } from './work/clock-set-back.ts'
import { cancelForDeletedHooks, expireBefore, expireHeld, expireStopped } from './work/finish.ts'
import { holdForDisabledHooks } from './work/held.ts'
import { forgetEndedStops, releaseLanes } from './work/hold-lanes.ts'
import {
  type FailingHook,
  hopelessHooks,
  recordDisabled,
  recordWarnings,
  removeCalm,
} from './work/hook-failures.ts'
import { parkUnroutable } from './work/park.ts'
import { forgetSuspects, releaseExpiredLeases } from './work/suspects.ts'
import { readWaitingOfDay } from './work/waiting-of-day.ts'

interface LookAfterParts {
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

export function lookAfter(parts: LookAfterParts): () => Promise<void> {
  const { db, clock, log, retentionDays, disableHook, onError } = parts
  const ifClockIsRight = (task: string, run: (at: Date) => Promise<unknown>) => async () => {
    await clock.measure()
    if (clock.isRight()) return run((await moveCleanupTime(db)).at)
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
    [1 * second, () => untilNone(() => cancelForDeletedHooks(db))],
    [1 * second, () => untilNone(() => holdForDisabledHooks(db))],
    [1 * minute, () => forgetSuspects(db)],
    [1 * second, repairIfSetBack],
    [1 * second, () => releaseLanes(db)],
    [1 * minute, () => forgetEndedStops(db)],
    [1 * minute, ifClockIsRight('expiry of held deliveries', (at) => untilNone(() => expireHeld(db, at)))],
    [
      1 * minute,
      ifClockIsRight('expiry of stopped deliveries', (at) => untilNone(() => expireStopped(db, at))),
    ],
    [1 * minute, () => recordWarnings(db)],
    [1 * minute, ifClockIsRight('disabling', (at) => disableHopeless(db, at, disableHook))],
    [1 * minute, ifClockIsRight('cleanup of event keys', (at) => forgetEventKeys(db, at))],
    [10 * minute, () => forgetBreakers(db)],
    [10 * minute, () => removeCalm(db)],
  ]
  const hourlyTasks: Array<() => Promise<unknown>> = [
    () => makePartitions(db, clock.now()),
    ifClockIsRight('retention', async (at) => {
      await dropOldDays(parts, at)
      await forgetReplays(db, new Date(at.getTime() - retentionDays * dayMs))
      await forgetFigures(db, at.getTime())
    }),
  ]
  const stops = [
    ...tasks.map(([intervalMs, task]) => every(intervalMs, task, onError)),
    ...hourlyTasks.map((task) => nowAndEvery(1 * hour, task, onError)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

async function dropOldDays({ db, log, retentionDays }: LookAfterParts, at: Date): Promise<void> {
  await dropOldPartitions(
    {
      db,
      retentionDays,
      readWaiting: (day) => readWaitingOfDay(db, day, retentionDays),
      endWork: (before) => endWork(db, before),
      onDropped: (dropped) => log.info(dropped, 'ledger day dropped'),
      onKept: (kept) => log.warn(kept, 'ledger day kept, work is pending'),
    },
    at,
  )
}

async function disableHopeless(
  db: Database,
  at: Date,
  disableHook: (hook: FailingHook) => Promise<void>,
): Promise<void> {
  for (const hook of await hopelessHooks(db, at)) {
    await disableHook(hook)
    await recordDisabled(db, hook, 'disabled')
  }
}

async function endWork(db: Database, before: Date): Promise<void> {
  await parkUnroutable(db, before)
  await untilNone(() => expireBefore(db, before))
}
