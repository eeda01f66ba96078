import { z } from 'zod'
import { readReplay } from '../../../pipeline/replays/replay-store.ts'
import { scopedOperation } from '../../operation.ts'
import { pathReplayId } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

export const readOneReplay = scopedOperation('deliveries:replay', {
  id: 'readReplay',
  group: 'Replays',
  summary: 'How far a replay is',
  description: 'The figures are at most a few seconds old while it runs, and exact when it is over.',
  params: z.object({ id: pathReplayId }),
  answer: oneReplay,
  failures: ['notFound'],
  async handle({ db }, { caller, input }) {
    return { replay: presentReplay(await readReplay(db, caller.accountId, input.id)) }
  },
})
