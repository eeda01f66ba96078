/** Test events: a sample of a type, with fields of the caller. */
import { z } from 'zod'
import { countChange } from '../../../db/change-count.ts'
import type { Database } from '../../../db/database.ts'
import { validateEvents } from '../../../delivery/intake/validate-events.ts'
import { ApiError } from '../../../model/errors.ts'
import { typeOfName } from '../../../model/event-part.ts'
import type { ValidEvent } from '../../../model/event.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { unknownType } from '../contract/params.ts'

export const testDataParam = z.record(z.string(), z.unknown()).optional().meta({
  description: 'Fields that replace those of the sample. The event can have up to 8 KiB.',
})

/** Test events are stored like others, so they are limited: their content is that of the caller. */
const maxBytes = 8 * 1024
const limits = { perMinute: 120, perDay: 5_000 }

/** Counts and validates a test event, like an event of a producer. `name` can be an older name of a type. */
export async function readTestEvent(
  { db, catalog }: { db: Database; catalog: EventCatalog },
  accountId: number,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<ValidEvent> {
  const sample = catalog.sampleOf(name)
  if (sample === undefined) throw unknownType('event_type', catalog.types)
  const event = { account_id: accountId, type: typeOfName(name), data: { ...sample, ...fields } }
  const body = JSON.stringify({ events: [event] })
  const testLimits = { eventsPerCall: 1, eventBytes: maxBytes, acceptsAccountEvents: true }
  const [result] = await validateEvents(body, testLimits, catalog)
  if (result === undefined || 'reason' in result)
    throw new ApiError('parameterInvalid', result?.message ?? 'The event is invalid.', { field: 'data' })
  await db.transaction().execute((trx) => countChange(trx, accountId, 'tests', limits))
  return result
}
