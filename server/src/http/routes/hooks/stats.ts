import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { hint, describeFailure } from '../../../model/delivery/reasons.ts'
import { type DeliveryCounts, readBuckets, readErrors, statsRanges } from '../../../stats/hook-stats.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId } from './params.ts'
import { attemptReason } from '../fields.ts'

const countFields = {
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  cancelled: z.int(),
  attempts: z.int(),
  failures: z.int().meta({ description: 'Failed attempts.' }),
}

const ranges = Object.keys(statsRanges) as Array<keyof typeof statsRanges>

export const readWebhookStatsOperation = scopedOperation('hooks:read', {
  id: 'readWebhookStats',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'Read webhook statistics',
  description:
    'Returns delivery counts per hour for 24 hours and 7 days, and per UTC day for 30 days, including empty buckets. Failure reasons cover the newest 1,000 failures.',
  params: byId.extend({
    range: z.enum(ranges, { error: `must be one of ${ranges.join(', ')}` }).default('24h'),
  }),
  response: z.object({
    buckets: z.array(z.object({ start: z.iso.datetime(), ...countFields })),
    totals: z.object(countFields),
    errors: z.array(
      z.object({
        reason: attemptReason,
        status: z.int().nullable(),
        count: z.int(),
        last_at: z.iso.datetime(),
        message: z.string(),
        hint: z.string().nullable(),
      }),
    ),
  }),
  errors: ['notFound'],
  isExpensive: true,
  async handle({ db, vault }, { caller, input }) {
    const { accountId } = caller
    const { id } = await readHook(db, vault, accountId, input.id)
    const buckets = await readBuckets(db, accountId, id, input.range)
    const errors = await readErrors(db, accountId, id, input.range)
    return {
      buckets: buckets.map(({ start, ...counts }) => ({ start: start.toISOString(), ...counts })),
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
        message: describeFailure(reason, status),
        hint: hint(reason, status),
      })),
    }
  },
})

function add(sum: DeliveryCounts, bucket: DeliveryCounts): DeliveryCounts {
  return {
    delivered: sum.delivered + bucket.delivered,
    failed: sum.failed + bucket.failed,
    expired: sum.expired + bucket.expired,
    cancelled: sum.cancelled + bucket.cancelled,
    attempts: sum.attempts + bucket.attempts,
    failures: sum.failures + bucket.failures,
  }
}
