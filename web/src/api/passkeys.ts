/** Queries and mutations for passkeys: list, sign-in, and confirmation of sensitive actions. */
import { ApiError, type RequestOptions, type ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { createPasskey, getPasskey } from '../lib/passkey.ts'
import type { SignInPurpose } from './auth.ts'
import { client, continueIn, publicAccess, queryClient, rememberSession, sessionQuery } from './client.ts'

export type Passkey = ResponseBody<'get', '/api/passkeys'>['passkeys'][number]

/** The password or the response of a passkey. */
export type Confirmation = RequestOptions<'post', '/api/passkeys/options'>['body']

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await client.get('/api/passkeys', { signal })).passkeys,
})

const refresh = () =>
  Promise.all([queryClient.invalidateQueries(passkeysQuery), queryClient.invalidateQueries(sessionQuery)])

/** Asks the authenticator of the user for a passkey, to confirm the next call. */
export async function confirmWithPasskey() {
  const { options } = await client.post('/api/session/confirm/options')
  return { passkey: await getPasskey(options) }
}

/** Signs in with a passkey alone, or with login, password and a passkey as second factor. */
export function usePasskeySignIn(purpose: SignInPurpose = {}) {
  return useMutation({
    async mutationFn(credentials: { login: string; password: string } | undefined) {
      if (credentials !== undefined) {
        const passkey = await getPasskey(await readSecondFactorOptions(credentials))
        return client.post('/api/session', { body: { ...credentials, passkey, ...purpose } })
      }
      const { options } = await client.post('/api/session/passkey/options')
      const passkey = await getPasskey(options)
      return client.post('/api/session/passkey', { body: { passkey, ...purpose } })
    },
    onSuccess: Object.keys(purpose).length === 0 ? rememberSession : continueIn,
    meta: publicAccess,
  })
}

/** Only the error of a sign-in without a second factor has the options. They are requested when used, because they expire. */
async function readSecondFactorOptions(credentials: { login: string; password: string }) {
  try {
    await client.post('/api/session', { body: credentials })
  } catch (error) {
    const options = error instanceof ApiError ? error.details.passkey_options : undefined
    if (options === undefined) throw error
    return options
  }
  throw new Error('the login has no second factor any more')
}

export function useAddPasskey() {
  return useMutation({
    async mutationFn({ name, confirmation }: { name: string; confirmation: Confirmation }) {
      const { options } = await client.post('/api/passkeys/options', { body: confirmation })
      const registration = await createPasskey(options)
      return client.post('/api/passkeys', { body: { name, registration } })
    },
    onSuccess: refresh,
  })
}

export function useRenamePasskey({ id }: Passkey) {
  return useMutation({
    mutationFn: (name: string) => client.post('/api/passkeys/{id}', { path: { id }, body: { name } }),
    onSuccess: refresh,
  })
}

export function useRemovePasskey({ id }: Passkey) {
  return useMutation({
    mutationFn: (confirmation: Confirmation) =>
      client.delete('/api/passkeys/{id}', { path: { id }, body: confirmation }),
    onSuccess: refresh,
  })
}
