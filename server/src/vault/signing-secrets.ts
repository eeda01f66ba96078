/**
 * Secrets that sign deliveries and calls: one per hook, for Standard Webhooks, and one key per account, for
 * `X-Signature`. They are random and sealed. Those created before secrets were sealed are derived from the vault's key
 * until their first rotation.
 */
import { randomBytes } from 'node:crypto'
import type { Vault } from './vault.ts'

const hookSecretBytes = 32
const signingKeyBytes = 32

export function createHookSecret(): Buffer {
  return randomBytes(hookSecretBytes)
}

export function sealHookSecret(vault: Vault, accountId: number, secret: Buffer): Buffer {
  return vault.seal(secret.toString('base64'), hookSecretContext(accountId))
}

/** `generation` counts rotations. Null as `sealed`: the secret is derived. */
export function openHookSecret(
  vault: Vault,
  sealed: Buffer | null,
  { accountId, hookId, generation }: { accountId: number; hookId: number; generation: number },
): Buffer {
  return sealed === null
    ? vault.digest(`${accountId}:${hookId}:${generation}`, 'hook-secret')
    : Buffer.from(vault.open(sealed, hookSecretContext(accountId)), 'base64')
}

export function createSigningKey(): string {
  return randomBytes(signingKeyBytes).toString('hex')
}

export function sealSigningKey(vault: Vault, accountId: number, key: string): Buffer {
  return vault.seal(key, signingKeyContext(accountId))
}

/** Null as `sealed`: the key is derived. */
export function openSigningKey(vault: Vault, sealed: Buffer | null, accountId: number): string {
  return sealed === null
    ? vault.digest(String(accountId), 'account-signature').toString('hex')
    : vault.open(sealed, signingKeyContext(accountId))
}

function hookSecretContext(accountId: number): string {
  return `hook-secret:${accountId}`
}

function signingKeyContext(accountId: number): string {
  return `signing-key:${accountId}`
}
