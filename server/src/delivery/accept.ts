/**
 * Accept: a producer submits events. Each event is validated, valid ones are committed together, and the response is
 * sent after the commit.
 *   validate → quota → commit (micro-batched over calls) → publish to workers → return an id or an error for each
 */
import type { EventTypes } from '../catalog/follow-event-types.ts'
import { type Database, isDataRejected, isRejected } from '../db/database.ts'
import type { ErrorName } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import { createBatcher } from '../runtime/batch.ts'
import type { Tracing } from '../runtime/tracing.ts'
import { commitEvents } from './commit-events.ts'
import type { IsOverQuota } from './intake/backlog-quota.ts'
import type { IncomingEvent, Inserted } from './intake/insert-events.ts'
import {
  type IntakeLimits,
  validateEvents,
  type ValidEvent,
  type RejectedEvent,
} from './intake/validate-events.ts'

interface Accepted {
  /** Ids of committed events, in the order they were sent. */
  accepted: string[]
  rejected: Array<{ index: number; reason: ErrorName; message: string }>
}

/** `traceparent` is the trace of the call. */
export type Accept = (producerId: number, body: string, traceparent?: string) => Promise<Accepted>

interface AcceptDeps {
  db: Database
  limits: IntakeLimits
  eventTypes: EventTypes
  isOverQuota: IsOverQuota
  tracing: Tracing
  /** Notifies workers of committed events. It may fail: the events are in the inbox. */
  publish: (events: readonly Event[]) => void
}

/** One statement of this size takes a few milliseconds. A larger one would delay other calls. */
const maxEventsPerCommit = 500

export function createAccept({ db, limits, eventTypes, isOverQuota, tracing, publish }: AcceptDeps): Accept {
  async function commitAndPublish(events: IncomingEvent[]): Promise<Inserted[]> {
    const inserted = await commitEvents(db, events)
    publish(
      inserted.flatMap((result, index) => {
        const event = events[index]
        return result.state === 'accepted' && event !== undefined ? [{ ...event, ...result }] : []
      }),
    )
    return inserted
  }
  const commit = createBatcher(commitAndPublish, {
    maxBatchSize: maxEventsPerCommit,
    maxConcurrentRuns: 2,
    isRejection: isRejected,
  })

  async function acceptOne(
    event: ValidEvent | RejectedEvent,
    source: Pick<IncomingEvent, 'producerId' | 'traceparent'>,
  ): Promise<string | RejectedEvent> {
    if ('reason' in event) return event
    if (await isOverQuota(event.accountId))
      return { reason: 'backlogFull', message: `Account ${event.accountId} has too many pending events.` }
    try {
      return resultOf(await commit({ ...event, ...source }), event)
    } catch (error) {
      if (!isDataRejected(error)) throw error
      return { reason: 'parameterInvalid', message: 'The event contains a value that cannot be stored.' }
    }
  }

  return async (producerId, body, traceparent) => {
    const validated = await validateEvents(body, limits, eventTypes.current())
    const traceOf = await startTraces(tracing, validated, traceparent)
    const results = await Promise.all(
      validated.map((event) => acceptOne(event, { producerId, traceparent: traceOf(event) })),
    )
    const accepted: string[] = []
    const rejected: Accepted['rejected'] = []
    for (const [index, result] of results.entries())
      if (typeof result === 'string') accepted.push(result)
      else rejected.push({ index, ...result })
    return { accepted, rejected }
  }
}

/**
 * Receivers can get the trace of an event. So a call with events of several accounts has a trace for each of them, which
 * only the spans link to that of the call.
 */
async function startTraces(
  tracing: Tracing,
  events: ReadonlyArray<ValidEvent | RejectedEvent>,
  traceparent: string | undefined,
): Promise<(event: ValidEvent | RejectedEvent) => string | undefined> {
  const accounts = new Set(events.flatMap((event) => ('reason' in event ? [] : [event.accountId])))
  if (traceparent === undefined || accounts.size <= 1) return () => traceparent
  const traces = new Map<number, string | undefined>()
  for (const accountId of accounts)
    await tracing.inSpan('accept events of account', { links: [traceparent] }, async (span) => {
      span.set({ 'hookline.account.id': accountId })
      traces.set(accountId, span.traceparent)
    })
  return (event) => ('reason' in event ? undefined : traces.get(event.accountId))
}

function resultOf(inserted: Inserted, event: ValidEvent): string | RejectedEvent {
  switch (inserted.state) {
    case 'accepted':
    case 'duplicate':
      return inserted.id
    case 'key conflict':
      return { reason: 'idempotencyConflict', message: 'Idempotency key reused with a different event.' }
    case 'key just pruned':
      throw new Error('idempotency key was pruned during the call')
    case 'unknown account':
      return { reason: 'unknownAccount', message: `Account ${event.accountId} not found.` }
    case 'suspended account':
      return { reason: 'accountSuspended', message: `Account ${event.accountId} is suspended.` }
  }
}
