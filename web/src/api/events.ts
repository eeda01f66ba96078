/** Events: found, told, and as lines for a shell. */
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './api.ts'
import { type EventSearch, type EventStory } from './shapes.ts'

/** A search as addresses hold it: what the service takes, and a time that moves along. */
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

/** What the service is asked for: `since` becomes a time. */
export function wireOfSearch({ since, cursor: _cursor, live: _live, ...asked }: EventsSearch): EventSearch {
  if (since === undefined) return asked
  return { ...asked, from: new Date(Date.now() - sinceMs[since]).toISOString() }
}

const eventsPerPage = 50
const liveMs = 2_000

export function eventsQuery(search: EventsSearch) {
  const { live, ...asked } = search
  return queryOptions({
    queryKey: ['events', asked],
    queryFn: ({ signal }) =>
      client.get('/api/events', {
        query: {
          ...wireOfSearch(asked),
          limit: eventsPerPage,
          ...(asked.cursor !== undefined && { cursor: asked.cursor }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    ...(live === true && { refetchInterval: liveMs, staleTime: 0 }),
  })
}

/** For the search over everything: the newest few. */
export function findEvents(text: string, limit: number) {
  return queryClient.fetchQuery({
    queryKey: ['events', 'found', text, limit],
    queryFn: async ({ signal }) =>
      (await client.get('/api/events', { query: { q: text, limit }, signal })).events,
    retry: false,
  })
}

/** For whoever knows that something has become of events: what is shown of them is read again, the rest when it is. */
export function readEventsAgain(): void {
  for (const queryKey of [['events'], ['event']]) void queryClient.invalidateQueries({ queryKey })
}

const soonMs = 60_000

/** Until all is decided the story goes on: it is read again, often when something is about to happen. */
function nextLookMs(story: EventStory | undefined): number | false {
  const open = story?.hooks
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ state }) => state === 'waiting' || state === 'held')
  if (story === undefined || open === undefined) return false
  if (story.routed === null) return 1_000
  if (open.length === 0) return false
  const next = Math.min(...open.map(({ next_attempt_at: at }) => (at === null ? Infinity : Date.parse(at))))
  return next - Date.now() < soonMs ? 1_500 : 15_000
}

export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => client.get('/api/events/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => nextLookMs(state.data),
  })
}

/** Asked for on purpose, and kept by the page alone: the service notes every view. */
export function useRevealEvent(id: string) {
  return useMutation({
    mutationFn: () => client.get('/api/events/{id}', { path: { id }, query: { reveal: true } }),
  })
}

export function useEventCurl(id: string) {
  return useMutation({
    mutationFn: (hookId: number) =>
      client.post('/api/events/{id}/curl', { path: { id }, body: { hook_id: hookId } }),
  })
}
