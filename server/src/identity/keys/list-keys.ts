import type { Database } from '../../db/database.ts'

export const keyColumns = [
  'id',
  'name',
  'prefix',
  'scopes',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'lastUsedMethod',
  'createdAt',
] as const

export function listKeys(db: Database, accountId: number) {
  return db.selectFrom('keys').select(keyColumns).where('accountId', '=', accountId).orderBy('id').execute()
}
