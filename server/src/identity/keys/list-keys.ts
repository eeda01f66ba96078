import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

export const keyColumns = [
  'id',
  'name',
  'prefix',
  'scopes',
  'expiresAt',
  'signedCallsRequired',
  'revokedAt',
  'lastUsedAt',
  'lastUsedMethod',
  'createdAt',
] as const

export function listKeys(db: Database, accountId: number) {
  return db.selectFrom('keys').select(keyColumns).where('accountId', '=', accountId).orderBy('id').execute()
}

/** Bounds the list, which includes revoked keys. The audit log has older ones. */
const maxListed = 200

/** Returns the keys of an account for the dashboard, newest first, revoked keys last. */
export function listKeyDetails(db: Database, accountId: number) {
  return selectKeyDetails(db, accountId)
    .orderBy(sql`revoked_at IS NOT NULL`)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute()
}

export function readKeyDetails(db: Database, accountId: number, keyId: number) {
  return selectKeyDetails(db, accountId).where('id', '=', keyId).executeTakeFirst()
}

function selectKeyDetails(db: Database, accountId: number) {
  return db
    .selectFrom('keys')
    .select([
      ...keyColumns,
      sql<boolean>`imported_as IS NULL OR imported_as = 'key'`.as('revealable'),
      sql<string[] | null>`allowed_ips::text[]`.as('allowedIps'),
    ])
    .where('accountId', '=', accountId)
}
