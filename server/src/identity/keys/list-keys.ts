import { sql } from 'kysely'
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

/** Revoked keys stay in view for a while, so that people see what they did; the rest is in the audit log. */
const mostShown = 200

/** As their owner sees them: newest first, revoked ones last. */
export function showKeys(db: Database, accountId: number) {
  return shownKeys(db, accountId)
    .orderBy(sql`revoked_at IS NOT NULL`)
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
}

export function showKey(db: Database, accountId: number, keyId: number) {
  return shownKeys(db, accountId).where('id', '=', keyId).executeTakeFirst()
}

function shownKeys(db: Database, accountId: number) {
  return db
    .selectFrom('keys')
    .select([...keyColumns, sql<string[] | null>`allowed_ips::text[]`.as('allowedIps')])
    .where('accountId', '=', accountId)
}
