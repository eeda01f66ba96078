/** First steps of a new account, and the built-in test receiver. */
import type { ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'

export type TestRequest = ResponseBody<'get', '/api/test-receiver'>['requests'][number]

export const onboardingQuery = queryOptions({
  queryKey: ['hooks', 'onboarding'],
  queryFn: ({ signal }) => client.get('/api/onboarding', { signal }),
  refetchInterval: 15_000,
  staleTime: 0,
})

export const testReceiverQuery = queryOptions({
  queryKey: ['test-receiver'],
  queryFn: ({ signal }) => client.get('/api/test-receiver', { signal }),
  refetchInterval: 3_000,
  staleTime: 0,
  meta: { role: 'developer' },
})

/** Only the URL, which never changes. */
export const testReceiverUrlQuery = queryOptions({
  queryKey: ['test-receiver', 'url'],
  queryFn: async ({ signal }) => (await client.get('/api/test-receiver', { signal })).url,
  staleTime: Number.POSITIVE_INFINITY,
  meta: { role: 'developer' },
})

export function useChangeOnboarding() {
  return useMutation({
    mutationFn: (body: { signature_verified?: boolean; dismissed?: boolean }) =>
      client.post('/api/onboarding', { body }),
    onSuccess: () => queryClient.invalidateQueries(onboardingQuery),
  })
}
