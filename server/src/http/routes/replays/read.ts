import { z } from 'zod'
import { readReplay } from '../../../replays/replay-store.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { pathReplayId } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

export const readReplayOperation = scopedOperation('deliveries:replay', {
  id: 'readReplay',
  group: 'Replays',
  role: 'viewer',
  summary: 'Read replay',
  description:
    'Returns a replay. Counts lag by a few seconds while it runs and are exact when it is finished.',
  params: z.object({ id: pathReplayId }),
  response: oneReplay,
  errors: ['notFound'],
  async handle({ db, clock }, { caller, input }) {
    return presentReplay({ db, clock }, caller, await readReplay(db, caller.accountId, input.id))
  },
})
