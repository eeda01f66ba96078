import { ApiError } from '../../../model/errors.ts'
import { hasAllRights, type Member } from '../../../model/role.ts'

/**
 * Requires an owner with all rights. The provider can sign in as any member of the account, so the member who chooses the
 * provider, or the domains that it speaks for, gets the rights of all members. The provider
 * itself cannot change these settings: they need a session that it has not started.
 */
export function requireAllRights({ member }: { member: Member }): void {
  if (!hasAllRights(member, { role: 'owner', canReveal: true, canExport: true }))
    throw new ApiError(
      'insufficientRole',
      'Only an owner with the rights to reveal and to export personal data can change single sign-on.',
    )
}
