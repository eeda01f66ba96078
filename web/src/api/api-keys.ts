/** Queries and mutations for API keys. */
import type { ResponseBody, RequestOptions } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'
import type { Confirmation } from './passkeys.ts'

export type Key = ResponseBody<'get', '/api/keys'>['keys'][number]
export type NewKey = RequestOptions<'post', '/api/keys'>['body']
export type DeprecatedUse = ResponseBody<'get', '/api/deprecated-uses'>['uses'][number]

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await client.get('/api/keys', { signal })).keys,
  meta: { role: 'developer' },
})

export const deprecatedUsesQuery = queryOptions({
  queryKey: ['deprecated-uses'],
  queryFn: async ({ signal }) => (await client.get('/api/deprecated-uses', { signal })).uses,
})

export function useCreateKey() {
  return useMutation({
    mutationFn: (body: NewKey) => client.post('/api/keys', { body }),
    onSuccess: () => queryClient.invalidateQueries(keysQuery),
  })
}

export function useViewKey() {
  return useMutation({
    mutationFn: ({ id, confirmation }: { id: number; confirmation: Confirmation }) =>
      client.post('/api/keys/{id}/view', { path: { id }, body: confirmation }),
  })
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: ({ id }: Key) => client.delete('/api/keys/{id}', { path: { id } }),
    onSuccess: () => queryClient.invalidateQueries(keysQuery),
  })
}

export type KeyState = 'active' | 'expired' | 'revoked'

export function stateOf(key: Key, now = Date.now()): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'active'
}
