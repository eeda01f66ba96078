/** Makes a genuine request, for the tests of a receiver. */
import { randomUUID } from 'node:crypto'
import type { SignedRequest } from './request.ts'
import { accountSignature, standardSignature } from './signature.ts'

export interface TestEvent {
  webhook_event: string
  data: Record<string, unknown>
}

export interface TestRequest extends SignedRequest {
  headers: Record<string, string>
  body: string
}

interface SignOptions {
  secret: string
  /** Of the account, for `x-signature`. */
  signingKey?: string
  url?: string
  id?: string
  now?: Date
}

/** Returns a request in the format JSON, signed with the secret. */
export function sign(
  { webhook_event: type, data }: TestEvent,
  { secret, signingKey, url = 'http://localhost/', id = randomUUID(), now = new Date() }: SignOptions,
): TestRequest {
  const at = `${now.toISOString().slice(0, 19)}+00:00`
  const body = JSON.stringify({ data, webhook_event: type, webhook_timestamp: at })
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = standardSignature(secret, { id, timestamp }, body) ?? ''
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'x-hookline-attempt': '1',
  }
  if (signingKey !== undefined) {
    const nonce = randomUUID().replaceAll('-', '')
    const signed = { timestamp, nonce, method: 'POST', url }
    headers['x-signature'] = accountSignature(signingKey, signed, body)
    headers['x-timestamp'] = timestamp
    headers['x-nonce'] = nonce
  }
  return { method: 'POST', url, query: '', headers, body }
}
