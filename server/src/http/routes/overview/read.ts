import { z } from 'zod'
import { describeFailure } from '../../../model/delivery/reasons.ts'
import { overdueMinutes } from '../../../stats/hook-counters.ts'
import { alertKinds, type Overview, ranges, readOverview } from '../../../stats/overview.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { attemptReason, disabledReason } from '../fields.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { countersResponse, presentCounters } from '../hooks/present.ts'

const time = z.iso.datetime()
const count = z.int().min(0)

const percentile = (description?: string) =>
  z
    .number()
    .nullable()
    .meta({
      ...(description !== undefined && { description: `${description} Null without responses.` }),
    })

export const readOverviewOperation = scopedOperation('events:read', {
  id: 'readOverview',
  group: 'Events',
  role: 'viewer',
  summary: 'Read overview',
  description:
    'Returns alerts and statistics: the last hour per minute, the last 24 hours or 7 days per hour, or the last 30 days per UTC day, including the current one. The last hour counts events, deliveries and attempts by the minute in which the event was accepted.',
  params: z.object({
    range: z.enum(ranges, { error: `must be ${ranges.join(', ')}` }).default('24h'),
  }),
  response: z.object({
    alerts_total: count.meta({ description: 'Webhooks with an alert, listed or not.' }),
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
        next_attempt_at: time.nullable().meta({
          description: 'The next attempt, now or in the past if one is due. Null if none is scheduled.',
        }),
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
      overdue: count.meta({
        description: `Deliveries pending for more than ${overdueMinutes} minutes since their event was accepted or, in a replay, since they were due. Deliveries on hold are not included.`,
      }),
      success_rate: z.number().nullable().meta({
        description:
          'From 0 to 1: `delivered` / (`delivered` + `failed` + `expired` + `overdue`). Null without any of them.',
      }),
      receiver_p95_ms: percentile('95th percentile of the newest 2,000 response times in the range.'),
    }),
    buckets: z.array(
      z.object({
        start: time,
        events: count,
        delivered: count,
        failed: count,
        status_2xx: count.meta({ description: 'Attempts with this response.' }),
        status_3xx: count,
        status_4xx: count,
        status_5xx: count,
        timeouts: count,
        connection_errors: count.meta({ description: 'Attempts that failed without a valid response.' }),
        p50_ms: percentile(
          'Median of the newest response times, up to 500 per bucket, by the time at which the event was accepted.',
        ),
        p95_ms: percentile(),
        p99_ms: percentile(),
      }),
    ),
    complete_from: time.nullable().meta({
      description:
        'Only for `1h`: earlier minutes are incomplete, because at most the newest 20,000 events, deliveries and attempts are read. Null if all were read.',
    }),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db, clock }, { caller, input }) {
    const { alerts, alertsTotal, totals, buckets, completeFrom } = await readOverview(
      { db, now: clock.now },
      caller.accountId,
      input.range,
    )
    const names = await readNames(
      db,
      caller.accountId,
      alerts.map(({ hook }) => hook.hookId),
    )
    const { oldestWaitingAt, successRate, receiverP95Ms, ...counts } = totals
    return {
      alerts_total: alertsTotal,
      alerts: alerts.map(({ kind, message, failure, hook, since, nextAttemptAt }) => ({
        kind,
        message,
        why: failure && describeFailure(failure.reason, failure.status),
        failure: failure && { reason: failure.reason, status: failure.status },
        hook_id: hook.hookId,
        webhook: names.find(hook.hookId),
        since: since?.toISOString() ?? null,
        next_attempt_at: nextAttemptAt?.toISOString() ?? null,
        disabled_reason: hook.disabledReason,
        counters: presentCounters(hook),
      })),
      totals: {
        ...counts,
        oldest_waiting_at: oldestWaitingAt?.toISOString() ?? null,
        success_rate: successRate,
        receiver_p95_ms: receiverP95Ms,
      },
      buckets: buckets.map(presentBucket),
      complete_from: completeFrom?.toISOString() ?? null,
    }
  },
})

function presentBucket(bucket: Overview['buckets'][number]) {
  const { attempts, failures, status3xx, status4xx, status5xx, timeouts } = bucket
  return {
    start: bucket.start.toISOString(),
    events: bucket.events,
    delivered: bucket.delivered,
    failed: bucket.failed,
    status_2xx: attempts - failures,
    status_3xx: status3xx,
    status_4xx: status4xx,
    status_5xx: status5xx,
    timeouts,
    connection_errors: failures - status3xx - status4xx - status5xx - timeouts,
    p50_ms: bucket.p50Ms,
    p95_ms: bucket.p95Ms,
    p99_ms: bucket.p99Ms,
  }
}
