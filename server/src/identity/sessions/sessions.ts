/**
 * Browser sessions, each in one account. The browser has an opaque token, the database its keyed digest, which is queried
 * for every call. Revoked sessions, expired sessions, and sessions of former members and of suspended accounts stop working
 * immediately on every process. A new role takes effect with the next call.
 *
 * A session that an identity provider has started stays in the account of that provider, and is valid only while the account
 * uses this provider. Its digest has a context of its own, so that versions without these checks do not find it.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { requiresSso } from '../../db/break-glass.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { Member, Role } from '../../model/role.ts'
import type { Vault } from '../../vault/vault.ts'

export interface Session {
  id: number
  accountId: number
  loginId: number
  createdAt: Date
  expiresAt: Date
  /** Null for a session that the login itself has started. */
  sso: SsoOrigin | null
}

interface SsoOrigin {
  /** Name of the connection. */
  name: string
  /** Until when the latest sign-in at the provider confirms operations; null without one, or when it is over. */
  confirmedUntil: Date | null
}

interface NewSession {
  accountId: number
  loginId: number
  /** The issuer whose user starts the session. */
  ssoIssuer?: string | undefined
  ip: string
  userAgent: string
}

/** Max lifetime with use, and without use. */
const maxDays = 30
const idleDays = 7
/** Max lifetime of a session of single sign-on: a working day. Then the provider decides again. */
const ssoHours = 12
/** How long a sign-in at the provider confirms operations. */
const confirmedMinutes = 5

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
  const { accountId, loginId, ssoIssuer = null } = requested
  const session = await db
    .insertInto('sessions')
    .values({
      accountId,
      loginId,
      digest: ssoIssuer === null ? digestOf(vault, token) : ssoDigestOf(vault, token),
      ip: requested.ip,
      userAgent: requested.userAgent.slice(0, maxUserAgent),
      ssoIssuer,
      expiresAt:
        ssoIssuer === null
          ? sql<Date>`now() + make_interval(days => ${sql.lit(maxDays)})`
          : sql<Date>`now() + make_interval(hours => ${sql.lit(ssoHours)})`,
    })
    .returning(['id', 'accountId', 'loginId', 'createdAt', 'expiresAt'])
    .executeTakeFirstOrThrow()
  await revokeOldest(db, { accountId, loginId, isSso: ssoIssuer !== null })
  return { token, session: { ...session, sso: null } }
}

/**
 * Keeps only the newest sessions of a login. Those of single sign-on count per account, so that the provider of one account
 * cannot end sessions elsewhere.
 */
async function revokeOldest(
  db: Database | Trx,
  { accountId, loginId, isSso }: { accountId: number; loginId: number; isSso: boolean },
): Promise<void> {
  const isCounted = isSso
    ? sql`login_id = ${loginId} AND sso_issuer IS NOT NULL AND account_id = ${accountId}`
    : sql`login_id = ${loginId} AND sso_issuer IS NULL`
  await sql`
    DELETE FROM sessions WHERE ${isCounted} AND id <= (
      SELECT id FROM sessions WHERE ${isCounted} ORDER BY id DESC OFFSET ${maxSessionsPerLogin} LIMIT 1)
  `.execute(db)
}

/** Selects sessions that may enter their account now. */
function selectUsable(db: Database) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.accountId', '=', 'sessions.accountId')
        .onRef('memberships.loginId', '=', 'sessions.loginId'),
    )
    .leftJoin('ssoConnections', 'ssoConnections.accountId', 'sessions.accountId')
    .where(isLive)
    .where(
      sql<boolean>`CASE WHEN sessions.sso_issuer IS NULL THEN NOT ${requiresSso}
        ELSE sessions.sso_issuer = sso_connections.issuer END`,
    )
    .where('accounts.suspendedAt', 'is', null)
}

export async function findSession(
  db: Database,
  vault: Vault,
  token: string,
): Promise<(Session & { member: Member }) | undefined> {
  const found = await selectUsable(db)
    .select([
      sql<Role>`memberships.role`.as('role'),
      'memberships.canReveal',
      'memberships.canExport',
      'sessions.id',
      'sessions.accountId',
      'sessions.loginId',
      'sessions.createdAt',
      'sessions.expiresAt',
      'sessions.ssoIssuer',
      'ssoConnections.name as ssoName',
      sql<Date | null>`CASE WHEN ${confirmedUntil} > now() THEN ${confirmedUntil} END`.as('confirmedUntil'),
      sql<boolean>`sessions.last_used_at < now() - interval '1 minute'`.as('isLastUseStale'),
    ])
    .where(
      sql<boolean>`sessions.digest = ANY (ARRAY[${digestOf(vault, token)}, ${ssoDigestOf(vault, token)}]::bytea[])`,
    )
    .executeTakeFirst()
  if (found === undefined) return undefined
  const {
    isLastUseStale,
    role,
    canReveal,
    canExport,
    ssoIssuer,
    ssoName,
    confirmedUntil: until,
    ...rest
  } = found
  const session: Session = {
    ...rest,
    sso: ssoIssuer === null ? null : { name: ssoName ?? '', confirmedUntil: until },
  }
  if (isLastUseStale)
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: sql<Date>`now()` })
      .where('id', '=', session.id)
      .execute()
  return { ...session, member: { role, canReveal, canExport } }
}

const confirmedUntil = sql`sessions.sso_confirmed_at + make_interval(mins => ${sql.lit(confirmedMinutes)})`

/** Records that the user of the session has just signed in at the provider again. */
export async function confirmSession(db: Database | Trx, sessionId: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ssoConfirmedAt: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .where('ssoIssuer', 'is not', null)
    .execute()
}

/** Revokes the sessions that the provider of an account has started for a login. */
export async function revokeSsoSessions(
  trx: Trx,
  { accountId, loginId }: { accountId: number; loginId: number },
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('loginId', '=', loginId)
    .where('accountId', '=', accountId)
    .where('ssoIssuer', 'is not', null)
    .execute()
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

/** Returns whether the login still has this session, and it may still enter its account. */
export async function hasSession(db: Database, loginId: number, sessionId: number): Promise<boolean> {
  const found = await selectUsable(db)
    .select('sessions.id')
    .where('sessions.loginId', '=', loginId)
    .where('sessions.id', '=', sessionId)
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

function ssoDigestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'sso-session')
}
