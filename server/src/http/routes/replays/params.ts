/** What is to be sent again: deliveries that are named, or all that a search finds. */
import { z } from 'zod'
import { type Caller, grants } from '../../../model/caller.ts'
import { Refusal } from '../../../model/errors.ts'
import type { EventSearch } from '../../../pipeline/ledger/find-events.ts'
import { searchOf, searchParams } from '../events/params.ts'

const mostNamed = 1_000

export const selectionParam = z
  .union(
    [
      z.strictObject({
        deliveries: z
          .array(z.object({ event_id: z.uuid(), hook_id: z.int32().positive() }))
          .min(1)
          .max(mostNamed),
      }),
      z.strictObject({ search: searchParams.strict() }),
    ],
    {
      error: `must be {"deliveries": […]} with 1 to ${mostNamed} of {event_id, hook_id}, or {"search": {…}} with what events are searched by`,
    },
  )
  .meta({ id: 'ReplaySelection' })

type Given = z.infer<typeof selectionParam>

export type Wanted =
  | { kind: 'deliveries'; deliveries: Array<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: EventSearch }

/** Whether something is found says something about events, so a search needs the right to see them too. */
export function wantedOf(selection: Given, { scopes }: Caller): Wanted {
  if ('deliveries' in selection) {
    const byName = new Map(
      selection.deliveries.map(({ event_id, hook_id }) => {
        const named = { event_id: event_id.toLowerCase(), hook_id }
        return [`${named.event_id} ${hook_id}`, named]
      }),
    )
    return { kind: 'deliveries', deliveries: [...byName.values()] }
  }
  if (!grants(scopes, 'events:read'))
    throw new Refusal('notAllowed', 'To select by a search, this key also needs the scope "events:read".')
  const { eventId, ...search } = searchOf(selection.search)
  if (eventId !== undefined)
    throw new Refusal(
      'parameterInvalid',
      'Name the deliveries of one event as "deliveries", with their hook_id.',
    )
  return { kind: 'search', search }
}

export const pathReplayId = z
  .string()
  .transform((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0))
  .meta({ type: 'integer', minimum: 1, description: 'Id of the replay.' })
