/** Queries and mutations for own and authorized OAuth apps. */
import type { ResponseBody, RequestOptions } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'

export type App = ResponseBody<'get', '/api/apps'>['apps'][number]
export type NewApp = RequestOptions<'post', '/api/apps'>['body']
export type Authorization = ResponseBody<'get', '/api/authorizations'>['authorizations'][number]

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async ({ signal }) => (await client.get('/api/apps', { signal })).apps,
  meta: { role: 'developer' },
})

export const authorizationsQuery = queryOptions({
  queryKey: ['authorizations'],
  queryFn: async ({ signal }) => (await client.get('/api/authorizations', { signal })).authorizations,
  meta: { role: 'developer' },
})

export function useCreateApp() {
  return useMutation({
    mutationFn: (body: NewApp) => client.post('/api/apps', { body }),
    onSuccess: () => queryClient.invalidateQueries(appsQuery),
  })
}

export function useChangeApp(id: string) {
  return useMutation({
    mutationFn: (body: { name?: string; redirect_uris?: string[] }) =>
      client.post('/api/apps/{id}', { path: { id }, body }),
    onSuccess: ({ app }) => {
      queryClient.setQueryData<App[]>(appsQuery.queryKey, (apps) =>
        apps?.map((cached) => (cached.id === id ? app : cached)),
      )
    },
  })
}

export function useRotateSecret(id: string) {
  return useMutation({
    mutationFn: () => client.post('/api/apps/{id}/secret', { path: { id } }),
    onSuccess: () => queryClient.invalidateQueries(appsQuery),
  })
}

export function useDeleteApp() {
  return useMutation({
    mutationFn: ({ id }: App) => client.delete('/api/apps/{id}', { path: { id } }),
    onSuccess: () => queryClient.invalidateQueries(appsQuery),
  })
}

export function useRevokeAuthorization() {
  return useMutation({
    mutationFn: ({ app }: Authorization) =>
      client.delete('/api/authorizations/{id}', { path: { id: app.id } }),
    onSuccess: () => queryClient.invalidateQueries(authorizationsQuery),
  })
}
