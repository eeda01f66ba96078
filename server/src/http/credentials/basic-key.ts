/** `Authorization: basic <API key>`: the key itself, without Base64, as the contract has it. */
import { authorizationSecrets, type Credential } from './credential.ts'
import type { VerifyKey } from './verify-key.ts'

export function basicKey(verifyKey: VerifyKey): Credential {
  const kind = 'basic-key'
  return {
    kind,
    find: (source) => authorizationSecrets(source, 'basic').map((secret) => ({ kind, secret })),
    verify: (presented, ip) => verifyKey(kind, presented.secret, ip),
  }
}
