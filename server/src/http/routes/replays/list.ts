import { z } from 'zod'
import { listReplays } from '../../../replays/replay-store.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { presentReplays, replayResponse } from './present.ts'

const maxListed = 100

export const listReplaysOperation = scopedOperation('deliveries:replay', {
  id: 'listReplays',
  group: 'Replays',
  role: 'viewer',
  summary: 'List replays',
  description: `Lists the latest ${maxListed} replays, newest first.`,
  params: z.object({}),
  response: z.object({ replays: z.array(replayResponse) }),
  errors: [],
  async handle({ db, clock }, { caller }) {
    return presentReplays({ db, clock }, caller, await listReplays(db, caller.accountId, maxListed))
  },
})
