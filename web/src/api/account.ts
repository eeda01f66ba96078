/** Queries and mutations for the signed-in user and account: profile, password, two-factor authentication, sessions, audit log. */
import type { ResponseBody } from '@hookline/client'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient, sessionQuery } from './client.ts'
import { type Confirmation, confirmWithPasskey } from './passkeys.ts'

export type SessionEntry = ResponseBody<'get', '/api/sessions'>['sessions'][number]
export type AuditEntry = ResponseBody<'get', '/api/audit'>['entries'][number]

const refreshSession = () => queryClient.invalidateQueries(sessionQuery)

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await client.get('/api/sessions', { signal })).sessions,
  meta: { needsOwnSession: true },
})

const auditPageSize = 50

export function auditQuery(before: number | undefined) {
  return queryOptions({
    queryKey: ['audit', before ?? 'newest'],
    queryFn: ({ signal }) =>
      client.get('/api/audit', {
        query: { limit: auditPageSize, ...(before !== undefined && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { role: 'admin' },
  })
}

export function useRenameAccount() {
  return useMutation({
    mutationFn: (name: string) => client.post('/api/account', { body: { name } }),
    onSuccess: refreshSession,
  })
}

export const countryQuery = queryOptions({
  queryKey: ['country'],
  queryFn: ({ signal }) => client.get('/api/account/country', { signal }),
})

export function useSetCountry() {
  return useMutation({
    mutationFn: (country: string | null) => client.post('/api/account/country', { body: { country } }),
    onSuccess: () => queryClient.invalidateQueries(countryQuery),
  })
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: (body: Confirmation & { email: string }) => client.post('/api/login', { body }),
    onSuccess: refreshSession,
  })
}

export function useResendVerification() {
  return useMutation({ mutationFn: () => client.post('/api/login/verification') })
}

export function useChangePassword() {
  return useMutation({
    /** Confirmed by the current password or by a passkey. */
    mutationFn: async (change: {
      newPassword: string
      confirm: { current_password: string } | 'passkey'
    }) => {
      const confirmation = change.confirm === 'passkey' ? await confirmWithPasskey() : change.confirm
      return client.post('/api/password', { body: { ...confirmation, new_password: change.newPassword } })
    },
    async onSuccess() {
      await Promise.all([refreshSession(), queryClient.invalidateQueries(sessionsQuery)])
    },
  })
}

export function useStartSecondFactor() {
  return useMutation({
    mutationFn: (confirmation: Confirmation) => client.post('/api/second-factor', { body: confirmation }),
  })
}

export function useConfirmSecondFactor() {
  return useMutation({
    mutationFn: (code: string) => client.post('/api/second-factor/confirm', { body: { code } }),
    onSuccess: refreshSession,
  })
}

export function useRemoveSecondFactor() {
  return useMutation({
    mutationFn: (confirmation: Confirmation) => client.delete('/api/second-factor', { body: confirmation }),
    onSuccess: refreshSession,
  })
}

/** Optimistic: removes the session from the list at once and restores it on error. */
export function useRevokeSession() {
  const { queryKey } = sessionsQuery
  return useMutation({
    mutationFn: ({ id }: SessionEntry) => client.delete('/api/sessions/{id}', { path: { id } }),
    async onMutate({ id }) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(
        queryKey,
        before?.filter((session) => session.id !== id),
      )
      return before
    },
    onError: (_error, _session, before) => queryClient.setQueryData(queryKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}

export function useRevokeOtherSessions() {
  return useMutation({
    mutationFn: () => client.delete('/api/sessions'),
    onSuccess: () => queryClient.invalidateQueries(sessionsQuery),
  })
}
