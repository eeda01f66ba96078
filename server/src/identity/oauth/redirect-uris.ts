/**
 * Validates redirect URIs of apps. URIs are compared as exact strings, so they must be in the normalized form of browsers.
 * Pure.
 */
import { ApiError } from '../../model/errors.ts'

const maxUris = 10
const maxUriLength = 2_048
const loopbacks = new Set(['127.0.0.1', '[::1]'])

interface RedirectUriContext {
  isPublic: boolean
  /** Host of this service, which apps cannot use. */
  ownHost: string
}

export function validateRedirectUris(input: readonly string[], app: RedirectUriContext): string[] {
  if (input.length === 0 || input.length > maxUris || new Set(input).size !== input.length)
    throw new ApiError(
      'parameterInvalid',
      `The parameter "redirect_uris" must have 1 to ${maxUris} different URIs.`,
      { field: 'redirect_uris' },
    )
  for (const uri of input) {
    const problem = findProblem(uri, app)
    if (problem !== undefined)
      throw new ApiError('parameterInvalid', `The parameter "redirect_uris" has a URI that ${problem}.`, {
        field: 'redirect_uris',
      })
  }
  return [...input]
}

function findProblem(uri: string, { isPublic, ownHost }: RedirectUriContext): string | undefined {
  if (uri.length > maxUriLength) return `is longer than ${maxUriLength} characters`
  if (!/^[!-~]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) return 'has invalid characters'
  if (uri.includes('#')) return 'has a fragment (#)'
  if (uri.includes('*')) return 'has a wildcard (*). Register each URI'
  const url = URL.parse(uri)
  if (url === null) return 'is not an absolute URI such as https://app.example.com/callback'
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?]*@/.test(uri)) return 'has user info (@)'
  if (url.href !== uri && url.href !== `${uri}/`) return `is not normalized. Use ${url.href}`
  if (url.host === ownHost) return 'points to this service'
  return findSchemeProblem(url, isPublic)
}

function findSchemeProblem({ protocol, hostname }: URL, isPublic: boolean): string | undefined {
  if (protocol === 'https:') return undefined
  if (!isPublic) return 'does not start with https://'
  if (protocol === 'http:')
    return loopbacks.has(hostname)
      ? undefined
      : 'uses http://, which is allowed only for http://127.0.0.1 and http://[::1] of public apps'
  // A private scheme must be a reversed domain name of the publisher (RFC 8252, 7.1), which excludes all other schemes.
  return protocol.includes('.')
    ? undefined
    : 'has a scheme that is neither https nor a reversed domain name such as com.example.app'
}
