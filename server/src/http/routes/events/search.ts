import { z } from 'zod'
import { eventRows } from '../../../events/event-rows.ts'
import { searchEvents } from '../../../events/search-events.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { namedHookResponse, readNames } from '../hooks/names.ts'
import { readCursor, searchOf, searchParams, writeCursor } from './params.ts'
import { eventResponse, presentEvent } from './present.ts'

const maxRows = 200

export const searchEventsOperation = scopedOperation('events:read', {
  id: 'searchEvents',
  group: 'Events',
  role: 'viewer',
  summary: 'Search events',
  description:
    'Searches the events of the account, newest first. A long search returns its results so far, possibly none, and a cursor to continue. The search is complete only when `next` is null.',
  params: searchParams.extend({
    cursor: z.string().max(64).optional(),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxRows, { error: `can be at most ${maxRows}` })
      .default(50),
  }),
  response: z.object({
    events: z.array(eventResponse),
    webhooks: z.array(namedHookResponse).meta({ description: 'The webhooks of the deliveries.' }),
    next: z.string().nullable(),
    duration_ms: z.number(),
  }),
  errors: [],
  isExpensive: true,
  async handle({ db, eventTypes }, { caller, input }) {
    const startedAt = performance.now()
    const { accountId } = caller
    const { eventId, ...search } = await searchOf({ db, catalog: eventTypes.current() }, accountId, input)
    const before = input.cursor === undefined ? undefined : readCursor(input.cursor)
    const found =
      eventId === undefined
        ? await searchEvents(db, accountId, search, { before, limit: input.limit })
        : { ids: [eventId], next: null }
    const events = await eventRows(db, accountId, found.ids)
    const hookIds = events.flatMap(({ deliveries }) => deliveries.map(({ hookId }) => hookId))
    return {
      events: events.map((event) => presentEvent(event)),
      webhooks: (await readNames(db, accountId, hookIds)).all,
      next: found.next === null ? null : writeCursor(found.next),
      duration_ms: Math.round(performance.now() - startedAt),
    }
  },
})
