/** `X-Api-Key: <API key>`, the recommended credential. */
import type { Credential } from './credential.ts'
import type { VerifyKey } from './verify-key.ts'

export function headerKey(verifyKey: VerifyKey): Credential {
  const kind = 'header-key'
  return {
    kind,
    find: (source) =>
      (source.headers['x-api-key'] ?? [])
        .map((line) => line.trim())
        .filter((secret) => secret !== '')
        .map((secret) => ({ kind, secret })),
    verify: (presented, ip) => verifyKey(kind, presented.secret, ip),
  }
}
