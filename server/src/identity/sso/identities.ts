/**
 * Links between users of an account's identity provider and logins. The key is account, issuer and subject: the provider of
 * one account says nothing about users in another, even with the same issuer. A login has at most one identity per provider,
 * so a new subject for an old email is never linked without its user.
 */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'

export interface Subject {
  accountId: number
  issuer: string
  subject: string
}

export interface ListedIdentity {
  id: number
  loginId: number
  alias: string
  subject: string
  email: string | null
  linkedAt: Date
  usedAt: Date
}

/** How an identity was linked: by its user, by a verified email, or with the login that it created. */
export type LinkedBy = 'user' | 'email' | 'first-sign-in'

export async function isLinked(db: Database, { accountId, issuer, subject }: Subject): Promise<boolean> {
  const found = await db
    .selectFrom('ssoIdentities')
    .select('id')
    .where('accountId', '=', accountId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the login of an identity, and records the use. */
export async function useIdentity(
  trx: Trx,
  { accountId, issuer, subject }: Subject,
): Promise<number | undefined> {
  const used = await trx
    .updateTable('ssoIdentities')
    .set({ usedAt: sql<Date>`now()` })
    .where('accountId', '=', accountId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('loginId')
    .executeTakeFirst()
  return used?.loginId
}

/** Returns false if the identity or the login already has a link. */
export async function linkIdentity(
  trx: Trx,
  actor: Actor,
  { accountId, issuer, subject }: Subject,
  { loginId, email, by }: { loginId: number; email: string | undefined; by: LinkedBy },
): Promise<boolean> {
  const linked = await trx
    .insertInto('ssoIdentities')
    .values({ accountId, issuer, subject, loginId, email: email ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (linked === undefined) return false
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'sso.link',
    subject: `login:${loginId}`,
    detail: { issuer, by },
  })
  return true
}

export async function listIdentities(db: Database, accountId: number): Promise<ListedIdentity[]> {
  return db
    .selectFrom('ssoIdentities')
    .innerJoin('logins', 'logins.id', 'ssoIdentities.loginId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.accountId', '=', 'ssoIdentities.accountId')
        .onRef('memberships.loginId', '=', 'ssoIdentities.loginId'),
    )
    .select([
      'ssoIdentities.id',
      'ssoIdentities.loginId',
      'logins.alias',
      'ssoIdentities.subject',
      'ssoIdentities.email',
      'ssoIdentities.linkedAt',
      'ssoIdentities.usedAt',
    ])
    .where('ssoIdentities.accountId', '=', accountId)
    .orderBy('ssoIdentities.id')
    .execute()
}

/** Removes a link, of one login only if given. Returns the login that had it. */
export async function unlinkIdentity(
  trx: Trx,
  actor: Actor,
  { accountId, id, ownerId }: { accountId: number; id: number; ownerId?: number | undefined },
): Promise<number> {
  const removed = await trx
    .deleteFrom('ssoIdentities')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where((where) => (ownerId === undefined ? where.lit(true) : where('loginId', '=', ownerId)))
    .returning(['loginId', 'issuer'])
    .executeTakeFirst()
  if (removed === undefined) throw new ApiError('notFound', `Identity ${id} not found.`)
  const { loginId, issuer } = removed
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'sso.unlink',
    subject: `login:${loginId}`,
    detail: { issuer },
  })
  return loginId
}
