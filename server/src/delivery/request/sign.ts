/**
 * The two signatures of a delivery. `webhook-signature` follows Standard Webhooks, with a secret per hook.
 * `x-signature` is the one that existing receivers verify, with one key per account. Timestamps and nonce are new on
 * each attempt.
 */
import { hash, type KeyObject } from 'node:crypto'
import { accountSignature } from '../../model/account-signature.ts'
import { hmacSha256 } from '../../model/hmac.ts'

export interface SigningKeys {
  /** Secrets of the hook, newest first. There are two while a rotation overlaps. */
  hookSecrets: readonly KeyObject[]
  /** The current key of the account, and during a rotation the next one. */
  signingKeys: readonly KeyObject[]
}

interface Signable {
  eventId: string
  method: 'GET' | 'POST'
  /** The URL in `x-signature`: as registered, or the complete URL of a GET if the hook is set so. */
  signedUrl: string
  /** The raw body; for a GET the raw query string. */
  content: string
  body: string
  atSeconds: number
  /** 32 characters, new on each attempt. */
  nonce: string
}

export function signatureHeaders(keys: SigningKeys, request: Signable): Record<string, string> {
  const timestamp = String(request.atSeconds)
  const [currentKey, nextKey] = keys.signingKeys
  if (currentKey === undefined) throw new Error('no signing key')
  const { nonce, method, signedUrl: url } = request
  const signed = { timestamp, nonce, method, url, bodyMd5: hash('md5', request.body) }
  return {
    'webhook-id': request.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.hookSecrets
      .map((secret) => `v1,${standardSignature(secret, request.eventId, timestamp, request.content)}`)
      .join(' '),
    'x-signature': accountSignature(currentKey, signed),
    ...(nextKey !== undefined && { 'x-hookline-next-signature': accountSignature(nextKey, signed) }),
    'x-timestamp': timestamp,
    'x-nonce': nonce,
  }
}

function standardSignature(secret: KeyObject, id: string, timestamp: string, content: string): string {
  return hmacSha256(secret, `${id}.${timestamp}.${content}`, 'base64')
}
