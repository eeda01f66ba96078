import { lookup } from 'node:dns'
import { isIPv4, type LookupFunction } from 'node:net'

/** Whether a host name can only be this machine. Brackets around IPv6 addresses as in URLs. */
export function isLocalHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}

/** Names under `localhost` are this machine, whatever a name server says. */
export const lookupLocal: LookupFunction = (hostname, options, callback) => {
  if (!isLocalHost(hostname)) lookup(hostname, options, callback)
  else if (options.all)
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  else callback(null, '127.0.0.1', 4)
}
