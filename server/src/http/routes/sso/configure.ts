import { z } from 'zod'
import { connectionId, readConnection, saveProvider } from '../../../identity/sso/connections.ts'
import { lockMembers } from '../../../identity/members/members.ts'
import { ApiError } from '../../../model/errors.ts'
import { normalizeTargetUrl } from '../../../model/target-url.ts'
import { type ApiDeps, sessionOperation } from '../../operation/operation.ts'
import { confirmation, requireConfirmation } from '../confirm-user.ts'
import { name } from '../fields.ts'
import { readSso, ssoResponse } from './present.ts'
import { requireAllRights } from './require-rights.ts'

const printable = /^[\x20-\x7e]+$/

export const configureSsoOperation = sessionOperation({
  id: 'configureSso',
  group: 'Single sign-on',
  role: 'owner',
  needsOwnSession: true,
  summary: 'Set up single sign-on',
  description:
    'Saves the identity provider of the account: an OpenID Connect issuer and your client there. Fetches the configuration of the provider first. Another issuer or client lifts the requirement to sign in through the provider. Another issuer also deletes identities and ends sessions of the old one. Requires the password or a passkey.',
  params: z.object({
    name: name.meta({ description: 'Name for users, such as "Okta".' }),
    issuer: z
      .string({ error: 'must be a URL' })
      .meta({ description: 'Issuer URL, exactly as the provider names it.' }),
    client_id: z
      .string({ error: 'must be a string' })
      .max(500, { error: 'can have at most 500 characters' })
      .regex(printable, { error: 'must have printable ASCII characters' }),
    client_secret: z
      .string({ error: 'must be a string' })
      .max(2_000, { error: 'can have at most 2000 characters' })
      .regex(printable, { error: 'must have printable ASCII characters' })
      .nullish()
      .meta({
        description:
          'Write-only. Null for a client without a secret. Without it, the stored secret of the same client is kept.',
      }),
    ...confirmation,
  }),
  response: ssoResponse,
  errors: ['csrfFailed', 'wrongPassword', 'invalidPasskey', 'ssoSession', 'ssoFailed', 'unavailable'],
  async handle(deps, { input, user, origin }) {
    const { db, vault, providers } = deps
    const { accountId, loginId } = user
    requireAllRights(user)
    await requireConfirmation(deps, user, input, origin)
    validateIssuer(deps, input.issuer)
    const settings = {
      name: input.name,
      issuer: input.issuer,
      clientId: input.client_id,
      clientSecret: input.client_secret,
    }
    const existing = await readConnection(db, accountId)
    await providers.check({
      accountId,
      id: connectionId(vault, accountId),
      ...settings,
      // The configuration is public, so no secret is needed to fetch it.
      clientSecret: null,
      isRequired: false,
      defaultRole: null,
      canReveal: false,
      canExport: false,
      createdAt: existing?.createdAt ?? new Date(0),
      changedAt: existing?.changedAt ?? new Date(0),
    })
    await db.transaction().execute(async (trx) => {
      await lockMembers(trx, accountId)
      await saveProvider(trx, vault, `login:${loginId}`, accountId, settings)
    })
    return readSso(deps, accountId)
  },
})

function validateIssuer({ hookLimits }: Pick<ApiDeps, 'hookLimits'>, issuer: string): void {
  const { targetUrl: rules } = hookLimits
  try {
    normalizeTargetUrl(issuer, { ...rules, maxBytes: 500 })
  } catch (error) {
    throw error instanceof ApiError ? invalidIssuer(`The issuer cannot be used. ${error.message}`) : error
  }
  if (!/^https?:\/\/[^\s?#{}]+$/.test(issuer))
    throw invalidIssuer('The issuer must be a URL without query and fragment.')
  if (!rules.allowPrivate && !issuer.startsWith('https://'))
    throw invalidIssuer('The issuer must start with "https://".')
}

function invalidIssuer(message: string): ApiError {
  return new ApiError('parameterInvalid', message, { field: 'issuer' })
}
