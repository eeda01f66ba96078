import { z } from 'zod'
import { countEnded } from '../../../pipeline/ledger/ended-deliveries.ts'
import { scopedOperation } from '../../operation.ts'
import { selectionParam, wantedOf } from './params.ts'

export const countReplay = scopedOperation('deliveries:replay', {
  id: 'countReplay',
  group: 'Replays',
  summary: 'How many would be sent again',
  description: 'Counts what a replay would send, for about a second; then the count is a lower bound.',
  params: z.object({ selection: selectionParam }),
  answer: z.object({
    count: z.int(),
    is_exact: z.boolean().meta({ description: 'False: there are at least so many.' }),
  }),
  failures: [],
  isHeavy: true,
  async handle({ db }, { caller, input }) {
    const { count, isExact } = await countEnded(
      db,
      caller.accountId,
      await wantedOf(db, input.selection, caller),
    )
    return { count, is_exact: isExact }
  },
})
