/**
 * Both signatures of a delivery. `webhook-signature` follows Standard Webhooks, with a secret for each hook;
 * `x-signature` is what existing receivers verify, with one key an account. Timestamps and nonce are fresh each time.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto'

export interface SigningKeys {
  /** Of the hook, newest first; two while a rotation overlaps. */
  hookSecrets: readonly KeyObject[]
  accountKey: KeyObject
}

interface Signable {
  eventId: string
  method: 'GET' | 'POST'
  /** The address as it was registered, which is what existing receivers know. */
  registeredUrl: string
  /** The raw body; for a GET the raw query string that is sent. */
  content: string
  body: string
  atSeconds: number
  /** 32 characters, fresh for each attempt. */
  nonce: string
}

export function signatureHeaders(keys: SigningKeys, request: Signable): Record<string, string> {
  const timestamp = String(request.atSeconds)
  return {
    'webhook-id': request.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.hookSecrets
      .map((secret) => `v1,${standardSignature(secret, request.eventId, timestamp, request.content)}`)
      .join(' '),
    'x-signature': accountSignature(keys.accountKey, request, timestamp),
    'x-timestamp': timestamp,
    'x-nonce': request.nonce,
  }
}

function standardSignature(secret: KeyObject, id: string, timestamp: string, content: string): string {
  return createHmac('sha256', secret).update(`${id}.${timestamp}.${content}`).digest('base64')
}

function accountSignature(key: KeyObject, request: Signable, timestamp: string): string {
  const bodyHash = hash('md5', request.body)
  const lines = [timestamp, request.nonce, request.method, request.registeredUrl, bodyHash]
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}
