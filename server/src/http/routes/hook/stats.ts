import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { advice, failureSentence } from '../../../model/reasons.ts'
import { type Figures, readBuckets, readErrors, statsRanges } from '../../../pipeline/work/hook-stats.ts'
import { scopedOperation } from '../../operation.ts'
import { byId } from './params.ts'

const figures = {
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  cancelled: z.int(),
  attempts: z.int(),
  failures: z.int().meta({ description: 'Attempts that failed.' }),
}

const ranges = Object.keys(statsRanges) as Array<keyof typeof statsRanges>

export const readHookStats = scopedOperation('hooks:read', {
  id: 'readWebhookStats',
  group: 'Manage webhooks',
  summary: 'What a webhook got over time',
  description:
    'By the hour for 24 hours and 7 days, by the day of UTC for 30 days, empty ones included; and why attempts failed, from the newest thousand failures.',
  params: byId.extend({
    range: z.enum(ranges, { error: `must be one of ${ranges.join(', ')}` }).default('24h'),
  }),
  answer: z.object({
    buckets: z.array(z.object({ start: z.iso.datetime(), ...figures })),
    totals: z.object(figures),
    errors: z.array(
      z.object({
        reason: z.string(),
        status: z.int().nullable(),
        count: z.int(),
        last_at: z.iso.datetime(),
        sentence: z.string(),
        advice: z.string().nullable(),
      }),
    ),
  }),
  failures: ['notFound'],
  isHeavy: true,
  async handle({ db, vault }, { caller, input }) {
    const { accountId } = caller
    const { id } = await readHook(db, vault, accountId, input.id)
    const buckets = await readBuckets(db, accountId, id, input.range)
    const errors = await readErrors(db, accountId, id, input.range)
    return {
      buckets: buckets.map(({ start, ...own }) => ({ start: start.toISOString(), ...own })),
      totals: buckets.reduce(add, {
        delivered: 0,
        failed: 0,
        expired: 0,
        cancelled: 0,
        attempts: 0,
        failures: 0,
      }),
      errors: errors.map(({ reason, status, count, lastAt }) => ({
        reason,
        status,
        count,
        last_at: lastAt.toISOString(),
        sentence: failureSentence(reason, status),
        advice: advice(reason, status),
      })),
    }
  },
})

function add(sum: Figures, own: Figures): Figures {
  return {
    delivered: sum.delivered + own.delivered,
    failed: sum.failed + own.failed,
    expired: sum.expired + own.expired,
    cancelled: sum.cancelled + own.cancelled,
    attempts: sum.attempts + own.attempts,
    failures: sum.failures + own.failures,
  }
}
