/** Queries and mutations for members of the account, and invitations to it. */
import type { RequestOptions, ResponseBody } from '@hookline/client'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, continueIn, publicAccess, queryClient, sessionQuery } from './client.ts'
import type { Confirmation } from './passkeys.ts'

export type Member = ResponseBody<'get', '/api/members'>['members'][number]
export type Invitation = ResponseBody<'get', '/api/invitations'>['invitations'][number]
export type InvitationDetail = ResponseBody<'post', '/api/invitations/read'>['invitation']
export type HeldSecret = ResponseBody<'delete', '/api/members/{id}'>['secrets'][number]
export type Rights = Pick<Member, 'role' | 'can_reveal' | 'can_export'>

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await client.get('/api/members', { signal })).members,
})

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await client.get('/api/invitations', { signal })).invitations,
  meta: { role: 'admin' },
})

export function memberSecretsQuery({ login_id: id }: Member) {
  return queryOptions({
    queryKey: ['members', id, 'secrets'],
    queryFn: async ({ signal }) =>
      (await client.get('/api/members/{id}/secrets', { path: { id }, signal })).secrets,
    staleTime: 0,
    meta: { role: 'admin' },
  })
}

const refreshMembers = () => queryClient.invalidateQueries(membersQuery)
const refreshInvitations = () => queryClient.invalidateQueries(invitationsQuery)

export function useChangeMember({ login_id: id }: Member) {
  return useMutation({
    mutationFn: (body: Rights) => client.post('/api/members/{id}', { path: { id }, body }),
    onSuccess: refreshMembers,
  })
}

export function useRemoveMember({ login_id: id }: Member) {
  return useMutation({
    mutationFn: () => client.delete('/api/members/{id}', { path: { id } }),
    onSuccess: refreshMembers,
  })
}

/** The session ends with the membership. A full page load clears it from memory. */
export function useLeaveAccount(loginId: number) {
  return useMutation({
    mutationFn: () => client.delete('/api/members/{id}', { path: { id: loginId } }),
    onSuccess: () => location.assign('/sign-in'),
  })
}

export function useTransferOwnership({ login_id: id }: Member) {
  return useMutation({
    mutationFn: (confirmation: Confirmation) =>
      client.post('/api/members/{id}/transfer', { path: { id }, body: confirmation }),
    onSuccess: () => Promise.all([refreshMembers(), queryClient.invalidateQueries(sessionQuery)]),
  })
}

export function useInvite() {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/invitations'>['body']) =>
      client.post('/api/invitations', { body }),
    onSuccess: refreshInvitations,
  })
}

export function useResendInvitation() {
  return useMutation({
    mutationFn: ({ id }: Invitation) => client.post('/api/invitations/{id}/resend', { path: { id } }),
    onSuccess: refreshInvitations,
  })
}

export function useRevokeInvitation() {
  return useMutation({
    mutationFn: ({ id }: Invitation) => client.delete('/api/invitations/{id}', { path: { id } }),
    onSuccess: refreshInvitations,
  })
}

/** What the link of an invitation gives access to. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) =>
      (await client.post('/api/invitations/read', { body: { token }, signal })).invitation,
    meta: publicAccess,
  })
}

export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (token: string) => client.post('/api/invitations/accept', { body: { token } }),
    onSuccess: continueIn,
    meta: publicAccess,
  })
}

export function useRegisterInvited() {
  return useMutation({
    mutationFn: (body: RequestOptions<'post', '/api/invitations/register'>['body']) =>
      client.post('/api/invitations/register', { body }),
    onSuccess: continueIn,
    meta: publicAccess,
  })
}
