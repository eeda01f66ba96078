/** Queries and mutations for single sign-on: the provider of the account, its domains, identities, and signing in. */
import type { RequestOptions, ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, publicAccess, queryClient, sessionQuery } from './client.ts'
import type { Confirmation } from './passkeys.ts'

export type Sso = ResponseBody<'get', '/api/sso'>
export type Connection = NonNullable<Sso['connection']>
export type SsoDomain = Sso['domains'][number]
export type Identity = ResponseBody<'get', '/api/sso/identities'>['identities'][number]
export type ProviderSettings = RequestOptions<'post', '/api/sso'>['body']
export type SettingsChange = RequestOptions<'post', '/api/sso/settings'>['body']

export const ssoQuery = queryOptions({
  queryKey: ['sso'],
  queryFn: ({ signal }) => client.get('/api/sso', { signal }),
  meta: { role: 'admin' },
})

export const identitiesQuery = queryOptions({
  queryKey: ['sso', 'identities'],
  queryFn: async ({ signal }) => (await client.get('/api/sso/identities', { signal })).identities,
})

/** Also of the identities, which have a longer key. */
const refreshSso = () => queryClient.invalidateQueries({ queryKey: ssoQuery.queryKey })

/** Reads the session too, which ends with another issuer. */
const refreshAll = () => Promise.all([refreshSso(), queryClient.invalidateQueries(sessionQuery)])

export function useConfigureSso() {
  return useMutation({
    mutationFn: (body: ProviderSettings) => client.post('/api/sso', { body }),
    onSuccess: refreshAll,
  })
}

export function useChangeSsoSettings() {
  return useMutation({
    mutationFn: (body: SettingsChange) => client.post('/api/sso/settings', { body }),
    onSuccess: refreshAll,
  })
}

export function useRemoveSso() {
  return useMutation({
    mutationFn: (confirmation: Confirmation) => client.delete('/api/sso', { body: confirmation }),
    onSuccess: refreshAll,
  })
}

export function useAddDomain() {
  return useMutation({
    mutationFn: (domain: string) => client.post('/api/sso/domains', { body: { domain } }),
    onSuccess: refreshSso,
  })
}

export function useVerifyDomain({ id }: SsoDomain) {
  return useMutation({
    mutationFn: () => client.post('/api/sso/domains/{id}/verify', { path: { id } }),
    onSuccess: refreshSso,
  })
}

export function useRemoveDomain({ id }: SsoDomain) {
  return useMutation({
    mutationFn: () => client.delete('/api/sso/domains/{id}', { path: { id } }),
    onSuccess: refreshSso,
  })
}

export function useUnlinkIdentity({ id }: Identity) {
  return useMutation({
    mutationFn: () => client.delete('/api/sso/identities/{id}', { path: { id } }),
    onSuccess: refreshSso,
  })
}

/** Continues at the identity provider, which sends the browser back. */
function openProvider({ url }: { url: string }): void {
  location.assign(url)
}

/** The API accepts paths up to this length. From a longer one, the user returns to the overview. */
const maxReturnPath = 500

export function useStartSso(returnTo: string | undefined) {
  return useMutation({
    mutationFn: (by: { connection: string } | { email: string }) =>
      client.post('/api/session/sso', {
        body: {
          ...by,
          ...(returnTo !== undefined && returnTo.length <= maxReturnPath && { return_path: returnTo }),
        },
      }),
    onSuccess: openProvider,
    meta: publicAccess,
  })
}

export function useLinkIdentity() {
  return useMutation({
    mutationFn: (confirmation: Confirmation) =>
      client.post('/api/sso/link', { body: { ...confirmation, return_path: '/account' } }),
    onSuccess: openProvider,
  })
}

/** In a session of single sign-on: signs in at the provider again, in place of the password. */
export function useConfirmSso() {
  return useMutation({
    mutationFn: () => client.post('/api/sso/confirm', { body: { return_path: location.pathname } }),
    onSuccess: openProvider,
  })
}
