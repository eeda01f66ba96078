import { z } from 'zod'
import { describeFailure } from '../../../model/delivery/reasons.ts'
import { alertKinds, ranges, readOverview } from '../../../stats/overview.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { attemptReason, disabledReason } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { countersResponse, presentCounters } from '../hooks/present.ts'

const time = z.iso.datetime()
const count = z.int().min(0)

export const readOverviewOperation = scopedOperation('events:read', {
  id: 'readOverview',
  group: 'Events',
  summary: 'Read overview',
  description:
    'Returns alerts and statistics: the last 24 hours per hour or the last 30 days per UTC day, including the current one.',
  params: z.object({
    range: z
      .enum(Object.keys(ranges) as [keyof typeof ranges], { error: 'must be 24h or 30d' })
      .default('24h'),
  }),
  response: z.object({
    alerts: z.array(
      z.object({
        kind: z.enum(alertKinds),
        message: z.string(),
        why: z
          .string()
          .nullable()
          .meta({ description: 'Description of the latest failure. Null without a recent failure.' }),
        failure: z
          .object({ reason: attemptReason, status: z.int().nullable() })
          .nullable()
          .meta({ description: 'The latest failure. Null without a recent failure.' }),
        hook_id: z.int(),
        webhook: namedHookResponse.nullable(),
        since: time.nullable(),
        disabled_reason: disabledReason.nullable(),
        counters: countersResponse,
      }),
    ),
    totals: z.object({
      events: count,
      delivered: count,
      failed: count,
      expired: count,
      cancelled: count,
      waiting: count.meta({ description: 'Pending deliveries.' }),
      held: count.meta({ description: 'Deliveries on hold for disabled webhooks.' }),
      oldest_waiting_at: time.nullable(),
      success_after_retries: z
        .number()
        .nullable()
        .meta({ description: 'Ratio of delivered to finished deliveries, from 0 to 1.' }),
      receiver_p95_ms: z.number().nullable().meta({
        description:
          '95th percentile of the response time, over the newest 2,000 attempts with a response in the last 24 hours.',
      }),
    }),
    buckets: z.array(z.object({ start: time, events: count, delivered: count, failed: count })),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db, clock }, { caller, input }) {
    const { alerts, totals, buckets } = await readOverview(
      { db, now: clock.now },
      caller.accountId,
      input.range,
    )
    const names = await readNames(
      db,
      caller.accountId,
      alerts.map(({ hook }) => hook.hookId),
    )
    const { oldestWaitingAt, successAfterRetries, receiverP95Ms, ...counts } = totals
    return {
      alerts: alerts.map(({ kind, message, failure, hook, since }) => ({
        kind,
        message,
        why: failure && describeFailure(failure.reason, failure.status),
        failure: failure && { reason: failure.reason, status: failure.status },
        hook_id: hook.hookId,
        webhook: names.find(hook.hookId),
        since: since?.toISOString() ?? null,
        disabled_reason: hook.disabledReason,
        counters: presentCounters(hook),
      })),
      totals: {
        ...counts,
        oldest_waiting_at: oldestWaitingAt?.toISOString() ?? null,
        success_after_retries: successAfterRetries,
        receiver_p95_ms: receiverP95Ms,
      },
      buckets: buckets.map(({ start, events, delivered, failed }) => ({
        start: start.toISOString(),
        events,
        delivered,
        failed,
      })),
    }
  },
})
