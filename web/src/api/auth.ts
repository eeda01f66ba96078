/** Mutations for sign-in, sign-out, registration, password reset and email confirmation. */
import type { RequestOptions } from '@hookline/client'
import { useMutation } from '@tanstack/react-query'
import { client, publicAccess, queryClient, rememberSession, sessionQuery } from './client.ts'

export function useSignIn() {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/session'>['body']) =>
      client.post('/api/session', { body }),
    onSuccess: rememberSession,
    meta: publicAccess,
  })
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => client.delete('/api/session'),
    // A full page load clears the session from memory.
    onSuccess: () => location.assign('/sign-in'),
  })
}

export function useRegister() {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/registration'>['body']) =>
      client.post('/api/registration', { body }),
    onSuccess: rememberSession,
    meta: publicAccess,
  })
}

export function useRequestReset() {
  return useMutation({
    mutationFn: (login: string) => client.post('/api/password-resets', { body: { login } }),
    meta: publicAccess,
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; new_password: string; keep_access: boolean }) =>
      client.post('/api/password-resets/confirm', { body }),
    meta: publicAccess,
  })
}

export function useConfirmEmail() {
  return useMutation({
    mutationFn: (token: string) => client.post('/api/login/verification/confirm', { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries(sessionQuery),
    meta: publicAccess,
  })
}
