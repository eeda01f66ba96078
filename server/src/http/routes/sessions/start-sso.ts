import { z } from 'zod'
import { findConnection, findConnectionOfDomain } from '../../../identity/sso/connections.ts'
import { domainOf } from '../../../identity/sso/domains.ts'
import { ApiError } from '../../../model/errors.ts'
import { startFlow } from '../../sso/start-flow.ts'
import { publicOperation } from '../../operation/operation.ts'
import { flowResponse, returnPath } from '../sso/present.ts'

export const startSsoOperation = publicOperation({
  id: 'startSso',
  group: 'Authentication',
  summary: 'Sign in with single sign-on',
  description:
    'Returns the URL of an identity provider: that of a connection, or of the account that has verified the domain of the email. The provider sends the browser back, which then has a session. The response does not depend on whether a login exists.',
  params: z.object({
    connection: z
      .string({ error: 'must be a string' })
      .optional()
      .meta({ description: 'Public id of the connection.' }),
    email: z
      .string({ error: 'must be a string' })
      .max(255, { error: 'can have at most 255 characters' })
      .optional()
      .meta({ description: 'Work email. Only its domain is used.' }),
    return_path: returnPath,
  }),
  response: flowResponse,
  errors: ['csrfFailed', 'notFound', 'ssoFailed', 'tooManyAuthAttempts', 'unavailable'],
  async handle(deps, { input, origin }) {
    const { db, throttle } = deps
    if (input.connection === undefined && input.email === undefined)
      throw new ApiError('parameterMissing', 'Send "connection" or "email".', { field: 'email' })
    await throttle.startSso(origin.ip)
    const domain = input.email === undefined ? undefined : domainOf(input.email)
    const connection =
      input.connection !== undefined
        ? await findConnection(db, input.connection)
        : domain && (await findConnectionOfDomain(db, domain))
    if (!connection)
      throw new ApiError(
        'notFound',
        input.connection === undefined
          ? 'No single sign-on for this email. Use the sign-in link of your organization, or your password.'
          : 'This sign-in link does not work. Ask an owner of the account for the link, or sign in with your password.',
      )
    return startFlow(deps, connection, { purpose: 'sign-in', returnPath: input.return_path })
  },
})
