/** Coming in, going out, and the ways back in for those who forgot. */
import type { Input } from '@hookline/sdk'
import { useMutation } from '@tanstack/react-query'
import { client, openToAnyone, queryClient, rememberSession, sessionQuery } from './api.ts'

export function useSignIn() {
  return useMutation({
    mutationFn: (body: Input<'post', '/api/session'>['body']) => client.post('/api/session', { body }),
    onSuccess: rememberSession,
    meta: openToAnyone,
  })
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => client.delete('/api/session'),
    // By loading anew, so that nothing of the session stays in memory.
    onSuccess: () => location.assign('/sign-in'),
  })
}

export function useRegister() {
  return useMutation({
    mutationFn: (body: Input<'post', '/api/registration'>['body']) =>
      client.post('/api/registration', { body }),
    onSuccess: rememberSession,
    meta: openToAnyone,
  })
}

export function useAskForReset() {
  return useMutation({
    mutationFn: (login: string) => client.post('/api/password-resets', { body: { login } }),
    meta: openToAnyone,
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; new_password: string; keep_access: boolean }) =>
      client.post('/api/password-resets/confirm', { body }),
    meta: openToAnyone,
  })
}

export function useConfirmEmail() {
  return useMutation({
    mutationFn: (token: string) => client.post('/api/login/verification/confirm', { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries(sessionQuery),
    meta: openToAnyone,
  })
}
