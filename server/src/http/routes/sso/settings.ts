import { z } from 'zod'
import { lockSecondFactors } from '../../../db/break-glass.ts'
import { changeSettings, noSso, readConnection, setBreakGlass } from '../../../identity/sso/connections.ts'
import { lockMembers } from '../../../identity/members/members.ts'
import { maxId } from '../../../model/hook.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { defaultRole, readSso, ssoResponse } from './present.ts'
import { requireAllRights } from './require-rights.ts'

const flag = z.boolean({ error: 'must be true or false' }).optional()

export const changeSsoSettingsOperation = sessionOperation({
  id: 'changeSsoSettings',
  group: 'Single sign-on',
  role: 'owner',
  needsOwnSession: true,
  summary: 'Change single sign-on settings',
  description:
    'Changes the given settings only. To require single sign-on, at least one owner with two-factor authentication must be a break-glass user, who can sign in if the provider fails. Then sessions and the deprecated credential `u` and `p` of all other members stop working in this account. API keys and apps continue. Requires the password or a passkey.',
  params: z.object({
    is_required: flag.meta({ description: 'Members sign in only through the provider.' }),
    default_role: defaultRole.optional().meta({
      description:
        'Role of users of verified domains who join by signing in. Null: nobody joins by signing in.',
    }),
    can_reveal: flag.meta({ description: 'Users who join may reveal personal data.' }),
    can_export: flag.meta({ description: 'Users who join may export data.' }),
    break_glass_login_ids: z
      .array(z.int().min(1).max(maxId), { error: 'must be an array of login ids' })
      .max(20, { error: 'can have at most 20 entries' })
      .optional()
      .meta({ description: 'Owners with two-factor authentication who can sign in without the provider.' }),
    ...confirmation,
  }),
  response: ssoResponse,
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'ssoSession', 'noSso', 'lastBreakGlass'],
  async handle(deps, { input, user, origin }) {
    const { accountId, loginId } = user
    requireAllRights(user)
    await requireConfirmation(deps, user, input, origin)
    await deps.db.transaction().execute(async (trx) => {
      await lockMembers(trx, accountId)
      await lockSecondFactors(trx, accountId)
      if ((await readConnection(trx, accountId)) === undefined) throw noSso()
      if (input.break_glass_login_ids !== undefined)
        await setBreakGlass(trx, accountId, input.break_glass_login_ids)
      await changeSettings(trx, `login:${loginId}`, accountId, {
        ...(input.is_required !== undefined && { isRequired: input.is_required }),
        ...(input.default_role !== undefined && { defaultRole: input.default_role }),
        ...(input.can_reveal !== undefined && { canReveal: input.can_reveal }),
        ...(input.can_export !== undefined && { canExport: input.can_export }),
      })
    })
    return readSso(deps, accountId)
  },
})
