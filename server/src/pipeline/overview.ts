/** Overview: what needs attention, how much came in and went out, hour by hour or day by day. */
import type { Database } from '../db/database.ts'
import { describeHook, type HookState } from '../model/hook-state.ts'
import { failureSentence } from '../model/reasons.ts'
import { type Bucket, bucketsOf, receiverP95Ms } from './ledger/figures.ts'
import { type HookStanding, readStandings } from './work/hook-standing.ts'
import { readNewestFailures } from './work/hook-stats.ts'

export const ranges = { '24h': { step: 'hour', count: 24 }, '30d': { step: 'day', count: 30 } } as const
export type Range = keyof typeof ranges

interface Attention {
  kind: HookState
  sentence: string
  /** The newest failure in words, of those that fail. */
  why: string | null
  hookId: number
  since: Date | null
}

export interface Overview {
  attention: Attention[]
  totals: Omit<Bucket, 'start'> & {
    waiting: number
    held: number
    oldestWaitingAt: Date | null
    /** Of the deliveries that ended, those that were delivered; null: none ended. */
    successAfterRetries: number | null
    receiverP95Ms: number | null
  }
  buckets: Bucket[]
}

const fails: ReadonlySet<HookState> = new Set(['failing', 'paused', 'losing'])
const needsAttention: ReadonlySet<HookState> = new Set([
  ...fails,
  'waiting',
  'disabled',
  'stopped',
  'unloadable',
])

export async function readOverview(
  { db, now }: { db: Database; now: () => number },
  accountId: number,
  range: Range,
): Promise<Overview> {
  const hooks = await readStandings(db, accountId)
  const buckets = await bucketsOf(db, accountId, ranges[range])
  const total = (of: Exclude<keyof Bucket, 'start'>): number => buckets.reduce((sum, own) => sum + own[of], 0)
  const ended = total('delivered') + total('failed') + total('expired')
  return {
    attention: await attentionOf(db, accountId, hooks, now()),
    totals: {
      events: total('events'),
      delivered: total('delivered'),
      failed: total('failed'),
      expired: total('expired'),
      cancelled: total('cancelled'),
      waiting: hooks.reduce((sum, own) => sum + own.waiting, 0),
      held: hooks.reduce((sum, own) => sum + own.held, 0),
      oldestWaitingAt: oldest(hooks.map((own) => own.oldestWaitingAt)),
      successAfterRetries: ended === 0 ? null : total('delivered') / ended,
      receiverP95Ms: await receiverP95Ms(db, accountId, now()),
    },
    buckets,
  }
}

async function attentionOf(
  db: Database,
  accountId: number,
  hooks: readonly HookStanding[],
  now: number,
): Promise<Attention[]> {
  const known = hooks
    .map((hook) => ({ ...hook, ...describeHook(hook, now) }))
    // Who has disabled a hook knows it, unless something is held for it.
    .filter((hook) => needsAttention.has(hook.state) && (hook.disabledReason !== 'owner' || hook.held > 0))
  const failing = known.filter(({ state }) => fails.has(state)).map(({ hookId }) => hookId)
  const failures = await readNewestFailures(db, accountId, failing)
  return known.map(({ state, sentence, hookId, failingSince, oldestWaitingAt, stop }) => {
    const failure = failures.get(hookId)
    return {
      kind: state,
      sentence,
      why: failure === undefined ? null : failureSentence(failure.reason, failure.status),
      hookId,
      since: sinceOf(state, stop, failingSince ?? oldestWaitingAt),
    }
  })
}

function sinceOf(state: HookState, stop: HookStanding['stop'], otherwise: Date | null): Date | null {
  if (state === 'stopped') return stop?.createdAt ?? null
  return state === 'losing' ? null : otherwise
}

function oldest(times: ReadonlyArray<Date | null>): Date | null {
  return times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
