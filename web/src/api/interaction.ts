/** What an app asks for, and the answer that the person gives. */
import type { Answer } from '@hookline/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, openToAnyone } from './api.ts'

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
    meta: openToAnyone,
  })
}
