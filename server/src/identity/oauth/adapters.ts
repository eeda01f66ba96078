/** Selects the storage adapter for each model of the authorization server. */
import type { Adapter, AdapterFactory } from 'oidc-provider'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'
import { clientAdapter } from './client-adapter.ts'
import { grantAdapter } from './grant-adapter.ts'
import { isRecordModel, recordAdapter } from './record-adapter.ts'

export function createAdapters(db: Database, vault: Vault): AdapterFactory {
  return (model) => {
    if (isRecordModel(model)) return recordAdapter(db, vault, model)
    if (model === 'Grant') return grantAdapter(db, vault)
    if (model === 'Client') return clientAdapter(db)
    if (model === 'Session') return discarding
    throw new Error(`unexpected model of the authorization server: ${model}`)
  }
}

/** Discards sessions of the library, because only sessions of Hookline identify the user. */
const discarding: Adapter = {
  async upsert() {},
  async find() {},
  async findByUid() {},
  async findByUserCode() {},
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
}
