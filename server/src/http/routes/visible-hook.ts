import { type Caller, isAllowed } from '../../model/caller.ts'
import { hideSecrets } from '../../model/hide-secrets.ts'
import { includesRole } from '../../model/role.ts'

/** Whether the caller may see credentials in the URLs of receivers. API keys act for no member. */
export function seesUrls({ member }: Caller): boolean {
  return member === undefined || includesRole(member.role, 'developer')
}

/** Whether the caller may see responses of receivers, which can repeat personal data. */
export function seesResponses({ member }: Caller): boolean {
  return member === undefined || member.canReveal
}

/** Returns a webhook as the caller may see it. Members below developer see no credentials of receivers. */
export function visibleTo<Hook extends Parameters<typeof hideSecrets>[0]>(caller: Caller, hook: Hook): Hook {
  return isAllowed(caller, 'hooks:read', 'developer') ? hook : hideSecrets(hook)
}
