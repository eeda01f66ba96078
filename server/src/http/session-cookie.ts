/**
 * The cookie of a sign-in, and what a call made with it must prove: that a page of ours made it. Only then does the cookie,
 * which browsers send by themselves, count as a credential for anything but reading.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../model/errors.ts'

type Headers = IncomingMessage['headersDistinct']

/** Browsers keep a cookie with this prefix to one host, one path and encrypted connections. */
function cookieName(baseUrl: URL): string {
  return baseUrl.protocol === 'https:' ? '__Host-hookline' : 'hookline'
}

/** Two cookies of the name mean that somebody planted one: then neither counts. */
export function sessionToken(headers: Headers, baseUrl: URL): string | undefined {
  const name = cookieName(baseUrl)
  const found = (headers.cookie ?? [])
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim().split('='))
    .filter(([own]) => own === name)
  const [, value] = found.length === 1 ? (found[0] ?? []) : []
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

export function sessionCookie(baseUrl: URL, token: string, expiresAt: Date): string {
  return `${cookieName(baseUrl)}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes(baseUrl)}`
}

export function clearedCookie(baseUrl: URL): string {
  return `${cookieName(baseUrl)}=; Max-Age=0; ${attributes(baseUrl)}`
}

/** Lax: an app that asks for access sends people here from its own site, and they should not have to sign in again. */
function attributes(baseUrl: URL): string {
  return `Path=/; HttpOnly; SameSite=Lax${baseUrl.protocol === 'https:' ? '; Secure' : ''}`
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
