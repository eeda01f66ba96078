/** Overview: what needs attention, how much came in and went out, hour by hour or day by day. */
import type { Database } from '../db/database.ts'
import { describeHook } from '../model/hook-state.ts'
import { type Bucket, bucketsOf, receiverP95Ms } from './ledger/figures.ts'
import { readStandings } from './work/hook-standing.ts'

export const ranges = { '24h': { step: 'hour', count: 24 }, '30d': { step: 'day', count: 30 } } as const
export type Range = keyof typeof ranges

export interface Overview {
  attention: Array<{ kind: string; sentence: string; hookId: number; since: Date | null }>
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

const needsAttention: ReadonlySet<string> = new Set(['failing', 'paused', 'waiting', 'disabled'])

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
    attention: hooks.flatMap((hook) => {
      const { state, sentence } = describeHook(hook, now())
      // Who has disabled a hook knows it, unless something is held for it.
      if (!needsAttention.has(state) || (hook.disabledReason === 'owner' && hook.held === 0)) return []
      return [
        { kind: state, sentence, hookId: hook.hookId, since: hook.failingSince ?? hook.oldestWaitingAt },
      ]
    }),
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

function oldest(times: ReadonlyArray<Date | null>): Date | null {
  return times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}
