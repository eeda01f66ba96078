import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** headers: req.headers. url: the URL as registered. body: the raw body, empty for GET. */
export function verifyXSignature(signingKey, headers, method, url, body) {
  // Anyone can sign with an empty key.
  if (signingKey === '') return false
  const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature = '' } = headers
  const bodyHash = createHash('md5').update(body).digest('hex')
  const lines = [timestamp, nonce, method, url, bodyHash].join('\n')
  const expected = Buffer.from(createHmac('sha256', signingKey).update(lines).digest('hex'))
  const received = Buffer.from(signature)
  const isGenuine = received.length === expected.length && timingSafeEqual(received, expected)
  return isGenuine && Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
}
