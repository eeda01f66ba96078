import { z } from 'zod'
import { commitPosition, readConsumer, releaseLease } from '../../../consumers/consumer-store.ts'
import { rejectAhead } from '../../../tail/cursor.ts'
import { readHorizon } from '../../../tail/read-tail.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId, cursor, lease, readCursor } from './params.ts'

export const commitConsumerOperation = scopedOperation('hooks', {
  id: 'commitConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Commit a position',
  description:
    'Records that everything up to the cursor is handled. The position never moves backward, so a repeated or late call does nothing.',
  params: byId.extend({ lease, cursor }),
  response: z.object({}),
  errors: ['notFound', 'leaseLost'],
  async handle({ db }, { caller, input }) {
    const position = readCursor('cursor', input.cursor)
    rejectAhead(position, await readHorizon(db), 'cursor')
    await commitPosition(db, caller.accountId, input.id, input.lease, position)
    return {}
  },
})

export const releaseConsumerOperation = scopedOperation('hooks', {
  id: 'releaseConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Release the lease',
  description: 'Ends the lease of a reader that stops, so another can start at once.',
  params: byId.extend({ lease }),
  response: z.object({}),
  errors: ['notFound'],
  async handle({ db }, { caller, input }) {
    await readConsumer(db, caller.accountId, input.id)
    await releaseLease(db, caller.accountId, input.id, input.lease)
    return {}
  },
})
