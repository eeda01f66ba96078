/** What an app asks for, and the answer that the person gives. */
import type { Answer } from '@hookline/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, openToAnyone, queryClient } from './api.ts'

export type Interaction = Answer<'get', '/api/interactions/{id}'>['interaction']

export function interactionQuery(id: string) {
  return queryOptions({
    queryKey: ['interaction', id],
    queryFn: async ({ signal }) =>
      (await client.get('/api/interactions/{id}', { path: { id }, signal })).interaction,
    staleTime: 0,
    meta: openToAnyone,
  })
}

export function useAnswerInteraction(id: string) {
  return useMutation({
    mutationFn: (answer: 'allow' | 'deny') =>
      answer === 'allow'
        ? client.post('/api/interactions/{id}/allow', { path: { id } })
        : client.post('/api/interactions/{id}/deny', { path: { id } }),
    onSuccess: ({ return_to }) => location.assign(return_to),
    // Whatever was wrong, what is asked now may be something else: the session may have ended.
    onError: () => queryClient.invalidateQueries(interactionQuery(id)),
    meta: openToAnyone,
  })
}
