import { z } from 'zod'
import { hasScope } from '../../../model/caller.ts'
import { countSelected } from '../../../replays/select-deliveries.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { selectionParam, resolveSelection } from './params.ts'
import { skippedReasons } from './present.ts'

const maxDisabledHooks = 20

export const countReplayOperation = scopedOperation('deliveries:replay', {
  id: 'countReplay',
  group: 'Replays',
  role: 'support',
  summary: 'Count deliveries of a replay',
  description:
    'Counts the deliveries that a replay would send and those that it would skip. After about a second, returns lower bounds.',
  params: z.object({ selection: selectionParam }),
  response: z.object({
    count: z.int().meta({ description: 'Deliveries that would be sent.' }),
    is_exact: z.boolean().meta({ description: 'False if the counts are lower bounds.' }),
    skipped: skippedReasons,
    disabled_hooks: z.array(namedHookResponse).meta({
      description: `Disabled webhooks in the selection, up to ${maxDisabledHooks}. Enable them first to replay their deliveries. Empty without the scope \`hooks:read\`.`,
    }),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db, eventTypes }, { caller, input }) {
    const { sendable, isExact } = await countSelected(
      db,
      caller.accountId,
      await resolveSelection(db, eventTypes.current(), input.selection, caller),
    )
    const mayRead = hasScope(caller.scopes, 'hooks:read')
    const { ready, disabled, deleted, pending, missing, disabledHooks } = sendable
    const names = await readNames(
      db,
      caller.accountId,
      mayRead ? disabledHooks.slice(0, maxDisabledHooks) : [],
    )
    return {
      count: ready,
      is_exact: isExact,
      skipped: { disabled, deleted, pending, missing },
      disabled_hooks: names.all,
    }
  },
})
