import { z } from 'zod'
import { readAccountName } from '../../../identity/accounts/accounts.ts'
import { credentialKinds, memberScopes, type Scope, scopes } from '../../../model/caller.ts'
import { callerOperation } from '../../operation/operation.ts'

const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

export const readCallerOperation = callerOperation({
  id: 'readCaller',
  group: 'Account',
  role: 'viewer',
  summary: 'Read the caller',
  description: 'Returns the account of the credential and its scopes, to check a credential.',
  params: z.object({}),
  response: z.object({
    account: z.object({ id: z.int(), name: z.string() }),
    credential: z.enum([...credentialKinds, 'session']),
    key_id: z.int().nullable(),
    scopes: z.array(z.enum(scopeNames)),
  }),
  errors: [],
  async handle({ db }, { caller }) {
    const { accountId, kind, keyId, member } = caller
    const isSession = kind === 'session' && member !== undefined
    return {
      account: { id: accountId, name: await readAccountName(db, accountId) },
      credential: kind,
      key_id: keyId ?? null,
      scopes: isSession ? memberScopes(member) : [...caller.scopes],
    }
  },
})
