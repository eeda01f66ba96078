/**
 * One caller from five kinds of credential. A call has exactly one: two different ones are refused rather than ranked,
 * and an invalid one is never passed over in favour of another.
 */
import { type Caller, type CredentialKind, deprecatedKinds } from '../model/caller.ts'
import { Refusal } from '../model/errors.ts'
import {
  authorizationLines,
  type Credential,
  type CredentialSource,
  type Presented,
} from './credentials/credential.ts'

/** Undefined: there is none. */
export type Authenticate = (source: CredentialSource) => Promise<Caller | undefined>

export function createAuthenticate(
  credentials: readonly Credential[],
  switchedOff: readonly CredentialKind[],
): Authenticate {
  return async (source) => {
    refuseUnknownSchemes(source)
    const presented = credentials.flatMap((credential) => credential.find(source))
    refuseDifferent(presented)
    const off = presented.find(({ kind }) => switchedOff.includes(kind))
    if (off !== undefined)
      throw new Refusal(
        'credentialSwitchedOff',
        'This way of sending credentials is switched off here. Send an API key as "X-Api-Key: <key>".',
      )
    // The same value sent in two ways must be valid in both. Of these, a deprecated one counts: its sender should be told.
    let caller: Caller | undefined
    for (const credential of credentials) {
      const own = presented.find(({ kind }) => kind === credential.kind)
      if (own === undefined) continue
      const verified = await credential.verify(own, source.ip)
      if (caller === undefined || deprecatedKinds.has(verified.kind)) caller = verified
    }
    return caller
  }
}

function refuseUnknownSchemes(source: CredentialSource): void {
  const unknown = authorizationLines(source).some(({ scheme }) => scheme !== 'basic' && scheme !== 'bearer')
  if (unknown)
    throw new Refusal(
      'authenticationFailed',
      'The Authorization header must be "Basic <API key>" or "Bearer <access token>".',
    )
}

function refuseDifferent([first, ...others]: readonly Presented[]): void {
  if (others.some((other) => other.secret !== first?.secret || other.login !== first.login))
    throw new Refusal('severalCredentials', 'Different credentials were sent in one call. Send exactly one.')
}

export function credentialsMissing(): Refusal {
  return new Refusal(
    'authenticationFailed',
    'Credentials are missing. Send an API key as "X-Api-Key: <key>".',
  )
}
