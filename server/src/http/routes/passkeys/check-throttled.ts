import { type CheckedPasskey, checkPasskey, invalidPasskey } from '../../../identity/passkeys/use-passkey.ts'
import type { ApiDeps } from '../../operation/operation.ts'

type Check = Omit<Parameters<typeof checkPasskey>[1], 'onInvalid'>

/** Checks a passkey within an allowance, and records an invalid response as a failed sign-in. Throws if it is not valid. */
export async function checkThrottled(
  deps: ApiDeps,
  within: (check: () => Promise<boolean>) => Promise<boolean>,
  check: Check & { ip: string },
): Promise<CheckedPasskey> {
  let passkey: CheckedPasskey | undefined
  await within(async () => {
    const onInvalid = (loginId: number) => deps.onFailedLogin(loginId, check.ip)
    passkey = await checkPasskey(deps, { ...check, onInvalid })
    return passkey !== undefined
  })
  if (passkey === undefined) throw invalidPasskey()
  return passkey
}
