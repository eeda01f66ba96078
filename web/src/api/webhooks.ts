/** Queries and mutations for webhooks. */
import type { ResponseBody } from '@hookline/client'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'
import type {
  AttemptPage,
  Hook,
  HookDetail,
  HookRange,
  HookSettings,
  HookStats,
  HookTypes,
  HookWithHealth,
} from './types.ts'

const hooksKey = ['hooks'] as const

/** Health changes at any time, so every page visit refetches it. */
const staleTime = 0

export const webhooksQuery = queryOptions({
  queryKey: [...hooksKey, 'health'],
  queryFn: async ({ signal }): Promise<HookWithHealth[]> =>
    (await client.get('/api/hooks/health', { signal })).hooks,
  refetchInterval: 30_000,
  staleTime,
})

export function webhookQuery(id: number) {
  return queryOptions({
    queryKey: [...hooksKey, id],
    queryFn: ({ signal }): Promise<HookDetail> => client.get('/api/hooks/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (isHoldInProgress(state.data) ? 1_000 : 15_000),
    staleTime,
  })
}

/** True right after disabling, while pending deliveries are put on hold. */
function isHoldInProgress(entry: HookWithHealth | undefined): boolean {
  return entry !== undefined && !entry.hook.enabled && entry.health.waiting > 0
}

/** Data includes its range, because it stays visible while another range loads. */
export function webhookStatsQuery(id: number, range: HookRange) {
  return queryOptions({
    queryKey: [...hooksKey, id, 'stats', range],
    queryFn: async ({ signal }): Promise<HookStats & { range: HookRange }> => ({
      range,
      ...(await client.get('/api/hooks/{id}/stats', { path: { id }, query: { range }, signal })),
    }),
    refetchInterval: 60_000,
    staleTime,
    placeholderData: (before, query) => (isSameHook(id, query) ? before : undefined),
  })
}

export function webhookAttemptsQuery(id: number, cursor: string | undefined) {
  return queryOptions({
    queryKey: [...hooksKey, id, 'attempts', cursor ?? 'newest'],
    queryFn: ({ signal }): Promise<AttemptPage> =>
      client.get('/api/hooks/{id}/attempts', {
        path: { id },
        query: cursor === undefined ? {} : { cursor },
        signal,
      }),
    // Only the newest page changes; older attempts are final.
    refetchInterval: cursor === undefined ? 15_000 : false,
    staleTime,
    placeholderData: (before, query) => (isSameHook(id, query) ? before : undefined),
  })
}

export function webhookVersionsQuery(id: number, before: number | undefined) {
  return queryOptions({
    queryKey: [...hooksKey, id, 'versions', before ?? 'newest'],
    queryFn: ({ signal }) =>
      client.get('/api/hooks/{id}/versions', {
        path: { id },
        query: before === undefined ? {} : { before },
        signal,
      }),
    staleTime,
    placeholderData: (shown, query) => (isSameHook(id, query) ? shown : undefined),
  })
}

/** What restoring a version would change. */
export function webhookVersionQuery(id: number, version: number) {
  return queryOptions({
    queryKey: [...hooksKey, id, 'version', version],
    queryFn: ({ signal }) =>
      client.get('/api/hooks/{id}/versions/{version}', { path: { id, version }, signal }),
    staleTime,
    retry: false,
  })
}

type RestoreInput = Pick<
  ResponseBody<'get', '/api/hooks/{id}/versions/{version}'>,
  'version' | 'current_version'
>

export function useRestoreVersion(id: number) {
  return useMutation({
    mutationFn: ({ version, current_version: expected_version }: RestoreInput) =>
      client.post('/api/hooks/{id}/versions/{version}/restore', {
        path: { id, version },
        body: { expected_version },
      }),
    // Also after a failure: the webhook may have changed meanwhile.
    onSettled: invalidateWebhooks,
  })
}

/** Limits placeholder data to the same webhook. */
function isSameHook(id: number, query: { queryKey: readonly unknown[] } | undefined): boolean {
  return query?.queryKey[1] === id
}

/** Request preview and validation problems. Only the server validates. */
export function previewQuery(values: HookSettings, hookId: number | undefined) {
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

const maxBacktested = 10_000

export function filterBacktestQuery(types: HookTypes, hookId: number | undefined) {
  return queryOptions({
    queryKey: ['filter-backtest', types, hookId],
    queryFn: ({ signal }) =>
      client.post('/api/hooks/backtest-filter', {
        body: {
          ...types,
          limit: maxBacktested,
          ...(hookId !== undefined && { hook_id: hookId }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
}

/** A webhook as a search result. */
export type FoundWebhook = ResponseBody<'get', '/api/hooks/find'>['hooks'][number]

/** Searches names and URLs on the server, so that an account with thousands of webhooks does not load all of them. */
export function findWebhooksQuery(text: string) {
  return queryOptions({
    queryKey: [...hooksKey, 'find', text],
    queryFn: async ({ signal }): Promise<FoundWebhook[]> =>
      (await client.get('/api/hooks/find', { query: { q: text.slice(0, maxSearchText) }, signal })).hooks,
    staleTime: 2_000,
    gcTime: 10_000,
  })
}

const maxSearchText = 200

export const invalidateWebhooks = () => queryClient.invalidateQueries({ queryKey: hooksKey })

/** Applies a change to the cached list and detail. Returns a function that reverts it. */
function updateCachedHook(
  id: number,
  change: (entry: HookWithHealth) => HookWithHealth | undefined,
): () => void {
  const before = queryClient.getQueryData(webhooksQuery.queryKey)
  const detail = queryClient.getQueryData(webhookQuery(id).queryKey)
  queryClient.setQueryData(webhooksQuery.queryKey, (all) =>
    all?.flatMap((entry) => (entry.hook.id === id ? (change(entry) ?? []) : [entry])),
  )
  queryClient.setQueryData(webhookQuery(id).queryKey, (entry) => entry && { ...entry, ...change(entry) })
  return () => {
    queryClient.setQueryData(webhooksQuery.queryKey, before)
    queryClient.setQueryData(webhookQuery(id).queryKey, detail)
  }
}

/** Passed to the hook, not to `mutate`, so that they run even if the row is unmounted, for example by a filter. */
interface MutationCallbacks<Values, Result> {
  done: (values: Values, response: Result) => void
  failed?: (values: Values, error: Error) => void
}

function optimistic<Values, Result>({ done, failed }: MutationCallbacks<Values, Result>) {
  return {
    onSuccess: (response: Result, values: Values) => done(values, response),
    onError(error: Error, values: Values, undo: (() => void) | undefined) {
      undo?.()
      failed?.(values, error)
    },
    onSettled: invalidateWebhooks,
  }
}

export function useCreateWebhook() {
  return useMutation({
    mutationFn: (body: HookSettings) => client.post('/api/hooks/create', { body }),
    onSuccess: invalidateWebhooks,
  })
}

export function useChangeWebhook(id: number) {
  return useMutation({
    mutationFn: (body: HookSettings) => client.post('/api/hooks/{id}', { path: { id }, body }),
    onSuccess: invalidateWebhooks,
  })
}

export function useDisableWebhook(
  callbacks: MutationCallbacks<Hook, ResponseBody<'post', '/api/hooks/{id}/disable'>>,
) {
  return useMutation({
    mutationFn: ({ id }: Hook) => client.post('/api/hooks/{id}/disable', { path: { id } }),
    onMutate: ({ id }) =>
      updateCachedHook(id, ({ hook, health }) => ({
        hook: { ...hook, enabled: false, disabled_reason: 'owner' },
        health: { ...health, state: 'disabled' },
      })),
    ...optimistic(callbacks),
  })
}

interface Enabling {
  id: number
  held: 'deliver' | 'drop'
}

export function useEnableWebhook(
  callbacks: MutationCallbacks<Enabling, ResponseBody<'post', '/api/hooks/{id}/enable'>>,
) {
  return useMutation({
    mutationFn: ({ id, held }: Enabling) =>
      client.post('/api/hooks/{id}/enable', { path: { id }, body: { held } }),
    onMutate: ({ id }) =>
      updateCachedHook(id, ({ hook, health }) => ({
        hook: { ...hook, enabled: true, disabled_reason: null },
        health: { ...health, state: health.delivered_24h > 0 ? 'healthy' : 'idle', held: 0 },
      })),
    ...optimistic(callbacks),
  })
}

export function useDeleteWebhook() {
  return useMutation({
    mutationFn: ({ id }: Hook) => client.delete('/api/hooks', { query: { id } }),
    onSuccess: (_response, { id }) => {
      queryClient.setQueryData(webhooksQuery.queryKey, (all) => all?.filter(({ hook }) => hook.id !== id))
      return queryClient.invalidateQueries(webhooksQuery)
    },
  })
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: ({ id, type }: { id: number; type: string | undefined }) =>
      client.post('/api/hooks/{id}/test', {
        path: { id },
        body: type === undefined ? {} : { event_type: type },
      }),
  })
}

export function useRetryWebhook(
  callbacks: MutationCallbacks<Pick<Hook, 'id'>, ResponseBody<'post', '/api/hooks/{id}/retry'>>,
) {
  return useMutation({
    mutationFn: ({ id }: Pick<Hook, 'id'>) => client.post('/api/hooks/{id}/retry', { path: { id } }),
    ...optimistic(callbacks),
  })
}

/** A mutation, not a cached query, because the audit log records every view. */
export function useViewSecret(id: number) {
  return useMutation({ mutationFn: () => client.get('/api/hooks/{id}/secret', { path: { id } }) })
}

export function useRotateWebhookSecret(id: number) {
  return useMutation({
    mutationFn: () => client.post('/api/hooks/{id}/secret', { path: { id } }),
    onSuccess: invalidateWebhooks,
  })
}
