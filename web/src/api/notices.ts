/** Queries and mutations for notices, preferences, muted webhooks and channels. */
import type { RequestOptions, ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'

export type Notice = ResponseBody<'get', '/api/notices'>['notices'][number]
export type NoticeMessage = Notice['messages'][number]
export type NoticePreferences = ResponseBody<'get', '/api/notices/preferences'>
export type NoticeGroup = Notice['group']
export type NoticeMode = NoticePreferences['preferences'][NoticeGroup]
export type Channel = ResponseBody<'get', '/api/notices/channels'>['channels'][number]
export type LastMessage = NonNullable<Channel['last']>
export type NewChannel = RequestOptions<'post', '/api/notices/channels'>['body']

const noticesKey = ['notices']

/** While a message is queued, its result is expected within seconds. */
const resultIntervalMs = 2_000
const unreadIntervalMs = 60_000

export function noticesQuery(before?: number, limit?: number) {
  return queryOptions({
    queryKey: [...noticesKey, 'list', before, limit],
    queryFn: ({ signal }) => client.get('/api/notices', { query: { before, limit }, signal }),
  })
}

export const unreadNoticesQuery = queryOptions({
  queryKey: [...noticesKey, 'unread'],
  queryFn: async ({ signal }) => (await client.get('/api/notices/unread', { signal })).unread,
  refetchInterval: unreadIntervalMs,
})

export function useMarkSeen() {
  return useMutation({
    mutationFn: (id: number) => client.post('/api/notices/seen', { body: { id } }),
    onSuccess: () => queryClient.invalidateQueries(unreadNoticesQuery),
  })
}

export const preferencesQuery = queryOptions({
  queryKey: [...noticesKey, 'preferences'],
  queryFn: ({ signal }) => client.get('/api/notices/preferences', { signal }),
  refetchInterval: ({ state }) => (state.data?.last_test?.state === 'queued' ? resultIntervalMs : false),
})

const refreshPreferences = () => queryClient.invalidateQueries(preferencesQuery)

export function useChangePreferences() {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/notices/preferences'>['body']) =>
      client.post('/api/notices/preferences', { body }),
    onSuccess: refreshPreferences,
  })
}

export function useTestEmail() {
  return useMutation({
    mutationFn: () => client.post('/api/notices/test'),
    onSuccess: refreshPreferences,
  })
}

export function useMute() {
  return useMutation({
    mutationFn: (id: number) => client.post('/api/hooks/{id}/mute', { path: { id } }),
    onSuccess: refreshPreferences,
  })
}

export function useUnmute() {
  return useMutation({
    mutationFn: (id: number) => client.post('/api/hooks/{id}/unmute', { path: { id } }),
    onSuccess: refreshPreferences,
  })
}

export const channelsQuery = queryOptions({
  queryKey: [...noticesKey, 'channels'],
  queryFn: async ({ signal }) => (await client.get('/api/notices/channels', { signal })).channels,
  refetchInterval: ({ state }) =>
    state.data?.some(({ last }) => last?.state === 'queued') ? resultIntervalMs : false,
})

const refreshChannels = () => queryClient.invalidateQueries(channelsQuery)

export function useCreateChannel() {
  return useMutation({
    mutationFn: (body: NewChannel) => client.post('/api/notices/channels', { body }),
    onSuccess: refreshChannels,
  })
}

export function useChangeChannel({ id }: Channel) {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/notices/channels/{id}'>['body']) =>
      client.post('/api/notices/channels/{id}', { path: { id }, body }),
    onSuccess: refreshChannels,
  })
}

export function useDeleteChannel({ id }: Channel) {
  return useMutation({
    mutationFn: () => client.delete('/api/notices/channels/{id}', { path: { id } }),
    onSuccess: refreshChannels,
  })
}

export function useResendChannel({ id }: Channel) {
  return useMutation({
    mutationFn: () => client.post('/api/notices/channels/{id}/resend', { path: { id } }),
    onSuccess: refreshChannels,
  })
}

export function useTestChannel({ id }: Channel) {
  return useMutation({
    mutationFn: () => client.post('/api/notices/channels/{id}/test', { path: { id } }),
    onSuccess: refreshChannels,
  })
}
