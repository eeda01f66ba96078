/** API representation of a consumer and of the events it gets. */
import { z } from 'zod'
import type { Consumer } from '../../../consumers/consumer-store.ts'
import type { Polled } from '../../../consumers/poll.ts'
import { requestMethods } from '../../../model/hook.ts'
import { encodeCursor } from '../../../tail/cursor.ts'
import type { EventPosition } from '../../../tail/read-events.ts'
import { attemptReason } from '../fields.ts'
import { timeOf } from '../hooks/present.ts'
import { chosenTypes, presentChosen } from '../hooks/types.ts'

const instant = z.iso.datetime()

export const consumerResponse = z
  .object({
    id: z.int32().positive(),
    name: z.string(),
    hook_id: z.int32().positive().nullable(),
    event_type: z.string().meta({ description: 'Not used if `hook_id` is set.' }),
    event_filter: z.string().nullable(),
    chosen: chosenTypes,
    request_method: z.enum(requestMethods),
    cursor: z.string().meta({ description: 'The committed position.' }),
    position_at: instant.meta({
      description:
        'Acceptance time of the last committed event, or the time at which there was none to read.',
    }),
    is_leased: z.boolean().meta({ description: 'Whether a reader is active.' }),
    lease_until: instant.nullable(),
    polled_at: instant.nullable(),
    created_at: instant,
    created_by: z.string().meta({ description: 'Actor such as `key:12` or `login:3`.' }),
  })
  .meta({ id: 'Consumer' })

export const oneConsumer = z.object({ consumer: consumerResponse })

export function presentConsumer(consumer: Consumer, now: number): z.infer<typeof consumerResponse> {
  const { leaseUntil, position } = consumer
  return {
    id: consumer.id,
    name: consumer.name,
    hook_id: consumer.hookId,
    event_type: consumer.eventType,
    event_filter: consumer.eventFilter,
    chosen: presentChosen(consumer),
    request_method: consumer.requestMethod,
    cursor: cursorOf(position),
    position_at: position.at.toISOString(),
    is_leased: leaseUntil !== null && leaseUntil.getTime() > now,
    lease_until: timeOf(leaseUntil),
    polled_at: timeOf(consumer.polledAt),
    created_at: consumer.createdAt.toISOString(),
    created_by: consumer.createdBy,
  }
}

/** A cursor of events is also one of the live tail: it is before the deliveries of its event. */
function cursorOf(position: EventPosition): string {
  return encodeCursor({ ...position, hookId: 0, round: 0, attempt: 0 })
}

const requestResponse = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string().meta({ description: 'The exact body in UTF-8. Empty for a GET.' }),
})

export const polledResponse = z.object({
  events: z.array(
    z.object({
      cursor: z.string(),
      id: z.uuid(),
      type: z.string(),
      accepted_at: instant,
      is_test: z.boolean(),
      request: requestResponse.nullable().meta({
        description: 'The request that a worker would send now, with valid signatures. Null with a `reason`.',
      }),
      reason: attemptReason
        .nullable()
        .meta({ description: 'Why there is no request: it would be too large.' }),
    }),
  ),
  cursor: z.string().meta({
    description:
      'The position after everything that was read. Commit it when all events are handled, also if there are none.',
  }),
  has_more: z.boolean().meta({ description: 'Whether another poll would return at once.' }),
  lease: z.uuid().meta({ description: 'Send it with the next poll and with commits.' }),
  lease_until: instant,
  pruned: z
    .object({
      from: instant,
      to: instant,
      events: z.int().nullable().meta({ description: 'Up to so many events. Null if unknown.' }),
    })
    .nullable()
    .meta({
      description:
        'Events in this time were deleted by retention before the consumer read them. Otherwise null.',
    }),
})

export function presentPolled({
  lease,
  events,
  position,
  hasMore,
  pruned,
}: Polled): z.infer<typeof polledResponse> {
  return {
    events: events.map(({ event, request }) => ({
      cursor: cursorOf(event.position),
      id: event.id,
      type: event.type,
      accepted_at: event.acceptedAt.toISOString(),
      is_test: event.testConsumerId !== null,
      ...(typeof request === 'string' ? { request: null, reason: request } : { request, reason: null }),
    })),
    cursor: cursorOf(position),
    has_more: hasMore,
    lease: lease.id,
    lease_until: lease.until.toISOString(),
    pruned: pruned
      ? { from: pruned.from.toISOString(), to: pruned.to.toISOString(), events: pruned.events }
      : null,
  }
}
