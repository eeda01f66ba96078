/**
 * Accept: a producer hands in events; each is judged, the good ones are committed together, and only then answered.
 *   judge → quota → commit (micro-batched over calls) → announce to workers → answer an id or an error for each
 */
import { type Database, isDataRefused, isRefused } from '../db/database.ts'
import type { ErrorName } from '../model/errors.ts'
import type { Event } from '../model/event.ts'
import { createBatcher } from '../ops/batch.ts'
import { commitEvents } from './commit-events.ts'
import type { IsOverQuota } from './intake/backlog.ts'
import type { IncomingEvent, Inserted } from './intake/insert-events.ts'
import { type IntakeLimits, judgeEvents, type ReadyEvent, type RejectedEvent } from './intake/judge-events.ts'

interface Accepted {
  /** Ids of committed events, in the order they were sent. */
  accepted: string[]
  rejected: Array<{ index: number; reason: ErrorName; message: string }>
}

export type Accept = (producerId: number, body: string) => Promise<Accepted>

interface AcceptParts {
  db: Database
  limits: IntakeLimits
  isOverQuota: IsOverQuota
  /** Tells workers of committed events; it may fail to, since they are in the inbox. */
  announce: (events: readonly Event[]) => void
}

/** One statement of this size takes some milliseconds; more would only make others wait for it. */
const mostEventsACommit = 500

export function createAccept({ db, limits, isOverQuota, announce }: AcceptParts): Accept {
  async function commitAndAnnounce(events: IncomingEvent[]): Promise<Inserted[]> {
    const inserted = await commitEvents(db, events)
    announce(
      inserted.flatMap((answer, place) => {
        const event = events[place]
        return answer.state === 'accepted' && event !== undefined ? [{ ...event, ...answer }] : []
      }),
    )
    return inserted
  }
  const commit = createBatcher(commitAndAnnounce, {
    mostItems: mostEventsACommit,
    mostRuns: 2,
    isRefusal: isRefused,
  })

  async function acceptOne(
    producerId: number,
    event: ReadyEvent | RejectedEvent,
  ): Promise<string | RejectedEvent> {
    if ('reason' in event) return event
    if (await isOverQuota(event.accountId))
      return { reason: 'backlogFull', message: `Account ${event.accountId} has too many events waiting.` }
    try {
      return answerOf(await commit({ ...event, producerId }), event)
    } catch (error) {
      if (!isDataRefused(error)) throw error
      return { reason: 'parameterInvalid', message: 'The event holds a value that cannot be stored.' }
    }
  }

  return async (producerId, body) => {
    const judged = judgeEvents(body, limits)
    const answers = await Promise.all(judged.map((event) => acceptOne(producerId, event)))
    const accepted: string[] = []
    const rejected: Accepted['rejected'] = []
    for (const [index, answer] of answers.entries())
      if (typeof answer === 'string') accepted.push(answer)
      else rejected.push({ index, ...answer })
    return { accepted, rejected }
  }
}

function answerOf(inserted: Inserted, event: ReadyEvent): string | RejectedEvent {
  switch (inserted.state) {
    case 'accepted':
    case 'known':
      return inserted.id
    case 'other body':
      return { reason: 'keyConflict', message: 'This key was used before for another event.' }
    case 'key just forgotten':
      throw new Error('a key that was there has vanished')
    case 'unknown account':
      return { reason: 'unknownAccount', message: `There is no account ${event.accountId}.` }
    case 'suspended account':
      return { reason: 'accountSuspended', message: `Account ${event.accountId} is suspended.` }
  }
}
