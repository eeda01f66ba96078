/** Selection of a replay: listed deliveries, deliveries of listed events, or all results of a search. */
import { z } from 'zod'
import { type Caller, hasScope } from '../../../model/caller.ts'
import { ApiError } from '../../../model/errors.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import type { Database } from '../../../db/database.ts'
import { selectFinished } from '../../../replays/select-deliveries.ts'
import type { EventSearch } from '../../../events/search-events.ts'
import { withinLedger } from '../../../ledger/days.ts'
import { searchOf, searchParams } from '../events/params.ts'

const maxListed = 1_000

export const selectionParam = z
  .union(
    [
      z.strictObject({
        deliveries: z
          .array(z.object({ event_id: z.uuid(), hook_id: z.int32().positive() }))
          .min(1)
          .max(maxListed),
      }),
      z.strictObject({ search: searchParams.strict() }),
      searchParams
        .pick({ q: true, hook_id: true, state: true, status: true, reason: true })
        .extend({ events: z.array(z.uuid()).min(1).max(maxListed) })
        .strict(),
    ],
    {
      error: `must be {"deliveries": […]} with 1 to ${maxListed} of {event_id, hook_id}, {"search": {…}} with search parameters, or {"events": […]} with 1 to ${maxListed} ids and optionally q, hook_id, state, status and reason`,
    },
  )
  .meta({ id: 'ReplaySelection' })

type Input = z.infer<typeof selectionParam>

export type ResolvedSelection =
  | { kind: 'deliveries'; deliveries: Array<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: EventSearch }

/** Resolves a selection. A search also requires the scope to read events, because its result reveals event data. */
export async function resolveSelection(
  db: Database,
  catalog: EventCatalog,
  selection: Input,
  caller: Caller,
): Promise<ResolvedSelection> {
  if ('deliveries' in selection) {
    const unique = new Map(
      selection.deliveries.map(({ event_id, hook_id }) => {
        const delivery = { event_id: event_id.toLowerCase(), hook_id }
        return [`${delivery.event_id} ${hook_id}`, delivery]
      }),
    )
    return { kind: 'deliveries', deliveries: [...unique.values()] }
  }
  if (!hasScope(caller.scopes, 'events:read'))
    throw new ApiError('insufficientScope', 'Missing scope: a selection by search also needs "events:read".')
  const { eventId, ...search } = await searchOf(
    { db, catalog },
    caller.accountId,
    'search' in selection ? selection.search : selection,
  )
  if (eventId !== undefined)
    throw new ApiError(
      'parameterInvalid',
      'To replay one event, list its deliveries as "deliveries" with their hook_id.',
    )
  if ('search' in selection) return { kind: 'search', search }
  const ids = new Set(selection.events.map((id) => id.toLowerCase()))
  const found = await selectFinished(db, caller.accountId, search, await withinLedger(db, [...ids]))
  if (found.length > maxListed)
    throw new ApiError(
      'parameterInvalid',
      `Too many deliveries: the events have more than ${maxListed}. Select fewer events or narrow the search.`,
    )
  return {
    kind: 'deliveries',
    deliveries: found.map(({ eventId: id, hookId }) => ({ event_id: id, hook_id: hookId })),
  }
}

export const pathReplayId = z
  .string()
  .transform((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0))
  .meta({ type: 'integer', minimum: 1, description: 'Id of the replay.' })
