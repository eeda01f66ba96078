/**
 * Whether the user may change single sign-on: the provider can sign in as any member, so this takes the rights of all, and a
 * session that the provider has not started.
 */
import { useSession } from '../../auth/session-context.ts'
import { useAccess } from '../../auth/use-access.ts'

export function useMayChangeSso(): boolean {
  const { sso } = useSession()
  const { hasRole, canReveal, canExport } = useAccess()
  return sso === null && hasRole('owner') && canReveal && canExport
}
