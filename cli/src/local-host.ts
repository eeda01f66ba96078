import { isIPv4 } from 'node:net'

/** Whether a host name can only be this machine. Brackets around IPv6 addresses as in URLs. */
export function isLocalHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}
