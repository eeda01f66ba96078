/** Authenticates an API key, shared by the three ways to send one. */
import type { Database } from '../../db/database.ts'
import { authenticateKey } from '../../identity/keys/authenticate-key.ts'
import type { Caller, CredentialKind } from '../../model/caller.ts'
import type { ImportedKeys } from '../../identity/keys/imported-keys.ts'

export type VerifyKey = (kind: CredentialKind, key: string, ip: string) => Promise<Caller>

export function keyVerifier(db: Database, imported: ImportedKeys): VerifyKey {
  return async (kind, key, ip) => ({ ...(await authenticateKey(db, imported, key, ip)), kind })
}
