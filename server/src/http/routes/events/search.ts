import { z } from 'zod'
import { eventRows } from '../../../pipeline/ledger/event-rows.ts'
import { findEvents } from '../../../pipeline/ledger/find-events.ts'
import { scopedOperation } from '../../operation.ts'
import { readCursor, searchOf, searchParams, writeCursor } from './params.ts'
import { eventAnswer, presentEvent } from './present.ts'

const mostRows = 200

export const searchEvents = scopedOperation('events:read', {
  id: 'searchEvents',
  group: 'Events',
  summary: 'Search events',
  description:
    'Events of the account, newest first. A search that must look at a lot answers with what it has found so far, which may be nothing, and with a cursor by which it goes on: there is no more only when `next` is null.',
  params: searchParams.extend({
    cursor: z.string().max(64).optional(),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(mostRows, { error: `can be up to ${mostRows}` })
      .default(50),
  }),
  answer: z.object({
    events: z.array(eventAnswer),
    next: z.string().nullable(),
    took_ms: z.number(),
  }),
  failures: [],
  isHeavy: true,
  async handle({ db }, { caller, input }) {
    const startedAt = performance.now()
    const { accountId } = caller
    const { eventId, ...search } = searchOf(input)
    const before = input.cursor === undefined ? undefined : readCursor(input.cursor)
    const found =
      eventId === undefined
        ? await findEvents(db, accountId, search, { before, limit: input.limit })
        : { ids: [eventId], next: null }
    const events = await eventRows(db, accountId, found.ids)
    return {
      events: events.map((event) => presentEvent(event)),
      next: found.next === null ? null : writeCursor(found.next),
      took_ms: Math.round(performance.now() - startedAt),
    }
  },
})
