/** Query and mutation for the OAuth consent page. */
import type { ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, publicAccess, queryClient } from './client.ts'

export type Interaction = ResponseBody<'get', '/api/interactions/{id}'>['interaction']

export function consentQuery(id: string) {
  return queryOptions({
    queryKey: ['interaction', id],
    queryFn: async ({ signal }) =>
      (await client.get('/api/interactions/{id}', { path: { id }, signal })).interaction,
    staleTime: 0,
    meta: publicAccess,
  })
}

export function useDecideConsent(id: string) {
  return useMutation({
    mutationFn: (decision: 'allow' | 'deny') =>
      decision === 'allow'
        ? client.post('/api/interactions/{id}/allow', { path: { id } })
        : client.post('/api/interactions/{id}/deny', { path: { id } }),
    onSuccess: ({ return_to }) => location.assign(return_to),
    // After an error the next step may differ, for example because the session has ended.
    onError: () => queryClient.invalidateQueries(consentQuery(id)),
    meta: publicAccess,
  })
}
