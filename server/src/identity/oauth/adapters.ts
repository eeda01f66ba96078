/** Where the authorization server keeps what: each of its models has its own place. */
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
    if (model === 'Session') return forgetful
    throw new Error(`the authorization server should not need ${model}`)
  }
}

/** Who is signed in is known by Hookline's own session alone, so what the library would remember is not kept. */
const forgetful: Adapter = {
  async upsert() {},
  async find() {},
  async findByUid() {},
  async findByUserCode() {},
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
}
