import { z } from 'zod'
import { createAccount } from '../../../identity/accounts/accounts.ts'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { validateEmail } from '../../../identity/accounts/logins.ts'
import { ApiError } from '../../../model/errors.ts'
import { publicOperation } from '../../operation/operation.ts'
import { sendVerification } from '../account/send-verification.ts'
import { email, name, password } from '../fields.ts'
import { createBrowserSession, presentNewSession } from '../sessions/start.ts'
import { sessionResponse } from '../sessions/present.ts'

export const registerOperation = publicOperation({
  id: 'register',
  group: 'Authentication',
  summary: 'Create account',
  description:
    'Creates an account with its first login and starts a session, if the operator allows registration. The email is active once its verification link is opened. The response does not reveal whether another login has the email.',
  params: z.object({
    account_name: name,
    alias: z.string({ error: 'must be a string' }),
    email,
    password,
  }),
  response: sessionResponse,
  errors: ['csrfFailed', 'routeNotFound'],
  async handle(deps, { input, user, origin }) {
    const { db, throttle, selfRegistration } = deps
    if (!selfRegistration)
      throw new ApiError('routeNotFound', 'Registration is disabled. Ask the operator for an account.')
    validateEmail(input.email)
    await throttle.claimEmail(origin.ip)
    const { account_name, ...login } = input
    const requested = { name: account_name, login }
    const share = hashShare({ kind: 'anonymous' }, origin.ip)
    const { accountId, loginId } = await createAccount(deps, 'visitor', requested, share)
    if (loginId === undefined) throw new Error('account created without a login')
    const session = await db
      .transaction()
      .execute((trx) => createBrowserSession(deps, trx, { accountId, loginId, origin, previous: user }))
    // Without a mail server the email stays unverified, and users sign in with the alias.
    if (deps.mail !== undefined)
      await sendVerification(deps, loginId, login.email, origin).catch(ignoreApiError)
    return presentNewSession(deps, session)
  },
})

/** Ignores throttled emails. The account exists anyway, and the user can request a link later. */
function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}
