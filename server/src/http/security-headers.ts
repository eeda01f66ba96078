/** Headers on every answer. Answers hold an account's data, so nothing may keep, frame, sniff or execute them. */
const everywhere = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export function securityHeaders(baseUrl: URL): Record<string, string> {
  return baseUrl.protocol === 'https:'
    ? { ...everywhere, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : everywhere
}
