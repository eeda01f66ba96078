import { z } from 'zod'
import { showKey } from '../../../identity/keys/list-keys.ts'
import { viewKey } from '../../../identity/keys/view-key.ts'
import { Refusal } from '../../../model/errors.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { id, password } from '../fields.ts'
import { secretSchema } from './present.ts'

export const viewOwnKey = personOperation({
  id: 'viewKey',
  group: 'Keys',
  summary: 'View an API key again',
  description: 'The key itself, for whoever gives the password. It is written to the audit log.',
  params: z.object({ id, password }),
  answer: z.object({ secret: secretSchema }),
  failures: ['crossSite', 'passwordWrong', 'notFound'],
  async handle(parts, { input, person, origin }) {
    const { accountId, loginId } = person
    const notFound = new Refusal('notFound', `There is no API key ${input.id} that can be viewed.`)
    const known = await showKey(parts.db, accountId, input.id)
    if (known === undefined || known.revokedAt !== null) throw notFound
    await askPassword(parts, person, input.password, origin)
    const secret = await viewKey(parts.db, parts.vault, `login:${loginId}`, {
      accountId,
      keyId: input.id,
      ip: origin.ip,
    })
    if (secret === undefined) throw notFound
    return { secret }
  },
})
