/** Reads request cookies and builds cookie attributes. */
import type { IncomingMessage } from 'node:http'

/** Returns the value of a cookie. Ignores duplicates, because one of them may be planted by an attacker. */
export function readCookie(headers: IncomingMessage['headersDistinct'], name: string): string | undefined {
  const found = cookieValues(headers, new Set([name]))
  return found.length === 1 ? found[0] : undefined
}

/** Returns the values of all cookies with one of these names. */
export function cookieValues(
  headers: IncomingMessage['headersDistinct'],
  names: ReadonlySet<string>,
): string[] {
  return (headers.cookie ?? [])
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim().split('='))
    .flatMap(([name = '', value = '']) => (names.has(name) ? [value] : []))
}

/** Adds the prefix that makes browsers restrict a cookie to one host, one path and HTTPS. */
export function hostCookieName(baseUrl: URL, name: string): string {
  return baseUrl.protocol === 'https:' ? `__Host-${name}` : name
}

export function cookieAttributes(baseUrl: URL, sameSite: 'Lax' | 'Strict'): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${baseUrl.protocol === 'https:' ? '; Secure' : ''}`
}
