/** Queries and mutations for events: search, detail, cURL command. */
import type { ResponseBody } from '@hookline/client'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'
import type { EventDetail, EventRow, EventSearch } from './types.ts'

/** Event search in URLs: the API parameters plus a relative time range. */
export interface EventsSearch extends EventSearch {
  since?: Since | undefined
  cursor?: string | undefined
  live?: true | undefined
}

export const sinceMs = {
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
}
export type Since = keyof typeof sinceMs

/** Converts to API parameters: `since` becomes an absolute time. */
export function toApiSearch({ since, cursor: _cursor, live: _live, ...search }: EventsSearch): EventSearch {
  if (since === undefined) return search
  return { ...search, from: new Date(Date.now() - sinceMs[since]).toISOString() }
}

/** Without the page and time range, which a live list has not. */
export function withoutTime<Search extends EventsSearch>({
  since: _since,
  from: _from,
  to: _to,
  cursor: _cursor,
  ...search
}: Search): Omit<Search, 'since' | 'from' | 'to' | 'cursor'> {
  return search
}

const eventsPerPage = 50

export function eventsQuery({ live: _live, ...filters }: EventsSearch) {
  return queryOptions({
    queryKey: ['events', filters],
    queryFn: async ({ signal }) => {
      const { webhooks, events, ...page } = await client.get('/api/events', {
        query: {
          ...toApiSearch(filters),
          limit: eventsPerPage,
          ...(filters.cursor !== undefined && { cursor: filters.cursor }),
        },
        signal,
      })
      return { ...page, events: withWebhooks(events, webhooks) }
    },
    placeholderData: keepPreviousData,
  })
}

type EventPage = ResponseBody<'get', '/api/events'>

function withWebhooks(events: EventPage['events'], webhooks: EventPage['webhooks']): EventRow[] {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  return events.map((event) => ({
    ...event,
    deliveries: event.deliveries.map((delivery) => ({
      ...delivery,
      webhook: byId.get(delivery.hook_id) ?? null,
    })),
  }))
}

/** Returns the newest matching events, for the global search. */
export function searchEvents(text: string, limit: number) {
  return queryClient.fetchQuery({
    queryKey: ['events', 'found', text, limit],
    queryFn: async ({ signal }) =>
      (await client.get('/api/events', { query: { q: text, limit }, signal })).events,
    retry: false,
  })
}

/** Marks all events as stale. Visible queries refetch now, others when they are next used. */
export function invalidateEvents(): void {
  for (const queryKey of [['events'], ['event']]) void queryClient.invalidateQueries({ queryKey })
}

const soonMs = 60_000

/** Returns the refetch interval: short while routing or before an attempt, none once all deliveries are final. */
function eventRefetchMs(detail: EventDetail | undefined): number | false {
  const pending = detail?.hooks
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ state }) => state === 'waiting' || state === 'held')
  if (detail === undefined || pending === undefined) return false
  if (detail.routed === null) return 1_000
  if (pending.length === 0) return false
  const next = Math.min(
    ...pending.map(({ next_attempt_at: at }) => (at === null ? Infinity : Date.parse(at))),
  )
  return next - Date.now() < soonMs ? 1_500 : 15_000
}

export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }): Promise<EventDetail> => client.get('/api/events/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => eventRefetchMs(state.data),
  })
}

/** A mutation, not a cached query, because the audit log records every view. */
export function useRevealEvent(id: string) {
  return useMutation({
    mutationFn: (reason: string | undefined): Promise<EventDetail> =>
      client.get('/api/events/{id}', { path: { id }, query: { reveal: true, ...withReason(reason) } }),
  })
}

export function useEventCurl(id: string) {
  return useMutation({
    mutationFn: ({ hookId, reason }: { hookId: number; reason: string | undefined }) =>
      client.post('/api/events/{id}/curl', {
        path: { id },
        body: { hook_id: hookId, ...withReason(reason) },
      }),
  })
}

function withReason(reason: string | undefined): { reveal_reason?: string } {
  return reason === undefined ? {} : { reveal_reason: reason }
}
