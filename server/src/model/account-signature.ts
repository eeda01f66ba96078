/** The signature that existing clients and receivers know, the same for deliveries and calls. Pure. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { hmacSha256 } from './hmac.ts'

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
  const keyObject = typeof key === 'string' ? createSecretKey(key, 'utf8') : key
  return hmacSha256(keyObject, `${timestamp}\n${nonce}\n${method}\n${url}\n${bodyMd5}`, 'hex')
}
