import { createHmac, timingSafeEqual } from 'node:crypto'

/** headers: req.headers. content: the raw body, for GET the raw query string. */
export function verifyWebhook(secret, headers, content) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  // Anyone can sign with an empty key.
  if (key.length === 0) return false
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  const isGenuine = signatures.split(' ').some((signature) => {
    const received = Buffer.from(signature)
    return received.length === expected.length && timingSafeEqual(received, expected)
  })
  return isGenuine && Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
}
