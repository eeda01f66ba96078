/** Code examples that verify the webhook signature. The secret comes from the environment. */
export const verifySnippets = [
  {
    title: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw request body; for GET, the raw query string
export function isFromHookline(headers, body, secret = process.env.WEBHOOK_SECRET) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature'] ?? ''
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const isValid = signatures.split(' ').some((signature) => {
    const received = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return received.length === expected.length && timingSafeEqual(received, expected)
  })
  return isFresh && isValid
}`,
  },
  {
    title: 'PHP',
    text: `<?php
function isFromHookline(): bool {
    $secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) return false;
    // for GET, the raw query string
    $body = $_SERVER['REQUEST_METHOD'] === 'GET' ? $_SERVER['QUERY_STRING'] : file_get_contents('php://input');
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals("v1,$expected", $signature)) return true;
    }
    return false;
}`,
  },
] as const
