import { z } from 'zod'
import { ranges, readOverview } from '../../../pipeline/overview.ts'
import { scopedOperation } from '../../operation.ts'

const time = z.iso.datetime()
const count = z.int().min(0)

export const readAccountOverview = scopedOperation('events:read', {
  id: 'readOverview',
  group: 'Events',
  summary: 'How the account is doing',
  description:
    'What needs attention, and figures of the last 24 hours by the hour or the last 30 days by the day (UTC), the present one included.',
  params: z.object({
    range: z
      .enum(Object.keys(ranges) as [keyof typeof ranges], { error: 'must be 24h or 30d' })
      .default('24h'),
  }),
  answer: z.object({
    attention: z.array(
      z.object({
        kind: z.string().meta({
          description: '`failing`, `paused`, `losing`, `waiting`, `disabled`, `stopped` or `unloadable`.',
        }),
        sentence: z.string(),
        why: z
          .string()
          .nullable()
          .meta({ description: 'The newest failure in words; null where nothing failed lately.' }),
        hook_id: z.int().nullable(),
        since: time.nullable(),
      }),
    ),
    totals: z.object({
      events: count,
      delivered: count,
      failed: count,
      expired: count,
      cancelled: count,
      waiting: count.meta({ description: 'Deliveries that wait now.' }),
      held: count.meta({ description: 'What disabled webhooks hold now.' }),
      oldest_waiting_at: time.nullable(),
      success_after_retries: z
        .number()
        .nullable()
        .meta({ description: 'From 0 to 1: of the deliveries that ended, those that were delivered.' }),
      receiver_p95_ms: z
        .number()
        .nullable()
        .meta({ description: 'Of the newest 2,000 attempts of the last 24 hours that were answered.' }),
    }),
    buckets: z.array(z.object({ start: time, events: count, delivered: count, failed: count })),
  }),
  failures: [],
  isHeavy: true,
  async handle({ db, clock }, { caller, input }) {
    const { attention, totals, buckets } = await readOverview(
      { db, now: clock.now },
      caller.accountId,
      input.range,
    )
    const { oldestWaitingAt, successAfterRetries, receiverP95Ms, ...counts } = totals
    return {
      attention: attention.map(({ kind, sentence, why, hookId, since }) => ({
        kind,
        sentence,
        why,
        hook_id: hookId,
        since: since?.toISOString() ?? null,
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
