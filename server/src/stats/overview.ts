/** The overview of an account: alerts, totals, and stats over time. */
import type { Database } from '../db/database.ts'
import { deriveHookState, type HookState } from '../model/hook-state.ts'
import type { AttemptReason } from '../model/delivery/outcome.ts'
import { type Bucket, bucketsOf } from './account-stats.ts'
import { type HookCounters, readHookCounters } from './hook-counters.ts'
import { readNewestFailures } from './hook-stats.ts'
import { readLastHour } from './last-hour.ts'
import { noResponses, readResponseTimes, receiverP95Ms, type ResponseTimes } from './response-times.ts'

const rollupRanges = {
  '24h': { step: 'hour', count: 24 },
  '7d': { step: 'hour', count: 7 * 24 },
  '30d': { step: 'day', count: 30 },
} as const

export const ranges = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

/** Alerts beyond are only counted. */
const maxAlerts = 20

interface Alert {
  kind: AlertKind
  message: string
  /** The newest failure of a failing hook. */
  failure: { reason: AttemptReason; status: number | null } | null
  hook: HookCounters
  since: Date | null
  nextAttemptAt: Date | null
}

export interface Overview {
  /** The most urgent ones. */
  alerts: Alert[]
  alertsTotal: number
  totals: Pick<Bucket, 'events' | 'delivered' | 'failed' | 'expired' | 'cancelled'> & {
    waiting: number
    held: number
    overdue: number
    oldestWaitingAt: Date | null
    /** Ratio of delivered to finished or overdue deliveries; null without any. */
    successRate: number | null
    receiverP95Ms: number | null
  }
  buckets: Array<Bucket & ResponseTimes>
  completeFrom: Date | null
}

const failingStates: ReadonlySet<HookState> = new Set(['failing', 'backing_off', 'degraded'])

/** States of a hook that are an alert, most urgent first. */
export const alertKinds = [
  'failing',
  'backing_off',
  'unloadable',
  'stopped',
  'degraded',
  'delayed',
  'disabled',
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
  const { buckets, completeFrom } = await readBuckets(db, accountId, range, now())
  const total = (name: 'events' | 'delivered' | 'failed' | 'expired' | 'cancelled'): number =>
    buckets.reduce((sum, bucket) => sum + bucket[name], 0)
  const waiting = (name: 'waiting' | 'held' | 'overdue'): number =>
    hooks.reduce((sum, hook) => sum + hook[name], 0)
  const counted = total('delivered') + total('failed') + total('expired') + waiting('overdue')
  return {
    ...(await findAlerts(db, accountId, hooks, now())),
    totals: {
      events: total('events'),
      delivered: total('delivered'),
      failed: total('failed'),
      expired: total('expired'),
      cancelled: total('cancelled'),
      waiting: waiting('waiting'),
      held: waiting('held'),
      overdue: waiting('overdue'),
      oldestWaitingAt: oldest(hooks.map((hook) => hook.oldestWaitingAt)),
      successRate: counted === 0 ? null : total('delivered') / counted,
      receiverP95Ms: await receiverP95Ms(db, accountId, buckets[0]?.start ?? new Date(now()), now()),
    },
    buckets,
    completeFrom,
  }
}

async function readBuckets(db: Database, accountId: number, range: Range, now: number) {
  if (range === '1h') return readLastHour(db, accountId, now)
  const buckets = await bucketsOf(db, accountId, rollupRanges[range])
  const starts = buckets.map(({ start }) => start)
  const times = await readResponseTimes(db, accountId, starts, rollupRanges[range].step)
  return {
    buckets: buckets.map((bucket, index) => ({ ...bucket, ...(times[index] ?? noResponses) })),
    completeFrom: null,
  }
}

async function findAlerts(
  db: Database,
  accountId: number,
  hooks: readonly HookCounters[],
  now: number,
): Promise<Pick<Overview, 'alerts' | 'alertsTotal'>> {
  const found = hooks
    .map((hook) => ({ ...hook, ...deriveHookState(hook, now) }))
    // A hook disabled by the account is no alert, unless it has held deliveries.
    .filter((hook) => hook.disabledReason !== 'owner' || hook.held > 0)
    .flatMap((hook) => {
      const kind = alertKindOf(hook.state)
      return kind === undefined ? [] : [{ ...hook, kind }]
    })
    .toSorted((one, other) => alertKinds.indexOf(one.kind) - alertKinds.indexOf(other.kind))
  const affected = found.slice(0, maxAlerts)
  const failing = affected.filter(({ kind }) => failingStates.has(kind)).map(({ hookId }) => hookId)
  const failures = await readNewestFailures(db, accountId, failing)
  const alerts = affected.map(({ kind, message, ...hook }) => ({
    kind,
    message,
    failure: failures.get(hook.hookId) ?? null,
    hook,
    since: sinceOf(kind, hook.stop, hook.failingSince ?? hook.oldestWaitingAt),
    nextAttemptAt: isSending(kind) ? (hook.nextProbeAt ?? hook.nextDueAt) : null,
  }))
  return { alerts, alertsTotal: found.length }
}

function isSending(kind: AlertKind): boolean {
  return failingStates.has(kind) || kind === 'delayed'
}

function sinceOf(state: HookState, stop: HookCounters['stop'], otherwise: Date | null): Date | null {
  if (state === 'stopped') return stop?.createdAt ?? null
  return state === 'degraded' ? null : otherwise
}

function oldest(times: ReadonlyArray<Date | null>): Date | null {
  return times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
