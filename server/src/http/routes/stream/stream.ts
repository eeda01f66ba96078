import { z } from 'zod'
import { Refusal } from '../../../model/errors.ts'
import { writePosition } from '../../../pipeline/tail/position.ts'
import type { Tailed } from '../../../pipeline/tail/read-tail.ts'
import { streamOperation } from '../../operation.ts'
import { eventAnswer, presentEvent } from '../events/present.ts'

/** What a browser waits before it connects again. */
const retryMs = 2_000

export const streamEvents = streamOperation('events:read', {
  id: 'streamEvents',
  group: 'Events',
  summary: 'Events as they happen',
  description:
    'A stream of server-sent events. `event: event` brings an event as it was accepted, `event: delivery` how a delivery ended, each once and in the order in which they were committed; numbers are masked. The id of each message is a cursor: with `Last-Event-ID`, which browsers send by themselves, or as `from`, the stream goes on right behind it. A comment comes every 15 seconds. The stream ends when the credential ends; one that is not read for 30 seconds is cut off.',
  params: z.object({
    from: z.string().max(200).default('now').meta({
      description: '`now`, a time such as 2026-11-15T09:30:00Z, or the id of a message to go on behind.',
    }),
  }),
  answer: z.object({ event: eventAnswer }),
  failures: ['tooManyStreams'],
  isHeavy: true,
  handle({ tail }, { caller, input, origin, isStillAllowed }) {
    const [lastId] = origin.headers['last-event-id'] ?? []
    return tail.open({
      accountId: caller.accountId,
      from: lastId === undefined || lastId === '' ? readFrom(input.from) : { cursor: lastId },
      write: writeMessage,
      greet: (position) =>
        `retry: ${retryMs}\n${position === undefined ? '' : `id: ${writePosition(position)}\n`}\n`,
      beat: ': still here\n\n',
      isStillAllowed,
    })
  },
})

function readFrom(from: string): 'now' | Date | { cursor: string } {
  if (from === 'now') return 'now'
  if (!/^\d{4}-/.test(from)) return { cursor: from }
  const time = z.iso.datetime({ offset: true }).safeParse(from)
  if (!time.success)
    throw new Refusal(
      'parameterInvalid',
      'The parameter "from" must be now, a time such as 2026-11-15T09:30:00Z, or a cursor.',
    )
  return new Date(time.data)
}

/** JSON has no line feeds outside of texts, and in texts they are escaped: one line of data is enough. */
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
        }
  return `id: ${writePosition(row.position)}\nevent: ${row.kind}\ndata: ${JSON.stringify(data)}\n\n`
}
