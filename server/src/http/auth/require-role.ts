/** Rejects calls that the role or the rights of a member do not allow. API keys act for no member. */
import { type Caller, hasScope, memberScopes, type Scope } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { includesRole, type Member, type Role, roles } from '../../model/role.ts'

export function requireRole({ member }: Pick<Caller, 'member'>, needed: Role): void {
  if (member === undefined || includesRole(member.role, needed)) return
  throw new ApiError(
    'insufficientRole',
    `Your role "${member.role}" does not allow this. Ask an admin of the account for the role "${needed}".`,
    { details: { allowed: roles.filter((role) => includesRole(role, needed)) } },
  )
}

/** Members with the role support reveal data of single cases, and say why. The audit log has the reason. */
export function requireReveal({ member }: Pick<Caller, 'member'>, reason: string | undefined): void {
  if (member === undefined) return
  if (!member.canReveal)
    throw new ApiError(
      'insufficientRole',
      'You do not have the right to reveal personal data. Ask an admin of the account.',
    )
  if (reason === undefined && !includesRole(member.role, 'developer'))
    throw new ApiError('parameterMissing', 'Say why you reveal personal data, in "reveal_reason".', {
      field: 'reveal_reason',
    })
}

export function requireExport({ member }: Pick<Caller, 'member'>): void {
  if (member === undefined || member.canExport) return
  throw new ApiError(
    'insufficientRole',
    'You do not have the right to export data. Ask an admin of the account.',
  )
}

/** Rejects scopes of a key or an app that give more access than the member has. */
export function rejectMissingScopes(member: Member, scopes: readonly Scope[]): void {
  const granted = memberScopes(member)
  const missing = scopes.find((scope) => !hasScope(granted, scope))
  if (missing === undefined) return
  throw new ApiError(
    'insufficientRole',
    `Your role and rights do not include the scope "${missing}". Ask an admin of the account.`,
    { details: { allowed: granted } },
  )
}
