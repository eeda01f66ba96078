/** What is to be sent again: deliveries that are named, some of events that are named, or all that a search finds. */
import { z } from 'zod'
import { type Caller, grants } from '../../../model/caller.ts'
import { Refusal } from '../../../model/errors.ts'
import type { Database } from '../../../db/database.ts'
import { endedAmong } from '../../../pipeline/ledger/ended-deliveries.ts'
import type { EventSearch } from '../../../pipeline/ledger/find-events.ts'
import { ofLedger } from '../../../pipeline/ledger/ledger-days.ts'
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
      searchParams
        .pick({ q: true, hook_id: true, state: true, status: true, reason: true })
        .extend({ events: z.array(z.uuid()).min(1).max(mostNamed) })
        .strict(),
    ],
    {
      error: `must be {"deliveries": […]} with 1 to ${mostNamed} of {event_id, hook_id}, {"search": {…}} with what events are searched by, or {"events": […]} with 1 to ${mostNamed} ids and any of q, hook_id, state, status and reason, which narrow it`,
    },
  )
  .meta({ id: 'ReplaySelection' })

type Given = z.infer<typeof selectionParam>

export type Wanted =
  | { kind: 'deliveries'; deliveries: Array<{ event_id: string; hook_id: number }> }
  | { kind: 'search'; search: EventSearch }

/** Whether something is found says something about events, so whatever is looked for needs the right to see them too. */
export async function wantedOf(db: Database, selection: Given, caller: Caller): Promise<Wanted> {
  if ('deliveries' in selection) {
    const byName = new Map(
      selection.deliveries.map(({ event_id, hook_id }) => {
        const named = { event_id: event_id.toLowerCase(), hook_id }
        return [`${named.event_id} ${hook_id}`, named]
      }),
    )
    return { kind: 'deliveries', deliveries: [...byName.values()] }
  }
  if (!grants(caller.scopes, 'events:read'))
    throw new Refusal('notAllowed', 'To select by a search, this key also needs the scope "events:read".')
  const { eventId, ...search } = searchOf('search' in selection ? selection.search : selection)
  if (eventId !== undefined)
    throw new Refusal(
      'parameterInvalid',
      'Name the deliveries of one event as "deliveries", with their hook_id.',
    )
  if ('search' in selection) return { kind: 'search', search }
  const ids = new Set(selection.events.map((id) => id.toLowerCase()))
  const found = await endedAmong(db, caller.accountId, search, await ofLedger(db, [...ids]))
  if (found.length > mostNamed)
    throw new Refusal(
      'parameterInvalid',
      `These events have more than ${mostNamed} such deliveries. Select fewer, or narrow them.`,
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
