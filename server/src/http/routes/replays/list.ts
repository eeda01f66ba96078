import { z } from 'zod'
import { listReplays } from '../../../pipeline/replays/replay-store.ts'
import { scopedOperation } from '../../operation.ts'
import { presentReplay, replayAnswer } from './present.ts'

const mostListed = 100

export const listAllReplays = scopedOperation('deliveries:replay', {
  id: 'listReplays',
  group: 'Replays',
  summary: 'List replays',
  description: `The newest ${mostListed}, newest first.`,
  params: z.object({}),
  answer: z.object({ replays: z.array(replayAnswer) }),
  failures: [],
  async handle({ db }, { caller }) {
    return { replays: (await listReplays(db, caller.accountId, mostListed)).map(presentReplay) }
  },
})
