/** Pause, resume, cancel: three calls that differ in what they ask for. */
import { z } from 'zod'
import { cancelReplay, pauseReplay, resumeReplay } from '../../../pipeline/change-replay.ts'
import { actorOf } from '../../actor.ts'
import { type Operation, scopedOperation } from '../../operation.ts'
import { pathReplayId } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

export const pauseOneReplay = changing('pauseReplay', pauseReplay, {
  summary: 'Pause a replay',
  description: 'No attempt of it begins until it is resumed, retries included; what is under way ends.',
})

export const resumeOneReplay = changing('resumeReplay', resumeReplay, {
  summary: 'Resume a replay',
  description: 'Goes on where it was paused.',
})

export const cancelOneReplay = changing('cancelReplay', cancelReplay, {
  summary: 'Cancel a replay',
  description:
    'Nothing more of it is sent; what waits ends as cancelled. Of what a webhook held while it was disabled, the rest is held again.',
})

function changing(
  id: string,
  change: typeof pauseReplay,
  about: { summary: string; description: string },
): Operation {
  return scopedOperation('deliveries:replay', {
    id,
    group: 'Replays',
    ...about,
    params: z.object({ id: pathReplayId }),
    answer: oneReplay,
    failures: ['notFound', 'replayOver'],
    async handle({ db }, { caller, input }) {
      const who = { accountId: caller.accountId, actor: actorOf(caller) }
      return { replay: presentReplay(await change(db, who, input.id)) }
    },
  })
}
