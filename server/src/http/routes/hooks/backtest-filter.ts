import { z } from 'zod'
import { countExpressions } from '../../../hooks/count-expressions.ts'
import { readHook } from '../../../hooks/read-hook.ts'
import { validateFilter } from '../../../model/filter/event-filter.ts'
import { mask } from '../../../model/mask.ts'
import { type FilteredSample, backtestFilter } from '../../../events/backtest-filter.ts'
import { requireReveal } from '../../auth/require-role.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { rejectUnusedType } from '../contract/params.ts'
import { requireTypes, typeParams } from './types.ts'

const max = 10_000

const sample = z
  .object({
    event_id: z.uuid(),
    accepted_at: z.iso.datetime(),
    type: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    why: z.string().nullable().meta({ description: 'Why the event does not match. Null for a match.' }),
  })
  .meta({ id: 'FilteredEvent' })

export const backtestFilterOperation = scopedOperation('events:read', {
  id: 'backtestFilter',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Backtest a filter',
  description:
    'Runs a filter on the newest events of the account for at most a third of a second and counts the matches. With `hook_id`, compares them with the current filter of that webhook. Numbers are masked.',
  params: z.object({
    ...typeParams,
    hook_id: z.int32().positive().optional().meta({ description: 'Webhook to compare with.' }),
    limit: z
      .int()
      .min(1)
      .max(max, { error: `must be an integer from 1 to ${max}` })
      .default(max)
      .meta({ description: 'Max number of events to examine.' }),
  }),
  response: z.object({
    examined: z.int(),
    matched: z.int(),
    current_matched: z
      .int()
      .nullable()
      .meta({ description: 'Matches of the current filter of the webhook.' }),
    samples: z
      .object({
        matched: z.array(sample),
        not_matched: z.array(sample),
        gained: z.array(sample),
        lost: z.array(sample),
      })
      .meta({
        description:
          'Up to five samples each. `gained` and `lost` are relative to the current filter of the webhook.',
      }),
  }),
  errors: ['notFound', 'invalidFilter'],
  isExpensive: true,
  async handle({ db, vault, hookLimits, eventTypes }, { caller, input }) {
    // A filter on texts and numbers tells what they contain.
    requireReveal(caller, undefined)
    const { accountId } = caller
    const catalog = eventTypes.current()
    const { eventType, eventFilter: filter } = requireTypes(catalog, hookLimits, input)
    rejectUnusedType(catalog, eventType)
    if (filter !== null) validateFilter(filter, hookLimits.maxFilterBytes)
    const hook = input.hook_id === undefined ? undefined : await readHook(db, vault, accountId, input.hook_id)
    const current = hook && { eventType: hook.eventType, filter: hook.eventFilter }
    const otherExpressions = await countExpressions(db, accountId, input.hook_id)
    const backtest = {
      accountId,
      eventType,
      filter,
      current,
      otherExpressions,
      max: input.limit,
    }
    const { examined, matched, currentMatched, samples } = await backtestFilter(db, catalog, backtest)
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
