import type { Database } from '../../db/database.ts'

export interface ListedKey {
  id: number
  name: string
  prefix: string
  scopes: string[]
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  lastUsedMethod: string | null
  createdAt: Date
}

export function listKeys(db: Database, accountId: number): Promise<ListedKey[]> {
  return db
    .selectFrom('keys')
    .select([
      'id',
      'name',
      'prefix',
      'scopes',
      'expiresAt',
      'revokedAt',
      'lastUsedAt',
      'lastUsedMethod',
      'createdAt',
    ])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
}
