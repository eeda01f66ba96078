/** What the role and the rights of the signed-in user allow, for all pages inside the shell. */
import { type Access, accessOf } from '../../api/access.ts'
import { useSession } from './session-context.ts'

export function useAccess(): Access {
  return accessOf(useSession().member)
}
