/** The two signatures of a request. */
import { createHash, createHmac } from 'node:crypto'

/** Returns undefined for a secret without a key, with which anyone could sign. */
export function standardSignature(
  secret: string,
  { id, timestamp }: { id: string; timestamp: string },
  content: string | Uint8Array,
): string | undefined {
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) return undefined
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest('base64')
}

export function accountSignature(
  key: string,
  { timestamp, nonce, method, url }: { timestamp: string; nonce: string; method: string; url: string },
  content: string | Uint8Array,
): string {
  const md5 = createHash('md5').update(content).digest('hex')
  const lines = [timestamp, nonce, method.toUpperCase(), url, md5]
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}
