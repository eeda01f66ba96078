/** Whether the user may change single sign-on: the provider can sign in as any member, so this takes the rights of all. */
import { useAccess } from '../../auth/use-access.ts'

export function useMayChangeSso(): boolean {
  const { hasRole, canReveal, canExport } = useAccess()
  return hasRole('owner') && canReveal && canExport
}
