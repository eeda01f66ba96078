import { z } from 'zod'
import { ApiError } from '../../../model/errors.ts'
import { encodeCursor } from '../../../tail/cursor.ts'
import type { Tailed } from '../../../tail/read-tail.ts'
import { streamOperation } from '../../operation/operation.ts'
import { presentName } from '../hooks/names.ts'
import { eventResponse, presentEvent } from './present.ts'

/** Delay before a browser reconnects. */
const retryMs = 2_000

export const streamEventsOperation = streamOperation('events:read', {
  id: 'streamEvents',
  group: 'Events',
  summary: 'Stream events',
  description:
    'Streams server-sent events. `event: event` is an accepted event, `event: delivery` is a finished delivery. Each message is sent once, in commit order. Numbers are masked. The id of a message is a cursor. To resume after it, send it as `Last-Event-ID`, as browsers do, or as `from`. A heartbeat comment is sent every 15 seconds. The stream ends when the credential becomes invalid, or when the client reads nothing for 30 seconds.',
  params: z.object({
    from: z.string().max(200).default('now').meta({
      description: '`now`, a time such as 2026-11-15T09:30:00Z, or the id of the message to resume after.',
    }),
  }),
  response: z.object({ event: eventResponse }),
  errors: ['tooManyTails'],
  isExpensive: true,
  handle({ tail }, { caller, input, origin, isStillAllowed }) {
    const [lastId] = origin.headers['last-event-id'] ?? []
    return tail.open({
      accountId: caller.accountId,
      from: lastId === undefined || lastId === '' ? readFrom(input.from) : { cursor: lastId },
      write: writeMessage,
      greet: (position) =>
        `retry: ${retryMs}\n${position === undefined ? '' : `id: ${encodeCursor(position)}\n`}\n`,
      heartbeat: ': still here\n\n',
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
  const data =
    row.kind === 'event'
      ? presentEvent({ ...row, deliveries: [] })
      : {
          event_id: row.position.eventId,
          hook_id: row.position.hookId,
          round: row.position.round,
          state: row.state,
          reason: row.reason,
          attempts: row.attempts,
          webhook: row.hook && presentName({ id: row.position.hookId, ...row.hook, isDeleted: false }),
        }
  return `id: ${encodeCursor(row.position)}\nevent: ${row.kind}\ndata: ${JSON.stringify(data)}\n\n`
}
