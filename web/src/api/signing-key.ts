/** Queries and mutations for the signing key of the account. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'

export const signingQuery = queryOptions({
  queryKey: ['signing-key'],
  queryFn: ({ signal }) => client.get('/api/signing-key', { signal }),
  meta: { role: 'developer' },
})

const invalidate = () => queryClient.invalidateQueries(signingQuery)

export function useViewSigningKey() {
  return useMutation({ mutationFn: () => client.post('/api/signing-key/view', {}) })
}

export function useRotateSigningKey() {
  return useMutation({
    mutationFn: () => client.post('/api/signing-key/rotate', {}),
    onSuccess: invalidate,
  })
}

export function useSwitchSigningKey() {
  return useMutation({
    mutationFn: () => client.post('/api/signing-key/switch', {}),
    onSuccess: invalidate,
  })
}

export function useRequireSignedCalls() {
  return useMutation({
    mutationFn: (isRequired: boolean) =>
      client.post('/api/signing-key', { body: { signed_calls_required: isRequired } }),
    onSuccess: invalidate,
  })
}
