/**
 * What every worker does beside delivering, so that nothing is forgotten when one of them dies: leases of the dead are
 * given up, changes of hooks reach what waits, hooks that only fail are warned of and disabled, old days leave.
 * Each step is safe to run on all workers at once.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { every, nowAndEvery } from '../ops/every.ts'
import { untilNone } from '../ops/until-none.ts'
import { forgetFigures } from './ledger/forget-figures.ts'
import { makePartitions } from './ledger/partitions.ts'
import { dropOldPartitions } from './ledger/retention.ts'
import { forgetReplays } from './replays/replay-store.ts'
import { forgetBreakers } from './work/breaker.ts'
import { releaseExpiredLeases } from './work/claim.ts'
import { cancelForDeletedHooks, expireBefore, expireHeld } from './work/finish.ts'
import { holdForDisabledHooks } from './work/held.ts'
import { type FailingHook, hopelessHooks, recordDisabled, recordWarnings } from './work/hook-failures.ts'
import { parkUnroutable } from './work/park.ts'

interface LookAfterParts {
  db: Database
  now: () => number
  retentionDays: number
  disableHook: (hook: FailingHook) => Promise<void>
  onError: (error: unknown) => void
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export function lookAfter({
  db,
  now,
  retentionDays,
  disableHook,
  onError,
}: LookAfterParts): () => Promise<void> {
  const tasks: Array<[intervalMs: number, task: () => Promise<unknown>]> = [
    [1 * second, () => releaseExpiredLeases(db, 1_000)],
    [1 * second, () => untilNone(() => cancelForDeletedHooks(db))],
    [1 * second, () => holdForDisabledHooks(db)],
    [1 * minute, () => untilNone(() => expireHeld(db))],
    [1 * minute, () => recordWarnings(db)],
    [1 * minute, () => disableHopeless(db, disableHook)],
    [10 * minute, () => forgetEventKeys(db)],
    [10 * minute, () => forgetBreakers(db)],
  ]
  const hourlyTasks: Array<() => Promise<unknown>> = [
    () => makePartitions(db, now()),
    () => dropOldPartitions(db, now(), retentionDays, (before) => endWork(db, before)),
    () => forgetReplays(db, new Date(now() - retentionDays * 24 * hour)),
    () => forgetFigures(db, now()),
  ]
  const stops = [
    ...tasks.map(([intervalMs, task]) => every(intervalMs, task, onError)),
    ...hourlyTasks.map((task) => nowAndEvery(1 * hour, task, onError)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

async function disableHopeless(
  db: Database,
  disableHook: (hook: FailingHook) => Promise<void>,
): Promise<void> {
  for (const hook of await hopelessHooks(db)) {
    await disableHook(hook)
    await recordDisabled(db, hook, 'disabled')
  }
}

async function endWork(db: Database, before: Date): Promise<void> {
  await parkUnroutable(db, before)
  await untilNone(() => expireBefore(db, before))
}

/** Producers may repeat an event under its key for 72 hours. */
async function forgetEventKeys(db: Database): Promise<void> {
  await sql`DELETE FROM event_keys WHERE accepted_at < now() - interval '72 hours'`.execute(db)
}
