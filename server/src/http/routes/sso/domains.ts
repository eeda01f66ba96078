import { z } from 'zod'
import { addDomain, removeDomain, verifyDomain } from '../../../identity/sso/domains.ts'
import { lockMembers } from '../../../identity/members/members.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { pathId } from '../fields.ts'
import { domainResponse, presentDomain } from './present.ts'
import { requireAllRights } from './require-rights.ts'

const group = 'Single sign-on'
const id = pathId('Id of the domain.')

export const addSsoDomainOperation = sessionOperation({
  id: 'addSsoDomain',
  group,
  role: 'owner',
  needsOwnSession: true,
  summary: 'Add domain',
  description:
    'Adds an email domain and returns the TXT record that proves it. A domain that was added before is returned as it is.',
  params: z.object({ domain: z.string({ error: 'must be a domain such as example.com' }).max(255) }),
  response: z.object({ domain: domainResponse }),
  errors: ['csrfFailed', 'ssoSession', 'tooManyChanges'],
  async handle({ db }, { input, user }) {
    const { accountId, loginId } = user
    requireAllRights(user)
    const domain = await db.transaction().execute(async (trx) => {
      await lockMembers(trx, accountId)
      return addDomain(trx, `login:${loginId}`, accountId, input.domain)
    })
    return { domain: presentDomain(domain) }
  },
})

export const verifySsoDomainOperation = sessionOperation({
  id: 'verifySsoDomain',
  group,
  role: 'owner',
  needsOwnSession: true,
  summary: 'Verify domain',
  description:
    'Looks up the TXT record. With a verified domain, users sign in with their email, members are linked by their verified email, and new users can join. Only one account can verify a domain.',
  params: z.object({ id }),
  response: z.object({ domain: domainResponse }),
  errors: ['csrfFailed', 'ssoSession', 'notFound', 'domainNotVerified', 'domainTaken', 'tooManyChanges'],
  async handle(deps, { input, user }) {
    requireAllRights(user)
    const { accountId, loginId } = user
    return { domain: presentDomain(await verifyDomain(deps, `login:${loginId}`, accountId, input.id)) }
  },
})

export const removeSsoDomainOperation = sessionOperation({
  id: 'removeSsoDomain',
  group,
  role: 'owner',
  needsOwnSession: true,
  summary: 'Remove domain',
  description: 'Removes a domain. Existing members and identities stay.',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['csrfFailed', 'ssoSession', 'notFound'],
  async handle({ db }, { input, user }) {
    requireAllRights(user)
    await db
      .transaction()
      .execute((trx) => removeDomain(trx, `login:${user.loginId}`, user.accountId, input.id))
    return {}
  },
})
