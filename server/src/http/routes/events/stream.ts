import { z } from 'zod'
import { createEventMatcher } from '../../../events/match-event.ts'
import { ApiError } from '../../../model/errors.ts'
import { encodeCursor } from '../../../tail/cursor.ts'
import type { RoutedEvent } from '../../../tail/read-routes.ts'
import type { Tailed, TailedHook } from '../../../tail/read-tail.ts'
import { streamOperation } from '../../operation/operation.ts'
import { type NamedWebhook, presentName } from '../hooks/names.ts'
import { eventParams, searchOf } from './params.ts'
import { eventResponse, presentEvent } from './present.ts'

/** Delay before a browser reconnects. */
const retryMs = 2_000

export const streamEventsOperation = streamOperation('events:read', {
  id: 'streamEvents',
  group: 'Events',
  role: 'viewer',
  summary: 'Stream events',
  description:
    'Streams server-sent events. `event: event` is an accepted event, `event: attempt` is an attempt that failed, `event: delivery` is a finished delivery. Each of these is sent once, in commit order. `event: route` lists the pending deliveries of an event after it was matched against the webhooks. It has no id and may be repeated after a reconnect. The parameters besides `from` restrict the events that are sent; attempts and deliveries are not restricted. In a stream, `q` does not compare webhook ids. Numbers are masked. The id of a message is a cursor. To resume after it, send it as `Last-Event-ID`, as browsers do, or as `from`. A heartbeat comment is sent every 15 seconds. The stream ends when the credential becomes invalid, or when the client reads nothing for 30 seconds.',
  params: eventParams.extend({
    from: z.string().max(200).default('now').meta({
      description: '`now`, a time such as 2026-11-15T09:30:00Z, or the id of the message to resume after.',
    }),
  }),
  response: z.object({ event: eventResponse }),
  errors: ['tooManyTails'],
  isExpensive: true,
  async handle({ db, eventTypes, tail }, { caller, input, origin, isStillAllowed }) {
    const [lastId] = origin.headers['last-event-id'] ?? []
    const { from, ...params } = input
    const search = await searchOf({ db, catalog: eventTypes.current() }, caller.accountId, params)
    return tail.open({
      accountId: caller.accountId,
      from: lastId === undefined || lastId === '' ? readFrom(from) : { cursor: lastId },
      accepts: createEventMatcher(search),
      write: writeMessage,
      writeRoute,
      greet: (position) =>
        `retry: ${retryMs}\n${position === undefined ? '' : `id: ${encodeCursor(position)}\n`}\n`,
      heartbeat: (position) => `id: ${encodeCursor(position)}\n: still here\n\n`,
      isStillAllowed,
    })
  },
})

function readFrom(from: string): 'now' | Date | { cursor: string } {
  if (from === 'now') return 'now'
  if (!/^\d{4}-/.test(from)) return { cursor: from }
  const time = z.iso.datetime({ offset: true }).safeParse(from)
  if (!time.success)
    throw new ApiError(
      'parameterInvalid',
      'The parameter "from" must be now, a time such as 2026-11-15T09:30:00Z, or a cursor.',
    )
  return new Date(time.data)
}

/** Formats a message with one line of data. Serialized JSON contains no line feeds, because strings escape them. */
function writeMessage(row: Tailed): string {
  return `id: ${encodeCursor(row.position)}\nevent: ${row.kind}\ndata: ${JSON.stringify(presentRow(row))}\n\n`
}

function presentRow(row: Tailed): unknown {
  if (row.kind === 'event') return presentEvent({ ...row, isRouted: false, deliveries: [] })
  const { eventId, hookId, round, attempt } = row.position
  const delivery = { event_id: eventId, hook_id: hookId, round, webhook: presentHook(hookId, row.hook) }
  return row.kind === 'attempt'
    ? { ...delivery, attempt, reason: row.reason, status: row.status }
    : { ...delivery, state: row.state, reason: row.reason, attempts: row.attempts }
}

/** Without an id: a client resumes after the last row, not after a route. */
function writeRoute({ eventId, pending }: RoutedEvent): string {
  const data = {
    event_id: eventId,
    deliveries: pending.map(({ hookId, round, isHeld, attempts, hook }) => ({
      hook_id: hookId,
      round,
      state: isHeld ? 'held' : 'waiting',
      reason: null,
      attempts,
      webhook: presentHook(hookId, hook),
    })),
  }
  return `event: route\ndata: ${JSON.stringify(data)}\n\n`
}

function presentHook(id: number, hook: TailedHook): NamedWebhook | null {
  return hook && presentName({ id, ...hook, isDeleted: false })
}
