/** Operations to pause, resume and cancel a replay. */
import { z } from 'zod'
import { cancelReplay, pauseReplay, resumeReplay } from '../../../replays/replay-actions.ts'
import { actorOf } from '../../auth/actor.ts'
import { type Operation, scopedOperation } from '../../operation/operation.ts'
import { pathReplayId } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

export const pauseReplayOperation = replayOperation('pauseReplay', pauseReplay, {
  summary: 'Pause a replay',
  description:
    'Starts no more attempts of the replay, including retries, until it is resumed. Attempts in flight complete.',
})

export const resumeReplayOperation = replayOperation('resumeReplay', resumeReplay, {
  summary: 'Resume a replay',
  description: 'Continues a paused replay.',
})

export const cancelReplayOperation = replayOperation('cancelReplay', cancelReplay, {
  summary: 'Cancel a replay',
  description:
    'Stops the replay and cancels its pending deliveries. In a replay of held events, the remaining events return to hold.',
})

function replayOperation(
  id: string,
  change: typeof pauseReplay,
  texts: { summary: string; description: string },
): Operation {
  return scopedOperation('deliveries:replay', {
    id,
    group: 'Replays',
    role: 'developer',
    ...texts,
    params: z.object({ id: pathReplayId }),
    response: oneReplay,
    errors: ['notFound', 'replayFinished'],
    async handle({ db, clock }, { caller, input }) {
      const account = { accountId: caller.accountId, actor: actorOf(caller) }
      return presentReplay({ db, clock }, caller, await change(db, account, input.id))
    },
  })
}
