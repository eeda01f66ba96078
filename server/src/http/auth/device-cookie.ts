/** The cookie of a known browser (`identity/accounts/devices.ts`). `SameSite=Strict`, because only the dashboard needs it. */
import type { IncomingMessage } from 'node:http'
import type { IssuedDevice } from '../../identity/accounts/devices.ts'
import { cookieAttributes, hostCookieName, readCookie } from './cookies.ts'

const name = 'hookline-device'

export function deviceToken(headers: IncomingMessage['headersDistinct'], baseUrl: URL): string | undefined {
  return readCookie(headers, hostCookieName(baseUrl, name))
}

export function deviceCookie(baseUrl: URL, { token, expiresAt }: IssuedDevice): string {
  const attributes = cookieAttributes(baseUrl, 'Strict')
  return `${hostCookieName(baseUrl, name)}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes}`
}
