/** The signature that existing clients and receivers know, the same for deliveries and calls. Pure. */
import { createHmac, type KeyObject } from 'node:crypto'

interface SignedRequest {
  /** In Unix seconds. */
  timestamp: string
  nonce: string
  method: string
  url: string
  /** In hexadecimal digits. */
  bodyMd5: string
}

export function accountSignature(
  key: KeyObject | string,
  { timestamp, nonce, method, url, bodyMd5 }: SignedRequest,
): string {
  return createHmac('sha256', key).update([timestamp, nonce, method, url, bodyMd5].join('\n')).digest('hex')
}
