/** The link of the own login. Undefined without one, null if the account has no single sign-on that the user can see. */
import { useQuery } from '@tanstack/react-query'
import { type Identity, identitiesQuery, ssoQuery } from '../../../api/sso.ts'
import { useAccess } from '../../auth/use-access.ts'

export function useOwnIdentity(): Identity | undefined | null {
  const { mayCall } = useAccess()
  const identities = useQuery(identitiesQuery).data
  // Members below admin cannot read the connection. They link at their first sign-in with it.
  const connection = useQuery({ ...ssoQuery, enabled: mayCall(ssoQuery) }).data?.connection ?? null
  if (identities === undefined) return null
  const own = identities.find(({ is_self: isSelf }) => isSelf)
  return own ?? (connection === null ? null : undefined)
}
