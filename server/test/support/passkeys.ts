import type { SignedIn } from './browser-session.ts'
import type { CallResponse } from './http-call.ts'
import type { createAuthenticator, Forgery, Passkey } from './passkey-authenticator.ts'

interface NewPasskey {
  password: string
  name?: string | undefined
  forged?: Forgery
}

/** Adds a passkey to the login of a user, as the dashboard does. */
export async function addPasskey(
  user: SignedIn,
  authenticator: ReturnType<typeof createAuthenticator>,
  { password, name = 'Passkey', forged }: NewPasskey,
): Promise<{ passkey: Passkey; response: CallResponse }> {
  const { options } = (await user.call('/api/passkeys/options', { method: 'POST', json: { password } })).json
  const { passkey, registration } = authenticator.create(options, forged)
  const response = await user.call('/api/passkeys', { method: 'POST', json: { name, registration } })
  return { passkey, response }
}
