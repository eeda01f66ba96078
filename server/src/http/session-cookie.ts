/**
 * The cookie of a sign-in, and what a call made with it must prove: that a page of ours made it. Only then does the cookie,
 * which browsers send by themselves, count as a credential for anything but reading.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../model/errors.ts'
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

/** Lax: an app that asks for access sends people here from its own site, and they should not have to sign in again. */
function attributes(baseUrl: URL): string {
  return cookieAttributes(baseUrl, 'Lax')
}

/** A browser names the origin of every call that could change something, and no page can lie about its own. */
export function judgeOrigin(headers: Headers, baseUrl: URL): void {
  const [origin, ...others] = headers.origin ?? []
  if (origin !== baseUrl.origin || others.length > 0)
    throw new Refusal('crossSite', `This call must come from a page of ${baseUrl.origin}.`)
}

export function judgeCsrfToken(headers: Headers, expected: string): void {
  const [given = '', ...others] = headers['x-csrf-token'] ?? []
  const isSame =
    Buffer.byteLength(given) === Buffer.byteLength(expected) &&
    timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (!isSame || others.length > 0)
    throw new Refusal(
      'crossSite',
      'The header X-CSRF-Token is missing or belongs to another sign-in. Reload the page and try again.',
    )
}
