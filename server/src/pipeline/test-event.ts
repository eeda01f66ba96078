/**
 * A test of a hook: a sample event that goes the way of every event (committed, routed, attempted, written down), to this
 * hook alone. It is attempted once, and when that fails it says nothing against the hook.
 */
import type { Database } from '../db/database.ts'
import type { DeliverableType, Event } from '../model/event.ts'
import { Refusal } from '../model/errors.ts'
import { commitEvents } from './commit-events.ts'
import { searchFields } from './intake/event-schemas.ts'
import { sampleData } from './intake/sample-events.ts'

/** No producer handed it in. */
const ownProducer = 0

/** Answers the event's id, under which what became of it can be seen. */
export async function sendTest(
  { db, announce }: { db: Database; announce: (events: readonly Event[]) => void },
  accountId: number,
  hookId: number,
  type: DeliverableType,
): Promise<string> {
  const data = sampleData[type]
  const event = { accountId, type, data: JSON.stringify(data), testHookId: hookId }
  const [inserted] = await commitEvents(db, [
    {
      ...event,
      occurredAt: null,
      key: null,
      digest: null,
      ...searchFields(data),
      producerId: ownProducer,
    },
  ])
  if (inserted?.state !== 'accepted')
    throw new Refusal('accountSuspended', 'This account is suspended, so nothing is sent for it.')
  announce([{ ...event, ...inserted }])
  return inserted.id
}
