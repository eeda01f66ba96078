/**
 * Identifies the caller by one of five kinds of credential. Two different credentials in one call are rejected, not
 * ranked. The same value sent in two ways must be valid in both.
 */
import { type Caller, type CredentialKind, deprecatedKinds } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import { authorizationLines, type Credential, type CredentialSource, type Presented } from './credential.ts'

/** Returns undefined for a call without credentials. */
export type Authenticate = (source: CredentialSource) => Promise<Caller | undefined>

export function createAuthenticate(
  credentials: readonly Credential[],
  disabledKinds: readonly CredentialKind[],
): Authenticate {
  return async (source) => {
    rejectUnknownSchemes(source)
    const presented = credentials.flatMap((credential) => credential.find(source))
    rejectDifferent(presented)
    const isDisabled = presented.some(({ kind }) => disabledKinds.includes(kind))
    if (isDisabled)
      throw new ApiError(
        'credentialDisabled',
        'Authentication method disabled. Send an API key as "X-Api-Key: <key>".',
      )
    // The same value sent in two ways must be valid in both. A deprecated kind wins, so that the response warns about it.
    let caller: Caller | undefined
    for (const credential of credentials) {
      const match = presented.find(({ kind }) => kind === credential.kind)
      if (match === undefined) continue
      const verified = await credential.verify(match, source.ip)
      if (caller === undefined || deprecatedKinds.has(verified.kind)) caller = verified
    }
    return caller
  }
}

function rejectUnknownSchemes(source: CredentialSource): void {
  const isUnknown = authorizationLines(source).some(({ scheme }) => scheme !== 'basic' && scheme !== 'bearer')
  if (isUnknown)
    throw new ApiError(
      'authenticationFailed',
      'The Authorization header must be "Basic <API key>" or "Bearer <access token>".',
    )
}

function rejectDifferent([first, ...others]: readonly Presented[]): void {
  if (others.some((other) => other.secret !== first?.secret || other.login !== first.login))
    throw new ApiError(
      'multipleCredentials',
      'Different credentials were sent in one call. Send exactly one.',
    )
}

export function credentialsMissing(): ApiError {
  return new ApiError(
    'authenticationFailed',
    'Credentials are missing. Send an API key as "X-Api-Key: <key>".',
  )
}
