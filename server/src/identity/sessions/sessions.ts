/**
 * Browser sessions, each in one account. The browser has an opaque token, the database its keyed digest, which is queried
 * for every call. Revoked sessions, expired sessions, and sessions of former members and of suspended accounts stop working
 * immediately on every process. A new role takes effect with the next call.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import type { Member, Role } from '../../model/role.ts'
import type { Vault } from '../../vault/vault.ts'

export interface Session {
  id: number
  accountId: number
  loginId: number
  createdAt: Date
  expiresAt: Date
}

interface NewSession {
  accountId: number
  loginId: number
  ip: string
  userAgent: string
}

/** Max lifetime with use, and without use. */
const maxDays = 30
const idleDays = 7

const maxUserAgent = 300
const maxSessionsPerLogin = 100

const isLive = sql<boolean>`sessions.expires_at > now()
  AND sessions.last_used_at > now() - make_interval(days => ${sql.lit(idleDays)})`

/** Always creates a new token. A token sent by the browser is never reused. */
export async function startSession(
  db: Database | Trx,
  vault: Vault,
  requested: NewSession,
): Promise<{ token: string; session: Session }> {
  const token = randomBytes(32).toString('base64url')
  const session = await db
    .insertInto('sessions')
    .values({
      accountId: requested.accountId,
      loginId: requested.loginId,
      digest: digestOf(vault, token),
      ip: requested.ip,
      userAgent: requested.userAgent.slice(0, maxUserAgent),
      expiresAt: sql<Date>`now() + make_interval(days => ${sql.lit(maxDays)})`,
    })
    .returning(['id', 'accountId', 'loginId', 'createdAt', 'expiresAt'])
    .executeTakeFirstOrThrow()
  await revokeOldest(db, requested.loginId)
  return { token, session }
}

/** Keeps only the newest sessions of a login. */
async function revokeOldest(db: Database | Trx, loginId: number): Promise<void> {
  await sql`
    DELETE FROM sessions WHERE login_id = ${loginId} AND id <= (
      SELECT id FROM sessions WHERE login_id = ${loginId} ORDER BY id DESC OFFSET ${maxSessionsPerLogin} LIMIT 1)
  `.execute(db)
}

export async function findSession(
  db: Database,
  vault: Vault,
  token: string,
): Promise<(Session & { member: Member }) | undefined> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.accountId', '=', 'sessions.accountId')
        .onRef('memberships.loginId', '=', 'sessions.loginId'),
    )
    .select([
      sql<Role>`memberships.role`.as('role'),
      'memberships.canReveal',
      'memberships.canExport',
      'sessions.id',
      'sessions.accountId',
      'sessions.loginId',
      'sessions.createdAt',
      'sessions.expiresAt',
      sql<boolean>`sessions.last_used_at < now() - interval '1 minute'`.as('isLastUseStale'),
    ])
    .where('sessions.digest', '=', digestOf(vault, token))
    .where(isLive)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { isLastUseStale, role, canReveal, canExport, ...session } = found
  if (isLastUseStale)
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: sql<Date>`now()` })
      .where('id', '=', session.id)
      .execute()
  return { ...session, member: { role, canReveal, canExport } }
}

export function listSessions(db: Database, loginId: number) {
  return db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'ip', 'userAgent'])
    .where('loginId', '=', loginId)
    .where(isLive)
    .orderBy('lastUsedAt', 'desc')
    .execute()
}

/** Returns whether the login still has this valid session. */
export async function hasSession(db: Database, loginId: number, sessionId: number): Promise<boolean> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('loginId', '=', loginId)
    .where('id', '=', sessionId)
    .where(isLive)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns false if the login has no such session. */
export async function revokeSession(
  db: Database | Trx,
  loginId: number,
  sessionId: number,
): Promise<boolean> {
  const revoked = await db
    .deleteFrom('sessions')
    .where('loginId', '=', loginId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return revoked.numDeletedRows > 0n
}

/** Revokes the sessions of a login in one account. */
export async function revokeSessionsIn(
  trx: Trx,
  { accountId, loginId }: { accountId: number; loginId: number },
): Promise<void> {
  await trx.deleteFrom('sessions').where('loginId', '=', loginId).where('accountId', '=', accountId).execute()
}

/** Revokes all sessions of a login, optionally except one. Returns their number. */
export async function revokeSessions(db: Database | Trx, loginId: number, except?: number): Promise<number> {
  const revoked = await db
    .deleteFrom('sessions')
    .where('loginId', '=', loginId)
    .where('id', '<>', except ?? 0)
    .executeTakeFirst()
  return Number(revoked.numDeletedRows)
}

export async function pruneExpiredSessions(db: Database): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(sql<boolean>`NOT (${isLive})`)
    .execute()
}

/** Derives the CSRF token from the session token, so that only pages of that session can read it. */
export function csrfTokenOf(vault: Vault, token: string): string {
  return vault.digest(token, 'csrf').toString('base64url')
}

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'session')
}
