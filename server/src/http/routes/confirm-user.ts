/**
 * Confirmation of a signed-in user before a sensitive operation, because the browser may be unattended. In a session of single
 * sign-on, an empty password stands for a recent sign-in at the identity provider.
 */
import { confirmPassword } from '../../identity/accounts/authenticate-login.ts'
import { invalidPasskey, spendPasskey } from '../../identity/passkeys/use-passkey.ts'
import type { Assertion } from '../../identity/passkeys/verify-responses.ts'
import { ApiError } from '../../model/errors.ts'
import type { ApiDeps, Origin, SessionUser } from '../operation/operation.ts'
import { password } from './fields.ts'
import { checkThrottled } from './passkeys/check-throttled.ts'
import { assertion } from './passkeys/params.ts'

/** Parameters of operations that need a confirmation. */
export const confirmation = {
  password: password.optional().meta({ description: 'Your password. Required without `passkey`.' }),
  passkey: assertion.optional().meta({
    description:
      'Your passkey in place of the password: its response to the options of `POST /api/session/confirm/options`.',
  }),
}

interface Confirmation {
  password?: string | undefined
  passkey?: Assertion | undefined
}

/** `field` is the name of the password parameter. */
export async function requireConfirmation(
  deps: ApiDeps,
  { id: sessionId, accountId, loginId, sso }: SessionUser,
  { password: inputPassword, passkey }: Confirmation,
  { ip }: Origin,
  field = 'password',
): Promise<void> {
  if (passkey === undefined && inputPassword === undefined)
    throw new ApiError('parameterMissing', `The parameter "${field}" is missing. Send it, or "passkey".`, {
      field,
    })
  if (passkey !== undefined && inputPassword !== undefined)
    throw new ApiError('parameterConflict', `Send only one of "${field}" and "passkey".`, { field })
  if (sso !== null && inputPassword === '') return requireProvider(sso)
  const ssoAccountId = sso === null ? undefined : accountId
  if (inputPassword !== undefined)
    return confirmPassword(deps, { loginId, ssoAccountId, password: inputPassword, ip })
  // Its identity provider could use up the allowance of the login.
  if (sso !== null) throw invalidPasskey()
  if (passkey !== undefined) await confirmPasskey(deps, { sessionId, loginId, assertion: passkey, ip })
}

function requireProvider({ confirmedUntil }: NonNullable<SessionUser['sso']>): void {
  if (confirmedUntil === null)
    throw new ApiError(
      'ssoConfirmationRequired',
      'Sign in with the identity provider again to confirm, or enter your password.',
    )
}

async function confirmPasskey(
  deps: ApiDeps,
  call: { sessionId: number; loginId: number; assertion: Assertion; ip: string },
): Promise<void> {
  const { sessionId, loginId, assertion: sent, ip } = call
  const passkey = await checkThrottled(
    deps,
    (check) => deps.throttle.tryCode({ loginId, trust: { kind: 'session', loginId } }, check),
    { assertion: sent, purpose: { kind: 'confirm', sessionId }, loginId, ip },
  )
  await deps.db.transaction().execute((trx) => spendPasskey(trx, passkey))
}
