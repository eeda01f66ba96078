import { z } from 'zod'
import { countExpressions } from '../../../hooks/count-expressions.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { judgeFilter } from '../../../model/event-filter.ts'
import { mask } from '../../../model/mask.ts'
import { type FilteredSample, tryFilter } from '../../../pipeline/try-filter.ts'
import { scopedOperation } from '../../operation.ts'
import { eventType } from '../hooks/params.ts'

const most = 10_000

const sample = z
  .object({
    event_id: z.uuid(),
    accepted_at: z.iso.datetime(),
    type: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    why: z.string().nullable().meta({ description: 'Why it does not match; null: it does.' }),
  })
  .meta({ id: 'FilteredEvent' })

export const tryHookFilter = scopedOperation('events:read', {
  id: 'tryFilter',
  group: 'Manage webhooks',
  summary: 'Try a filter on past events',
  description:
    'Runs a filter over the newest events of the account, for as long as a third of a second, and says how many match, beside the filter that a webhook has now. Numbers are masked.',
  params: z.object({
    event_type: eventType,
    event_filter: z.string().nullable().optional().meta({ description: 'Null or empty: no filter.' }),
    hook_id: z
      .int32()
      .positive()
      .optional()
      .meta({ description: 'The webhook whose filter to compare with.' }),
    limit: z
      .int()
      .min(1)
      .max(most, { error: `must be a whole number from 1 to ${most}` })
      .default(most)
      .meta({ description: 'How many events to look at.' }),
  }),
  answer: z.object({
    examined: z.int(),
    matched: z.int(),
    current_matched: z.int().nullable().meta({ description: 'By the filter that the webhook has now.' }),
    samples: z
      .object({
        matched: z.array(sample),
        not_matched: z.array(sample),
        gained: z.array(sample),
        lost: z.array(sample),
      })
      .meta({
        description: 'Up to five of each; gained and lost against the filter that the webhook has now.',
      }),
  }),
  failures: ['notFound', 'invalidFilter'],
  isHeavy: true,
  async handle({ db, vault, hookRules }, { caller, input }) {
    const { accountId } = caller
    const filter = input.event_filter || null
    if (filter !== null) judgeFilter(filter, hookRules.maxFilterBytes)
    const hook = input.hook_id === undefined ? undefined : await readHook(db, vault, accountId, input.hook_id)
    const current = hook && { eventType: hook.eventType, filter: hook.eventFilter }
    const otherExpressions = await countExpressions(db, accountId, input.hook_id)
    const trial = {
      accountId,
      eventType: input.event_type,
      filter,
      current,
      otherExpressions,
      most: input.limit,
    }
    const { examined, matched, currentMatched, samples } = await tryFilter(db, trial)
    return {
      examined,
      matched,
      current_matched: currentMatched,
      samples: {
        matched: samples.matched.map(present),
        not_matched: samples.notMatched.map(present),
        gained: samples.gained.map(present),
        lost: samples.lost.map(present),
      },
    }
  },
})

function present({ event, why }: FilteredSample): z.infer<typeof sample> {
  return {
    event_id: event.id,
    accepted_at: event.acceptedAt.toISOString(),
    type: event.type,
    from: event.sender === null ? null : mask(event.sender),
    to: event.recipient === null ? null : mask(event.recipient),
    why,
  }
}
