/**
 * Sends a test event to one hook. It takes the path of every event (commit, route, attempt, ledger). It is attempted
 * once, and a failure does not count against the hook.
 */
import type { Database } from '../db/database.ts'
import type { DeliverableType, Event } from '../model/event.ts'
import { ApiError } from '../model/errors.ts'
import { commitEvents } from './commit-events.ts'
import { searchFields } from './intake/event-schemas.ts'
import { sampleData } from '../model/sample-events.ts'

/** Test events have no producer. */
const noProducer = 0

/** Returns the id of the event. */
export async function sendTest(
  { db, publish }: { db: Database; publish: (events: readonly Event[]) => void },
  accountId: number,
  hookId: number,
  type: DeliverableType,
): Promise<string> {
  const data = sampleData(type)
  const event = { accountId, type, data: JSON.stringify(data), testHookId: hookId }
  const [inserted] = await commitEvents(db, [
    {
      ...event,
      occurredAt: null,
      key: null,
      digest: null,
      ...searchFields(data),
      producerId: noProducer,
    },
  ])
  if (inserted?.state !== 'accepted') throw new ApiError('accountSuspended', 'This account is suspended.')
  publish([{ ...event, ...inserted }])
  return inserted.id
}
