/** The overview of an account: alerts, totals, and events and deliveries by hour or day. */
import type { Database } from '../db/database.ts'
import { deriveHookState, type HookState } from '../model/hook-state.ts'
import type { AttemptReason } from '../model/delivery/outcome.ts'
import { type Bucket, bucketsOf, receiverP95Ms } from './account-stats.ts'
import { type HookCounters, readHookCounters } from './hook-counters.ts'
import { readNewestFailures } from './hook-stats.ts'

export const ranges = { '24h': { step: 'hour', count: 24 }, '30d': { step: 'day', count: 30 } } as const
export type Range = keyof typeof ranges

interface Alert {
  kind: AlertKind
  message: string
  /** The newest failure of a failing hook. */
  failure: { reason: AttemptReason; status: number | null } | null
  hook: HookCounters
  since: Date | null
}

export interface Overview {
  alerts: Alert[]
  totals: Omit<Bucket, 'start'> & {
    waiting: number
    held: number
    oldestWaitingAt: Date | null
    /** Ratio of delivered to finished deliveries; null if none finished. */
    successAfterRetries: number | null
    receiverP95Ms: number | null
  }
  buckets: Bucket[]
}

const failingStates: ReadonlySet<HookState> = new Set(['failing', 'backing_off', 'degraded'])

/** States of a hook that are an alert. */
export const alertKinds = [
  'failing',
  'backing_off',
  'degraded',
  'delayed',
  'disabled',
  'stopped',
  'unloadable',
] as const satisfies readonly HookState[]

type AlertKind = (typeof alertKinds)[number]

function alertKindOf(state: HookState): AlertKind | undefined {
  return alertKinds.find((kind) => kind === state)
}

export async function readOverview(
  { db, now }: { db: Database; now: () => number },
  accountId: number,
  range: Range,
): Promise<Overview> {
  const hooks = await readHookCounters(db, accountId)
  const buckets = await bucketsOf(db, accountId, ranges[range])
  const total = (name: Exclude<keyof Bucket, 'start'>): number =>
    buckets.reduce((sum, bucket) => sum + bucket[name], 0)
  const finished = total('delivered') + total('failed') + total('expired')
  return {
    alerts: await findAlerts(db, accountId, hooks, now()),
    totals: {
      events: total('events'),
      delivered: total('delivered'),
      failed: total('failed'),
      expired: total('expired'),
      cancelled: total('cancelled'),
      waiting: hooks.reduce((sum, hook) => sum + hook.waiting, 0),
      held: hooks.reduce((sum, hook) => sum + hook.held, 0),
      oldestWaitingAt: oldest(hooks.map((hook) => hook.oldestWaitingAt)),
      successAfterRetries: finished === 0 ? null : total('delivered') / finished,
      receiverP95Ms: await receiverP95Ms(db, accountId, now()),
    },
    buckets,
  }
}

async function findAlerts(
  db: Database,
  accountId: number,
  hooks: readonly HookCounters[],
  now: number,
): Promise<Alert[]> {
  const affected = hooks
    .map((hook) => ({ ...hook, ...deriveHookState(hook, now) }))
    // A hook disabled by the account is no alert, unless it has held deliveries.
    .filter((hook) => hook.disabledReason !== 'owner' || hook.held > 0)
    .flatMap((hook) => {
      const kind = alertKindOf(hook.state)
      return kind === undefined ? [] : [{ ...hook, kind }]
    })
  const failing = affected.filter(({ kind }) => failingStates.has(kind)).map(({ hookId }) => hookId)
  const failures = await readNewestFailures(db, accountId, failing)
  return affected.map(({ kind, message, ...hook }) => ({
    kind,
    message,
    failure: failures.get(hook.hookId) ?? null,
    hook,
    since: sinceOf(kind, hook.stop, hook.failingSince ?? hook.oldestWaitingAt),
  }))
}

function sinceOf(state: HookState, stop: HookCounters['stop'], otherwise: Date | null): Date | null {
  if (state === 'stopped') return stop?.createdAt ?? null
  return state === 'degraded' ? null : otherwise
}

function oldest(times: ReadonlyArray<Date | null>): Date | null {
  return times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
