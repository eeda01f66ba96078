/**
 * Sends a test event to one hook. It takes the path of every event (commit, route, attempt, ledger). It is attempted
 * once, and a failure does not count against the hook. An open circuit breaker lets one test at a time pass.
 */
import type { Database } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import { takeIdEndings } from '../model/event-id.ts'
import { noProducer, type ValidEvent } from '../model/event.ts'
import type { OnCommitted } from './accept.ts'
import { commitEvents } from './commit-events.ts'
import { takeTestPermit } from './queue/test-permit.ts'

/** Returns the id of the event. */
export async function sendTest(
  { db, onCommitted }: { db: Database; onCommitted: OnCommitted },
  hookId: number,
  event: ValidEvent,
): Promise<string> {
  if (!(await takeTestPermit(db, event.accountId, hookId)))
    throw new ApiError(
      'testInFlight',
      `A test event to webhook ${hookId} is in flight. Its circuit breaker is open, so wait for the result first.`,
    )
  const [idEnding = ''] = takeIdEndings(1)
  const [inserted] = await commitEvents(db, [
    { ...event, idEnding, testHookId: hookId, producerId: noProducer },
  ])
  if (inserted?.state !== 'accepted') throw new ApiError('accountSuspended', 'This account is suspended.')
  onCommitted({ isInboxUsed: true })
  return inserted.id
}
