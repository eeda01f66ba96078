/**
 * Where an app's people are sent back to, with the code. The address is compared letter by letter, so it must be written
 * in the one way that browsers will read it. Pure.
 */
import { Refusal } from '../../model/errors.ts'

const mostUris = 10
const longestUri = 2_048
const loopbacks = new Set(['127.0.0.1', '[::1]'])

interface Judged {
  isPublic: boolean
  /** Ours: codes of apps have no business here. */
  ownHost: string
}

export function judgeRedirectUris(given: readonly string[], app: Judged): string[] {
  if (given.length === 0 || given.length > mostUris || new Set(given).size !== given.length)
    throw new Refusal(
      'parameterInvalid',
      `The parameter "redirect_uris" must have 1 to ${mostUris} different addresses.`,
    )
  for (const uri of given) {
    const why = whyNot(uri, app)
    if (why !== undefined)
      throw new Refusal('parameterInvalid', `The parameter "redirect_uris" has an address that ${why}.`)
  }
  return [...given]
}

function whyNot(uri: string, { isPublic, ownHost }: Judged): string | undefined {
  if (uri.length > longestUri) return `is longer than ${longestUri} characters`
  if (!/^[!-~]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) return 'has characters that an address cannot have'
  if (uri.includes('#')) return 'has a fragment (#)'
  if (uri.includes('*')) return 'has a wildcard (*); register each address'
  const url = URL.parse(uri)
  if (url === null) return 'is not a complete address such as https://app.example.com/callback'
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?]*@/.test(uri)) return 'has user info (@)'
  if (url.href !== uri && url.href !== `${uri}/`) return `is not written as browsers write it: ${url.href}`
  if (url.host === ownHost) return 'is one of this service'
  return whyNotScheme(url, isPublic)
}

function whyNotScheme({ protocol, hostname }: URL, isPublic: boolean): string | undefined {
  if (protocol === 'https:') return undefined
  if (!isPublic) return 'does not start with https://'
  if (protocol === 'http:')
    return loopbacks.has(hostname)
      ? undefined
      : 'starts with http://, which only http://127.0.0.1 and http://[::1] of public apps may'
  // A scheme of the app's own is named by a domain of its publisher's (RFC 8252, 7.1), which also rules out all others.
  return protocol.includes('.')
    ? undefined
    : 'has a scheme that is neither https nor the name of a domain such as com.example.app'
}
