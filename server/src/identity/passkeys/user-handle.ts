import type { Vault } from '../../vault/vault.ts'

/** Random to everyone else: authenticators show or sync it, so it contains no name and no id. */
export function userHandleOf(vault: Vault, loginId: number): string {
  return vault.digest(String(loginId), 'passkey-user').toString('base64url')
}
