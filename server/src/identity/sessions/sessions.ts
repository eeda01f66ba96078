/**
 * Sign-ins in a browser. The browser holds an opaque token, the database its keyed digest, asked at every call: a session
 * that was ended, has expired or belongs to a suspended account stops working at once on every process.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
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

/** However much it is used, and without any use. */
const mostDays = 30
const idleDays = 7

const longestUserAgent = 300
const maxSessionsPerLogin = 100

const isLive = sql<boolean>`sessions.expires_at > now()
  AND sessions.last_used_at > now() - make_interval(days => ${sql.lit(idleDays)})`

/** A new token each time: one that a browser brought along is never adopted. */
export async function startSession(
  db: Database | Trx,
  vault: Vault,
  wanted: NewSession,
): Promise<{ token: string; session: Session }> {
  const token = randomBytes(32).toString('base64url')
  const session = await db
    .insertInto('sessions')
    .values({
      accountId: wanted.accountId,
      loginId: wanted.loginId,
      digest: digestOf(vault, token),
      ip: wanted.ip,
      userAgent: wanted.userAgent.slice(0, longestUserAgent),
      expiresAt: sql<Date>`now() + make_interval(days => ${sql.lit(mostDays)})`,
    })
    .returning(['id', 'accountId', 'loginId', 'createdAt', 'expiresAt'])
    .executeTakeFirstOrThrow()
  await endOldest(db, wanted.loginId)
  return { token, session }
}

/** A login that signs in without end keeps its newest sessions. */
async function endOldest(db: Database | Trx, loginId: number): Promise<void> {
  await sql`
    DELETE FROM sessions WHERE login_id = ${loginId} AND id <= (
      SELECT id FROM sessions WHERE login_id = ${loginId} ORDER BY id DESC OFFSET ${maxSessionsPerLogin} LIMIT 1)
  `.execute(db)
}

export async function findSession(db: Database, vault: Vault, token: string): Promise<Session | undefined> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select([
      'sessions.id',
      'sessions.accountId',
      'sessions.loginId',
      'sessions.createdAt',
      'sessions.expiresAt',
      sql<boolean>`sessions.last_used_at < now() - interval '1 minute'`.as('isUseOld'),
    ])
    .where('sessions.digest', '=', digestOf(vault, token))
    .where(isLive)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { isUseOld, ...session } = found
  if (isUseOld)
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: sql<Date>`now()` })
      .where('id', '=', session.id)
      .execute()
  return session
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

/** Whether a login still has this session. */
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

/** False: the login has no such session. */
export async function endSession(db: Database | Trx, loginId: number, sessionId: number): Promise<boolean> {
  const ended = await db
    .deleteFrom('sessions')
    .where('loginId', '=', loginId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** All of a login, or all but one. */
export async function endSessions(db: Database | Trx, loginId: number, except?: number): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('loginId', '=', loginId)
    .where('id', '<>', except ?? 0)
    .executeTakeFirst()
  return Number(ended.numDeletedRows)
}

export async function forgetEndedSessions(db: Database): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(sql<boolean>`NOT (${isLive})`)
    .execute()
}

/** Bound to its session and known to nobody who cannot read that session's pages. */
export function csrfTokenOf(vault: Vault, token: string): string {
  return vault.digest(token, 'csrf').toString('base64url')
}

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'session')
}
