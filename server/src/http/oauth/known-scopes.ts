/**
 * Removes unknown scopes from the URL of an authorization request. Apps that were written for the original service request
 * its scopes, such as `sms`, beside those of Hookline. A request without a known scope, or for `all`, is left to fail.
 */
import { isAppScope } from '../../identity/oauth/app-scopes.ts'

export function withKnownScopes(url: string): string {
  const [path = '', query = ''] = splitOnce(url, '?')
  const params = new URLSearchParams(query)
  const scopes = params.getAll('scope').join(' ').split(' ')
  const known = scopes.filter(isAppScope)
  const isUnchanged = known.length === 0 || known.length === scopes.length
  if (isUnchanged || scopes.includes('all') || params.getAll('scope').length > 1) return url
  params.set('scope', known.join(' '))
  return `${path}?${params.toString()}`
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
