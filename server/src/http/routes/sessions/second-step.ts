import type { LoginHolder } from '../../../identity/accounts/authenticate-login.ts'
import { verifySecondFactor } from '../../../identity/accounts/second-factor.ts'
import { requestOptions } from '../../../identity/passkeys/options.ts'
import type { CheckedPasskey } from '../../../identity/passkeys/use-passkey.ts'
import type { Assertion } from '../../../identity/passkeys/verify-responses.ts'
import { ApiError } from '../../../model/errors.ts'
import type { ApiDeps } from '../../operation/operation.ts'
import { checkThrottled } from '../passkeys/check-throttled.ts'

interface SecondStep {
  code: string | undefined
  passkey: Assertion | undefined
  ip: string
}

/**
 * Verifies the second factor after the right password. Returns a passkey, which the transaction of the session must spend.
 * Without a factor, the error has the methods of the login, and the options for its passkeys.
 */
export async function verifySecondStep(
  deps: ApiDeps,
  { loginId, trust, hasApp, hasPasskey }: LoginHolder,
  { code, passkey: assertion, ip }: SecondStep,
): Promise<CheckedPasskey | undefined> {
  const purpose = { kind: 'second-factor', loginId } as const
  if (assertion !== undefined)
    return checkThrottled(deps, (check) => deps.throttle.tryCode({ loginId, trust }, check), {
      assertion,
      purpose,
      loginId,
      ip,
    })
  if (code === undefined || code === '')
    throw new ApiError('secondFactorRequired', messageFor(hasApp, hasPasskey), {
      details: {
        allowed: [...(hasApp ? ['code'] : []), 'recovery_code', ...(hasPasskey ? ['passkey'] : [])],
        ...(hasPasskey && { passkey_options: await requestOptions(deps, purpose, loginId) }),
      },
    })
  await verifySecondFactor(deps, { loginId, code, ip, trust, nowMs: deps.clock.now() })
  return undefined
}

function messageFor(hasApp: boolean, hasPasskey: boolean): string {
  if (!hasPasskey) return 'Two-factor code required. Enter the code of your authenticator app.'
  return hasApp
    ? 'Second factor required. Use a passkey, or enter the code of your authenticator app.'
    : 'Second factor required. Use a passkey, or enter a recovery code.'
}
