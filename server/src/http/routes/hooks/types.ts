/** Event types of a webhook as parameters: one name, or a list of types that is stored as a filter. */
import { z } from 'zod'
import type { HookLimits } from '../../../hooks/validate-hook.ts'
import { ApiError } from '../../../model/errors.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { isExpression, validateFilter } from '../../../model/filter/event-filter.ts'
import { maxTypes, readTypeList, writeTypeList } from '../../../model/filter/type-list.ts'
import type { HookTypes } from '../../../model/hook.ts'
import { eventType, unknownType } from '../contract/params.ts'

export const typeParams = {
  event_type: eventType.optional(),
  event_types: z
    .array(z.string())
    .min(1)
    .max(maxTypes, { error: `can have at most ${maxTypes} types` })
    .optional()
    .meta({
      description:
        'Several event types, instead of `event_type`. Stored as type `all` with a filter on `event.type`. `event_filter` can then only be an expression after `cel:`. Without `rcs_mo` and `rcs_dlr`, which are parts of a type.',
    }),
  event_filter: z.string().nullable().optional().meta({
    description:
      'Null or empty for no filter. If the webhook has chosen types and the call names none, the types stay, and this is the filter beside them.',
  }),
}

export const chosenTypes = z
  .object({ event_types: z.array(z.string()), event_filter: z.string().nullable() })
  .nullable()
  .meta({
    description:
      'The parameters `event_types` and `event_filter`, if the filter is such a list of types. Otherwise null.',
  })

export function presentChosen(hook: HookTypes): z.infer<typeof chosenTypes> {
  const list = readTypeList(hook.eventType, hook.eventFilter)
  return list === undefined ? null : { event_types: [...list.types], event_filter: list.filter }
}

export type TypeInput = z.infer<z.ZodObject<typeof typeParams>>

export function hasTypes({ event_type: type, event_types: types, event_filter: filter }: TypeInput): boolean {
  return type !== undefined || types !== undefined || filter !== undefined
}

/**
 * Returns the definition's type and filter, as far as the input has them. `current` is the webhook to be changed: a
 * filter alone stands beside its list of types, unless the filter has a list of its own.
 */
export function readTypes(
  catalog: EventCatalog,
  { maxFilterBytes }: Pick<HookLimits, 'maxFilterBytes'>,
  input: TypeInput,
  current?: HookTypes,
): Partial<HookTypes> {
  const { event_type: type } = input
  const filter = input.event_filter === undefined ? undefined : input.event_filter || null
  const list = current && readTypeList(current.eventType, current.eventFilter)
  // Only an expression within the limit is parsed.
  const isTooLong = Buffer.byteLength(filter ?? '') > maxFilterBytes
  const hasOwnList = !isTooLong && readTypeList('all', filter ?? null) !== undefined
  const keepsList = type === undefined && filter !== undefined && !hasOwnList
  const types = input.event_types ?? (keepsList ? list?.types : undefined)
  if (types === undefined)
    return {
      ...(type !== undefined && { eventType: type }),
      ...(filter !== undefined && { eventFilter: filter }),
    }
  if (type !== undefined && type !== 'all')
    throw new ApiError('parameterInvalid', 'Send either "event_type" or "event_types".', {
      field: 'event_types',
    })
  // A webhook can keep removed types.
  const isKnown = (name: string): boolean =>
    catalog.types.includes(name) || list?.types.includes(name) === true
  if (!types.every(isKnown)) throw unknownType('event_types', catalog.types)
  const beside = filter === undefined ? (list?.filter ?? null) : filter
  if (beside !== null && !isExpression(beside))
    throw new ApiError(
      'invalidFilter',
      'With several event types, the filter must be an expression that starts with "cel:".',
    )
  const [first = '', ...others] = new Set(types)
  if (others.length === 0 && input.event_types !== undefined) return { eventType: first, eventFilter: beside }
  // An expression that is invalid without the list is rejected as such, with the positions that the user sees.
  if (beside !== null && !isValid(beside, maxFilterBytes)) return { eventType: 'all', eventFilter: beside }
  return { eventType: 'all', eventFilter: writeTypeList({ types: [first, ...others], filter: beside }) }
}

function isValid(filter: string, maxBytes: number): boolean {
  try {
    validateFilter(filter, maxBytes)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** For operations that need a type. */
export function requireTypes(
  catalog: EventCatalog,
  limits: Pick<HookLimits, 'maxFilterBytes'>,
  input: TypeInput,
): HookTypes {
  const { eventType: name, eventFilter = null } = readTypes(catalog, limits, input)
  if (name === undefined)
    throw new ApiError('parameterMissing', 'Send "event_type" or "event_types".', { field: 'event_type' })
  return { eventType: name, eventFilter }
}

/** The name whose sample stands for the events of a webhook. */
export function sampleTypeOf({ eventType: name, eventFilter }: HookTypes): string {
  return name === 'all' ? (readTypeList(name, eventFilter)?.types[0] ?? 'sms_mo') : name
}
