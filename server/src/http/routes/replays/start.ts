import { z } from 'zod'
import { startReplay } from '../../../replays/replay-actions.ts'
import { serializeSearch } from '../../../replays/replay-runner.ts'
import { actorOf } from '../../auth/actor.ts'
import { requireRole } from '../../auth/require-role.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { selectionParam, resolveSelection } from './params.ts'
import { oneReplay, presentReplay } from './present.ts'

const defaultRate = 50
const maxRate = 1_000

export const startReplayOperation = scopedOperation('deliveries:replay', {
  id: 'startReplay',
  group: 'Replays',
  role: 'support',
  summary: 'Start replay',
  description:
    'Starts a new round of finished deliveries with the same event id and body, and the header `x-hookline-replay`. The replay runs in the background at the given rate and continues after restarts. A search excludes events accepted after this call. Members with the role support replay one delivery per call.',
  params: z.object({
    selection: selectionParam,
    max_per_second: z
      .int()
      .min(1)
      .max(maxRate, { error: `must be an integer from 1 to ${maxRate}` })
      .default(defaultRate)
      .meta({ description: 'Max deliveries started per second.' }),
  }),
  response: oneReplay,
  errors: ['tooManyReplays'],
  takesIdempotencyKey: true,
  isExpensive: true,
  async handle({ db, clock, eventTypes }, { caller, input }) {
    if (!isOne(input.selection)) requireRole(caller, 'developer')
    const requested = await resolveSelection(db, eventTypes.current(), input.selection, caller)
    const now = new Date(clock.now())
    const selection =
      requested.kind === 'deliveries'
        ? requested
        : {
            kind: requested.kind,
            search: serializeSearch({ ...requested.search, to: earlier(requested.search.to, now) }),
          }
    const account = { accountId: caller.accountId, actor: actorOf(caller) }
    const replay = await startReplay(db, account, selection, input.max_per_second)
    return presentReplay({ db, clock }, caller, replay)
  },
})

/** Support replays single deliveries. */
function isOne(selection: z.infer<typeof selectionParam>): boolean {
  return 'deliveries' in selection && selection.deliveries.length === 1
}

function earlier(time: Date | undefined, max: Date): Date {
  return time !== undefined && time.getTime() < max.getTime() ? time : max
}
