import { z } from 'zod'
import { countSelected } from '../../../replays/select-deliveries.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { selectionParam, resolveSelection } from './params.ts'

export const countReplayOperation = scopedOperation('deliveries:replay', {
  id: 'countReplay',
  group: 'Replays',
  summary: 'Count deliveries of a replay',
  description: 'Counts the deliveries that a replay would send. After about a second, returns a lower bound.',
  params: z.object({ selection: selectionParam }),
  response: z.object({
    count: z.int(),
    is_exact: z.boolean().meta({ description: 'False if `count` is a lower bound.' }),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db, eventTypes }, { caller, input }) {
    const { count, isExact } = await countSelected(
      db,
      caller.accountId,
      await resolveSelection(db, eventTypes.current(), input.selection, caller),
    )
    return { count, is_exact: isExact }
  },
})
