/** Seals records of the authorization server. A record is stored by the digest of its id and sealed for that row. */
import type { AdapterPayload } from 'oidc-provider'
import type { Vault } from '../../vault/vault.ts'

export function digestOf(vault: Vault, model: string, id: string): Buffer {
  return vault.digest(id, `oauth:${model}`)
}

export function sealPayload(vault: Vault, model: string, id: string, payload: AdapterPayload): Buffer {
  return vault.seal(JSON.stringify(payload), contextOf(vault, model, id))
}

export function openPayload(vault: Vault, model: string, id: string, sealed: Buffer): AdapterPayload {
  return JSON.parse(vault.open(sealed, contextOf(vault, model, id)))
}

function contextOf(vault: Vault, model: string, id: string): string {
  return `oauth:${model}:${digestOf(vault, model, id).toString('hex')}`
}
