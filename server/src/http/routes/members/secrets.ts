import { z } from 'zod'
import { listHeldSecrets } from '../../../db/secret-holders.ts'
import { findMember, memberNotFound } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { heldSecrets, presentSecret } from './present.ts'

export const listMemberSecretsOperation = sessionOperation({
  id: 'listMemberSecrets',
  group: 'Members',
  role: 'admin',
  summary: 'List secrets that a member knows',
  description:
    'Lists the valid secrets of the account that a member has created or seen, latest first: API keys, secrets of webhooks, consumers and OAuth apps, and the signing key.',
  params: z.object({ id: pathId('Id of the login.') }),
  response: z.object({ secrets: heldSecrets }),
  errors: ['notFound'],
  async handle({ db }, { input, user }) {
    const member = { accountId: user.accountId, loginId: input.id }
    if ((await findMember(db, member)) === undefined) throw memberNotFound()
    return { secrets: (await listHeldSecrets(db, member)).map(presentSecret) }
  },
})
