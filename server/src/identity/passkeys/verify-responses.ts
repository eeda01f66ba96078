/**
 * Verifies responses of authenticators with a library. Its errors describe the response of the caller, so each of them
 * means: not valid.
 */
import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { loadHelpers, loadLibrary } from './load-library.ts'

/** Responses as JSON, as browsers serialize them. Routes bound the size of each field. */
export interface Registration {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string }
}

export interface Assertion {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

interface Expected {
  baseUrl: URL
  isChallenge: (challenge: string) => boolean
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>
type AuthenticationInfo = VerifiedAuthenticationResponse['authenticationInfo']

/** Ed25519, ECDSA with P-256 and RSA with PKCS #1 v1.5, which together all authenticators support. */
export const algorithms = [-8, -7, -257]
/** Larger than an RSA key of 4,096 bits. Bounds the time of each verification. */
const maxKeyBytes = 600

export async function verifyRegistration(
  { id, rawId, type, response }: Registration,
  { baseUrl, isChallenge }: Expected,
): Promise<RegistrationInfo | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const helpers = await loadHelpers()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { ...response, attestationObject: withoutAttestation(helpers, response.attestationObject) },
        clientExtensionResults: {},
      },
      expectedChallenge: textOnly(isChallenge),
      expectedOrigin: baseUrl.origin,
      expectedRPID: baseUrl.hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo === undefined) return undefined
    const { credential } = registrationInfo
    // The library takes the id of the authenticator data, whose length nothing has bounded.
    const isAcceptable = credential.id === id && credential.publicKey.length <= maxKeyBytes
    return isAcceptable ? registrationInfo : undefined
  } catch {
    return undefined
  }
}

/** The library parses the challenge out of JSON of the caller, so it can be any value, such as an object with a huge length. */
function textOnly(isChallenge: Expected['isChallenge']): (challenge: unknown) => boolean {
  return (challenge) => typeof challenge === 'string' && isChallenge(challenge)
}

/**
 * Removes the attestation statement, which nothing here relies on. To verify one, the library would parse certificates of
 * the caller and download revocation lists from the URLs in them.
 */
function withoutAttestation(
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Awaited<ReturnType<typeof loadHelpers>>,
  attestationObject: string,
): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const statement = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(statement))
}

/** The caller compares the counter, because of two concurrent responses only one may be newer. */
export async function verifyAssertion(
  { id, rawId, type, response }: Assertion,
  publicKey: Buffer,
  { baseUrl, isChallenge }: Expected,
): Promise<AuthenticationInfo | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { userHandle, ...signed } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: textOnly(isChallenge),
      expectedOrigin: baseUrl.origin,
      expectedRPID: baseUrl.hostname,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo : undefined
  } catch {
    return undefined
  }
}
