/**
 * The session cookie and its CSRF checks. Browsers send the cookie automatically, so calls that change data must prove
 * that a page of this service made them. Reads are rejected if the browser says that another site made them.
 */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../model/errors.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import { cookieAttributes, hostCookieName, readCookie } from './cookies.ts'

type Headers = IncomingMessage['headersDistinct']

const name = 'hookline'

export function sessionToken(headers: Headers, baseUrl: URL): string | undefined {
  const value = readCookie(headers, hostCookieName(baseUrl, name))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

export function sessionCookie(baseUrl: URL, token: string, expiresAt: Date): string {
  return `${hostCookieName(baseUrl, name)}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes(baseUrl)}`
}

export function clearedCookie(baseUrl: URL): string {
  return `${hostCookieName(baseUrl, name)}=; Max-Age=0; ${attributes(baseUrl)}`
}

/** Uses Lax, because OAuth apps send users here from another site, and the session must stay valid. */
function attributes(baseUrl: URL): string {
  return cookieAttributes(baseUrl, 'Lax')
}

/** Browsers send `Origin` with every call that can change data, and pages cannot forge it. */
export function verifyOrigin(headers: Headers, baseUrl: URL): void {
  const [origin, ...others] = headers.origin ?? []
  if (origin !== baseUrl.origin || others.length > 0)
    throw new ApiError(
      'csrfFailed',
      `CSRF check failed. This call must come from a page of ${baseUrl.origin}.`,
    )
}

/** Rejects reads that another site causes, such as a link to an export. Browsers without the header are accepted. */
export function verifyFetchSite(headers: Headers): void {
  const sites = headers['sec-fetch-site'] ?? []
  if (!sites.every((site) => site === 'same-origin' || site === 'none'))
    throw new ApiError(
      'csrfFailed',
      'CSRF check failed. Another site made this call. Open it from the dashboard.',
    )
}

export function verifyCsrfToken(headers: Headers, expected: string): void {
  const [sent = '', ...others] = headers['x-csrf-token'] ?? []
  if (!isSameSecret(sent, expected) || others.length > 0)
    throw new ApiError(
      'csrfFailed',
      'CSRF check failed. X-CSRF-Token is missing or belongs to another session. Reload the page.',
    )
}
