/** Cookies as browsers send them and as they are set. */
import type { IncomingMessage } from 'node:http'

/** Two cookies of one name mean that somebody planted one: then neither counts. */
export function readCookie(headers: IncomingMessage['headersDistinct'], name: string): string | undefined {
  const found = (headers.cookie ?? [])
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim().split('='))
    .filter(([own]) => own === name)
  return found.length === 1 ? found[0]?.[1] : undefined
}

/** Browsers keep a cookie with this prefix to one host, one path and encrypted connections. */
export function hostCookieName(baseUrl: URL, name: string): string {
  return baseUrl.protocol === 'https:' ? `__Host-${name}` : name
}

export function cookieAttributes(baseUrl: URL, sameSite: 'Lax' | 'Strict'): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${baseUrl.protocol === 'https:' ? '; Secure' : ''}`
}
