import { ApiError } from '../../model/errors.ts'
import { passkeyTransports, type PasskeyTransport } from '../../model/passkey.ts'
import { type OpenChallenge, openChallenge } from './challenges.ts'
import type { NewPasskey } from './passkeys.ts'
import type { PasskeyDeps } from './use-passkey.ts'
import { type Registration, verifyRegistration } from './verify-responses.ts'

/** Returns the new passkey and its challenge, which must be spent in the transaction that adds the passkey. */
export async function checkRegistration(
  { vault, baseUrl, clock }: Pick<PasskeyDeps, 'vault' | 'baseUrl' | 'clock'>,
  registration: Registration & { response: { transports?: readonly string[] | undefined } },
  sessionId: number,
): Promise<{ passkey: NewPasskey; challenge: OpenChallenge }> {
  let challenge: OpenChallenge | undefined
  const info = await verifyRegistration(registration, {
    baseUrl,
    isChallenge(sent) {
      challenge = openChallenge(vault, { kind: 'register', sessionId }, sent, clock.now())
      return challenge !== undefined
    },
  })
  if (info === undefined || challenge === undefined) throw invalidRegistration()
  const { id, publicKey, counter } = info.credential
  const passkey = {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: passkeyTransports.filter((transport) =>
      isListed(registration.response.transports, transport),
    ),
    isSynced: info.credentialBackedUp,
  }
  return { passkey, challenge }
}

export function invalidRegistration(): ApiError {
  return new ApiError('invalidPasskey', 'Passkey not accepted. Start again, and finish within 5 minutes.')
}

/** Browsers may send transports that are newer than this list. */
function isListed(sent: readonly string[] | undefined, transport: PasskeyTransport): boolean {
  return sent?.includes(transport) ?? false
}
