/**
 * Accept: a producer submits events. Each event is validated, valid ones are committed together, and the response is
 * sent after the commit.
 *   validate → quota → match and choose a worker → commit (micro-batched over calls) → hand off → return an id or an error
 *   for each
 * Events that cannot be matched at once go to the inbox, from where workers route them.
 */
import type { EventTypes } from '../catalog/follow-event-types.ts'
import { type Database, isDataRejected, isRejected } from '../db/database.ts'
import { ApiError, type ErrorName } from '../model/errors.ts'
import type { ValidEvent } from '../model/event.ts'
import { takeIdEndings } from '../model/event-id.ts'
import { createBatcher } from '../runtime/batch.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Tracing } from '../runtime/tracing.ts'
import { commitEvents } from './commit-events.ts'
import { type CommitRoom, firstRound } from './hand-off-targets.ts'
import type { EventPlacer, Placed } from './place-events.ts'
import type { IncomingEvent, Inserted } from './queue/insert-events.ts'
import { type Lease, newHandOffLease } from './queue/lease.ts'
import type { IsOverQuota } from './intake/backlog-quota.ts'
import { type IntakeLimits, validateEvents, type RejectedEvent } from './intake/validate-events.ts'

interface Accepted {
  /** Ids of committed events, in the order they were sent. */
  accepted: string[]
  rejected: Array<{ index: number; reason: ErrorName; message: string }>
}

/** Throws if the producer is revoked. `traceparent` is the trace of the call. */
export type Accept = (producerId: number, body: string, traceparent?: string) => Promise<Accepted>

/** Events were committed. `isInboxUsed`: some of them must be routed. */
export type OnCommitted = (commit: { isInboxUsed: boolean }) => void

interface AcceptDeps {
  db: Database
  limits: IntakeLimits
  eventTypes: EventTypes
  isOverQuota: IsOverQuota
  tracing: Tracing
  clock: Clock
  placer: EventPlacer
  room: CommitRoom
  /** Called after each commit. If it fails, workers find the events later. */
  onCommitted: OnCommitted
  onError: (error: unknown) => void
}

/** Groups calls that arrive at about the same time into one commit. */
const lingerMs = 3
/** One statement of this size takes a few milliseconds. A larger one would delay other calls. */
const maxEventsPerCommit = 500

export function createAccept({
  db,
  limits,
  eventTypes,
  isOverQuota,
  tracing,
  clock,
  placer,
  room,
  onCommitted,
  onError,
}: AcceptDeps): Accept {
  async function commitAndHandOff(events: IncomingEvent[]): Promise<Inserted[]> {
    const placed = placer.place(events)
    const lease = placed && newHandOffLease(clock, placed.target.worker)
    const inserted = await commitEvents(
      db,
      placed === undefined
        ? events
        : events.map((event, index) => ({ ...event, match: placed.matches[index] })),
      placed && lease && { lease, stopsVersion: placed.stopsVersion },
    )
    const waits = inserted.map((result) => result.state === 'accepted' && !result.isLeased)
    // The events are committed, so an error must not reach the producer.
    try {
      if (placed !== undefined && lease !== undefined) handOff(placed, lease, events, inserted)
      placer.refresh(
        events.flatMap(({ accountId }, index) => (waits[index] && placed?.matches[index] ? [accountId] : [])),
      )
    } catch (error) {
      onError(error)
    }
    onCommitted({ isInboxUsed: waits.includes(true) })
    return inserted
  }
  const commit = createBatcher(commitAndHandOff, {
    maxBatchSize: maxEventsPerCommit,
    nextBatchSize: () => Math.min(maxEventsPerCommit, room.commitSize() ?? maxEventsPerCommit),
    // Two commits at a time would be half as large, and wait for each other.
    maxConcurrentRuns: 1,
    lingerMs: (events) => Math.max(lingerMs, room.waitMs(events)),
    isRejection: isRejected,
  })

  async function acceptOne(
    event: ValidEvent | RejectedEvent,
    source: Pick<IncomingEvent, 'idEnding' | 'producerId' | 'traceparent'>,
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
    const idEndings = takeIdEndings(validated.length)
    const results = await Promise.all(
      validated.map((event, index) =>
        acceptOne(event, { idEnding: idEndings[index] ?? '', producerId, traceparent: traceOf(event) }),
      ),
    )
    const accepted: string[] = []
    const rejected: Accepted['rejected'] = []
    for (const [index, result] of results.entries())
      if (typeof result === 'string') accepted.push(result)
      else rejected.push({ index, ...result })
    return { accepted, rejected }
  }
}

/** Hands off the deliveries of events that the commit has leased. */
function handOff(
  { target, stopsVersion, matches }: Placed,
  lease: Lease,
  events: readonly IncomingEvent[],
  inserted: readonly Inserted[],
): void {
  const deliveries = inserted.flatMap((result, index) => {
    const [event, match] = [events[index], matches[index]]
    if (result.state !== 'accepted' || !result.isLeased || event === undefined || match === undefined)
      return []
    const { accountId, type, data, traceparent = null } = event
    const { id: eventId, acceptedAt } = result
    const leased = {
      accountId,
      eventId,
      type,
      data,
      traceparent,
      acceptedAt,
      version: match.version,
      stopsVersion,
    }
    return match.hookIds.map((hookId) => ({ ...leased, ...firstRound, hookId }))
  })
  if (deliveries.length > 0) target.handOff(deliveries, lease)
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
    case 'revoked producer':
      throw new ApiError('authenticationFailed', 'Producer key revoked.')
    case 'unknown account':
      return { reason: 'unknownAccount', message: `Account ${event.accountId} not found.` }
    case 'suspended account':
      return { reason: 'accountSuspended', message: `Account ${event.accountId} is suspended.` }
  }
}
