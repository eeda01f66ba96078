import { z } from 'zod'
import { movePosition } from '../../../consumers/consumer-store.ts'
import type { Database } from '../../../db/database.ts'
import { ledgerDays, startOfDay } from '../../../ledger/days.ts'
import { dayMs } from '../../../model/day.ts'
import { ApiError } from '../../../model/errors.ts'
import { beforeTransaction, rejectAhead } from '../../../tail/cursor.ts'
import type { EventPosition } from '../../../tail/read-events.ts'
import { positionAt, readHorizon } from '../../../tail/read-tail.ts'
import { actorOf } from '../../auth/actor.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { byId, readCursor } from './params.ts'
import { oneConsumer, presentConsumer } from './present.ts'

export const seekTarget = z.string().max(200).meta({
  description:
    '`newest` for events accepted from now on, `oldest` for everything that retention has kept, a time such as 2026-11-15T09:30:00Z, or a cursor to continue after. For a time, some events accepted up to five minutes earlier can come first.',
})

export const seekConsumerOperation = scopedOperation('hooks', {
  id: 'seekConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Change the position',
  description:
    'Moves the position of a consumer forward or backward, and ends the lease of its reader. The reader gets an error on its next poll and starts from the new position.',
  params: byId.extend({ to: seekTarget }),
  response: oneConsumer,
  errors: ['notFound', 'tooManyChanges'],
  takesIdempotencyKey: true,
  async handle({ db, clock }, { caller, input }) {
    const { accountId } = caller
    const position = await findPosition(db, accountId, input.to)
    const account = { accountId, actor: actorOf(caller) }
    return { consumer: presentConsumer(await movePosition(db, account, input.id, position), clock.now()) }
  },
})

/** A cursor can encode times from 2001 on. */
const minTime = new Date('2002-01-01')

export async function findPosition(db: Database, accountId: number, to: string): Promise<EventPosition> {
  const horizon = await readHorizon(db)
  if (to === 'newest') return beforeTransaction(horizon.oldestRunning, horizon.now)
  if (to === 'oldest') {
    const oldest = (await ledgerDays(db)).at(-1)
    return beforeTransaction('0', oldest === undefined ? horizon.now : startOfDay(oldest))
  }
  if (/^\d{4}-/.test(to)) return positionAt(db, accountId, readTime(to, horizon.now))
  const position = readCursor('to', to)
  rejectAhead(position, horizon, 'to')
  return position
}

function readTime(text: string, now: Date): Date {
  const time = z.iso.datetime({ offset: true }).safeParse(text)
  const at = time.success ? new Date(time.data) : undefined
  if (at !== undefined && at >= minTime && at.getTime() < now.getTime() + dayMs) return at
  throw new ApiError(
    'parameterInvalid',
    'The position must be newest, oldest, a time since 2002 such as 2026-11-15T09:30:00Z, or a cursor.',
  )
}
