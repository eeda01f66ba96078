/**
 * Removes unknown scopes from the URL of an authorization request. Apps that were written for the original service request
 * its scopes, such as `sms`, beside those of Hookline. A request without a known scope, or for `all`, is left to fail.
 */
import { isAppScope } from '../../identity/oauth/app-scopes.ts'

export function withKnownScopes(url: string): string {
  const [path = '', ...query] = url.split('?')
  const params = new URLSearchParams(query.join('?'))
  const [scope = '', ...others] = params.getAll('scope')
  const scopes = scope.split(' ')
  const known = scopes.filter(isAppScope)
  const hasBoth = known.length > 0 && known.length < scopes.length
  if (!hasBoth || scopes.includes('all') || others.length > 0) return url
  params.set('scope', known.join(' '))
  return `${path}?${params.toString()}`
}
