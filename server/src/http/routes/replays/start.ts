import { z } from 'zod'
import { startReplay } from '../../../pipeline/change-replay.ts'
import { keepSearch } from '../../../pipeline/run-replays.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { selectionParam, wantedOf } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

const usualRate = 50
const fastestRate = 1_000

export const startOneReplay = scopedOperation('deliveries:replay', {
  id: 'startReplay',
  group: 'Replays',
  summary: 'Send deliveries again',
  description:
    'A further round of deliveries that have ended: the same event id and the same body, with the header `x-hookline-replay`. It goes on by itself, at the given pace, and survives every restart. Of a search, what is accepted after this call is left out.',
  params: z.object({
    selection: selectionParam,
    most_per_second: z
      .int()
      .min(1)
      .max(fastestRate, { error: `must be a whole number from 1 to ${fastestRate}` })
      .default(usualRate)
      .meta({ description: 'Deliveries a second that are started at most.' }),
  }),
  answer: oneReplay,
  failures: ['tooManyReplays'],
  isHeavy: true,
  async handle({ db, clock }, { caller, input }) {
    const wanted = await wantedOf(db, input.selection, caller)
    const now = new Date(clock.now())
    const selection =
      wanted.kind === 'deliveries'
        ? wanted
        : { kind: wanted.kind, search: keepSearch({ ...wanted.search, to: earlier(wanted.search.to, now) }) }
    const who = { accountId: caller.accountId, actor: actorOf(caller) }
    return { replay: presentReplay(await startReplay(db, who, selection, input.most_per_second)) }
  },
})

function earlier(one: Date | undefined, other: Date): Date {
  return one !== undefined && one.getTime() < other.getTime() ? one : other
}
