/** Webhooks: the list with its health, one with its story, and what can be done with one. */
import type { Answer } from '@hookline/sdk'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './api.ts'
import {
  type DeliverableType,
  type EventType,
  type Hook,
  type HookRange,
  type HookValues,
  type HookWithHealth,
} from './shapes.ts'

const everything = ['hooks'] as const

/** How webhooks are doing changes without anything done here, so whoever comes to a page of them sees it anew. */
const staleTime = 0

export const hooksQuery = queryOptions({
  queryKey: [...everything, 'health'],
  queryFn: async ({ signal }) => (await client.get('/api/hooks/health', { signal })).hooks,
  refetchInterval: 30_000,
  staleTime,
})

export function hookQuery(id: number) {
  return queryOptions({
    queryKey: [...everything, id],
    queryFn: ({ signal }) => client.get('/api/hooks/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (isBeingHeld(state.data) ? 1_000 : 15_000),
    staleTime,
  })
}

/** Just disabled: what waited is still being put aside. */
function isBeingHeld(one: HookWithHealth | undefined): boolean {
  return one !== undefined && !one.hook.enabled && one.health.waiting > 0
}

/** The answer says of which range it is: it stays in sight until that of another is here. */
export function hookStatsQuery(id: number, range: HookRange) {
  return queryOptions({
    queryKey: [...everything, id, 'stats', range],
    queryFn: async ({ signal }) => ({
      range,
      ...(await client.get('/api/hooks/{id}/stats', { path: { id }, query: { range }, signal })),
    }),
    refetchInterval: 60_000,
    staleTime,
    placeholderData: (before, query) => (isOfHook(id, query) ? before : undefined),
  })
}

export function hookAttemptsQuery(id: number, cursor: string | undefined) {
  return queryOptions({
    queryKey: [...everything, id, 'attempts', cursor ?? 'newest'],
    queryFn: ({ signal }) =>
      client.get('/api/hooks/{id}/attempts', {
        path: { id },
        query: cursor === undefined ? {} : { cursor },
        signal,
      }),
    // Whoever mends a server watches the newest; older ones stay as they are.
    refetchInterval: cursor === undefined ? 15_000 : false,
    staleTime,
    placeholderData: (before, query) => (isOfHook(id, query) ? before : undefined),
  })
}

/** What stood there stays until the new is here, but never that of another webhook. */
function isOfHook(id: number, query: { queryKey: readonly unknown[] } | undefined): boolean {
  return query?.queryKey[1] === id
}

/** What would be sent and what is wrong with the values. The server alone judges. */
export function previewQuery(values: HookValues, hookId: number | undefined) {
  return queryOptions({
    queryKey: ['hook-preview', values, hookId],
    queryFn: ({ signal }) =>
      client.post('/api/hooks/preview', {
        body: { ...values, ...(hookId !== undefined && { hook_id: hookId }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

const mostTried = 10_000

export function filterTrialQuery(eventType: EventType, filter: string | null, hookId: number | undefined) {
  return queryOptions({
    queryKey: ['filter-trial', eventType, filter, hookId],
    queryFn: ({ signal }) =>
      client.post('/api/hooks/try-filter', {
        body: {
          event_type: eventType,
          event_filter: filter,
          limit: mostTried,
          ...(hookId !== undefined && { hook_id: hookId }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
}

export const refreshHooks = () => queryClient.invalidateQueries({ queryKey: everything })

/** The list as it will be, at once; the service's word follows. */
function changeShown(id: number, change: (one: HookWithHealth) => HookWithHealth | undefined): () => void {
  const before = queryClient.getQueryData(hooksQuery.queryKey)
  const story = queryClient.getQueryData(hookQuery(id).queryKey)
  queryClient.setQueryData(hooksQuery.queryKey, (all) =>
    all?.flatMap((one) => (one.hook.id === id ? (change(one) ?? []) : [one])),
  )
  queryClient.setQueryData(hookQuery(id).queryKey, (one) => one && { ...one, ...change(one) })
  return () => {
    queryClient.setQueryData(hooksQuery.queryKey, before)
    queryClient.setQueryData(hookQuery(id).queryKey, story)
  }
}

/** What to say of it; also when what it was pressed on is no longer there, as a row that a filter hides then. */
interface Told<Values, Result> {
  done: (values: Values, answer: Result) => void
  failed?: (values: Values, error: Error) => void
}

function shownAtOnce<Values, Result>({ done, failed }: Told<Values, Result>) {
  return {
    onSuccess: (answer: Result, values: Values) => done(values, answer),
    onError(error: Error, values: Values, undo: (() => void) | undefined) {
      undo?.()
      failed?.(values, error)
    },
    onSettled: refreshHooks,
  }
}

export function useCreateHook() {
  return useMutation({
    mutationFn: ({ event_filter, ...values }: HookValues) =>
      client.post('/api/hooks', { body: { ...values, ...(event_filter !== null && { event_filter }) } }),
    onSuccess: refreshHooks,
  })
}

export function useChangeHook(id: number) {
  return useMutation({
    mutationFn: (body: Partial<HookValues> & { most_per_second?: number | null }) =>
      client.post('/api/hooks/{id}', { path: { id }, body }),
    onSuccess: refreshHooks,
  })
}

export function useDisableHook(told: Told<Hook, Answer<'post', '/api/hooks/{id}/disable'>>) {
  return useMutation({
    mutationFn: ({ id }: Hook) => client.post('/api/hooks/{id}/disable', { path: { id } }),
    onMutate: ({ id }) =>
      changeShown(id, ({ hook, health }) => ({
        hook: { ...hook, enabled: false, disabled_reason: 'owner' },
        health: { ...health, state: 'disabled', sentence: 'You have disabled it.' },
      })),
    ...shownAtOnce(told),
  })
}

interface Enabling {
  id: number
  held: 'deliver' | 'drop'
}

export function useEnableHook(told: Told<Enabling, Answer<'post', '/api/hooks/{id}/enable'>>) {
  return useMutation({
    mutationFn: ({ id, held }: Enabling) =>
      client.post('/api/hooks/{id}/enable', { path: { id }, body: { held } }),
    onMutate: ({ id }) =>
      changeShown(id, ({ hook, health }) => ({
        hook: { ...hook, enabled: true, disabled_reason: null },
        health: { ...health, state: 'idle', sentence: 'It is enabled.', held: 0 },
      })),
    ...shownAtOnce(told),
  })
}

export function useDeleteHook() {
  return useMutation({
    mutationFn: ({ id }: Hook) => client.delete('/api/hooks', { query: { id } }),
    onSuccess: (_answer, { id }) => {
      queryClient.setQueryData(hooksQuery.queryKey, (all) => all?.filter(({ hook }) => hook.id !== id))
      return queryClient.invalidateQueries(hooksQuery)
    },
  })
}

export function useTestHook() {
  return useMutation({
    mutationFn: ({ id, type }: { id: number; type: DeliverableType | undefined }) =>
      client.post('/api/hooks/{id}/test', {
        path: { id },
        body: type === undefined ? {} : { event_type: type },
      }),
  })
}

/** Asked for on purpose: the service notes every view. */
export function useViewSecret(id: number) {
  return useMutation({ mutationFn: () => client.get('/api/hooks/{id}/secret', { path: { id } }) })
}

export function useRotateHookSecret(id: number) {
  return useMutation({
    mutationFn: () => client.post('/api/hooks/{id}/secret', { path: { id } }),
    onSuccess: refreshHooks,
  })
}
