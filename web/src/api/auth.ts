/** Mutations for sign-in, sign-out, another account, registration, password reset and email confirmation. */
import type { RequestOptions } from '@hookline/client'
import { useMutation } from '@tanstack/react-query'
import { client, continueIn, publicAccess, queryClient, rememberSession, sessionQuery } from './client.ts'

type SignIn = RequestOptions<'post', '/api/session'>['body']

/** With the token of an invitation, the login joins its account. With `link_sso`, it is linked to the user of the provider. */
export type SignInPurpose = Pick<SignIn, 'invitation' | 'link_sso'>

export function useSignIn(purpose: SignInPurpose = {}) {
  return useMutation({
    mutationFn: (body: SignIn) => client.post('/api/session', { body: { ...body, ...purpose } }),
    onSuccess: Object.keys(purpose).length === 0 ? rememberSession : continueIn,
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

export function useSwitchAccount() {
  return useMutation({
    mutationFn: (accountId: number) =>
      client.post('/api/session/account', { body: { account_id: accountId } }),
    onSuccess: continueIn,
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
