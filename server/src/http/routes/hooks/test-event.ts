/** Test events: a sample of a type, with fields of the caller. */
import { z } from 'zod'
import { validateEvents } from '../../../delivery/intake/validate-events.ts'
import { ApiError } from '../../../model/errors.ts'
import { typeOfName } from '../../../model/event-part.ts'
import type { ValidEvent } from '../../../model/event.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { unknownType } from '../contract/params.ts'

export const testDataParam = z.record(z.string(), z.unknown()).optional().meta({
  description: 'Fields that replace those of the sample.',
})

/** Validated like an event of a producer. `name` can be an older name of a type. */
export async function readTestEvent(
  { catalog, eventBytes }: { catalog: EventCatalog; eventBytes: number },
  accountId: number,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<ValidEvent> {
  const sample = catalog.sampleOf(name)
  if (sample === undefined) throw unknownType('event_type', catalog.types)
  const event = { account_id: accountId, type: typeOfName(name), data: { ...sample, ...fields } }
  const limits = { eventsPerCall: 1, eventBytes }
  const [result] = await validateEvents(JSON.stringify({ events: [event] }), limits, catalog)
  if (result === undefined || 'reason' in result)
    throw new ApiError('parameterInvalid', result?.message ?? 'The event is invalid.', { field: 'data' })
  return result
}
