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

export type Authenticate = (source: CredentialSource) => Promise<Caller>

export function createAuthenticate(
  credentials: readonly Credential[],
  switchedOff: readonly CredentialKind[],
): Authenticate {
  return async (source) => {
    refuseUnknownSchemes(source)
    const presented = credentials.flatMap((credential) => credential.find(source))
    const chosen = chooseOne(presented)
    const off = presented.find(({ kind }) => switchedOff.includes(kind))
    if (off !== undefined)
      throw new Refusal(
        'credentialSwitchedOff',
        'This way of sending credentials is switched off here. Send an API key as "X-Api-Key: <key>".',
      )
    const credential = credentials.find(({ kind }) => kind === chosen.kind)
    if (credential === undefined) throw new Error(`no credential of kind ${chosen.kind}`)
    return credential.verify(chosen, source.ip)
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

/** Of equal ones, a deprecated one counts: it was sent, and its sender should be told. */
function chooseOne(presented: readonly Presented[]): Presented {
  const [first, ...others] = presented
  if (first === undefined)
    throw new Refusal(
      'authenticationFailed',
      'Credentials are missing. Send an API key as "X-Api-Key: <key>".',
    )
  if (others.some((other) => other.secret !== first.secret || other.login !== first.login))
    throw new Refusal('severalCredentials', 'Different credentials were sent in one call. Send exactly one.')
  return presented.find(({ kind }) => deprecatedKinds.has(kind)) ?? first
}
