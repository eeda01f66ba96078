/** Says why a provider or its response was rejected, for the person who signs in and the owner who fixes it. Pure. */
import * as openid from 'openid-client'

/** Codes of OAuth and OpenID Connect, which are safe to show. Other text of a provider is not. */
const errorCode = /^[a-z_]{1,40}$/
const retry = 'Start again. If the problem persists, ask an owner of the account to check the settings.'

/** Claims and fields whose mismatch has a name. */
const mismatches: Readonly<Record<string, string>> = {
  aud: 'The ID token is for another client.',
  azp: 'The ID token is for another client.',
  exp: 'The ID token has expired. Check the clock of the provider.',
  iat: 'The ID token has no valid time. Check the clock of the provider.',
  nbf: 'The ID token is not valid yet. Check the clock of the provider.',
  iss: 'The ID token is from another issuer.',
  nonce: 'The ID token belongs to another sign-in.',
}

export function describeFailure(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError)
    return `The identity provider denied the sign-in${codeOf(error.error)}. ${retry}`
  if (error instanceof openid.ResponseBodyError)
    return `The identity provider rejected the client or the code${codeOf(error.error)}. ${retry}`
  // Most providers answer so to a wrong secret, RFC 6749 section 5.2.
  if (error instanceof openid.WWWAuthenticateChallengeError)
    return `The identity provider rejected the client ID or the client secret. ${retry}`
  const [reason, claim] = detailsOf(error)
  if (reason !== undefined) return `The identity provider cannot be used: ${reason} ${retry}`
  const mismatch = claim === undefined ? undefined : mismatches[claim]
  return mismatch === undefined
    ? `The identity provider sent a response that is not valid. ${retry}`
    : `${mismatch} ${retry}`
}

/** For the owner who enters the issuer: says what was fetched. */
export function describeUnusableIssuer(error: unknown, issuer: string): string {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const [reason] = detailsOf(error)
  if (reason !== undefined) return `${url} cannot be fetched: ${reason} Check the issuer.`
  const named = issuerOf(error)
  return named === undefined
    ? `The configuration at ${url} is not valid. Check the issuer.`
    : describeOtherIssuer(named, issuer)
}

/** Shows no other text of a provider than a URL, or a template of one. */
export function describeOtherIssuer(named: unknown, issuer: string): string {
  const isShown = typeof named === 'string' && /^https?:\/\/[\w.:/{}~-]{1,200}$/.test(named)
  return `The provider names ${isShown ? `the issuer "${named}"` : 'another issuer'}, not "${issuer}".`
}

/** The issuer in a configuration that was rejected for it. */
function issuerOf(error: unknown): unknown {
  const details = error instanceof Error ? error.cause : undefined
  const cause = details instanceof Error ? details.cause : details
  if (!(cause instanceof Object) || !('attribute' in cause) || cause.attribute !== 'issuer') return undefined
  return 'body' in cause && cause.body instanceof Object && 'issuer' in cause.body
    ? cause.body.issuer
    : undefined
}

function codeOf(code: string): string {
  return errorCode.test(code) ? ` (${code})` : ''
}

/** Follows the causes of an error to a failed fetch or a claim. */
function detailsOf(error: unknown): [reason?: string | undefined, claim?: string | undefined] {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 5; depth++) {
    if ('publicReason' in cause && typeof cause.publicReason === 'string') return [cause.publicReason]
    if ('claim' in cause && typeof cause.claim === 'string') return [undefined, cause.claim]
    cause = 'cause' in cause ? cause.cause : undefined
  }
  return []
}
