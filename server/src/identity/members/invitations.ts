/**
 * Invitations to accounts. The link of an email works once within 7 days. Its token is stored as a keyed digest. The
 * user who opens the link controls the mailbox, so a login that is created with the link has a verified email. An invitation counts
 * only while its sender may still give the role.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import { countChange } from '../../db/change-count.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { ApiError } from '../../model/errors.ts'
import { type Member, mayGrant, type Role } from '../../model/role.ts'
import type { Vault } from '../../vault/vault.ts'
import { findMember, lockMembers } from './members.ts'

export const invitationDays = 7
/** Open invitations of an account. */
const maxInvitations = 50
/** Emails that an account can cause. */
const sendLimits = { perMinute: 20, perDay: 200 }

export interface Inviter {
  accountId: number
  loginId: number
}

export interface ListedInvitation extends Member {
  id: number
  email: string
  /** Alias of the login that invited. */
  invitedBy: string
  sentAt: Date
  expiresAt: Date
}

const isOpen = sql<boolean>`invitations.expires_at > now()`
const expiry = sql<Date>`now() + make_interval(days => ${sql.lit(invitationDays)})`

/** Invites an email, or replaces its open invitation. Returns the token of the link. */
export async function createInvitation(
  db: Database,
  vault: Vault,
  { accountId, loginId }: Inviter,
  { email, member }: { email: string; member: Member },
): Promise<{ id: number; token: string }> {
  const token = createToken()
  return db.transaction().execute(async (trx) => {
    await lockMembers(trx, accountId)
    await rejectGrant(trx, { accountId, loginId }, member)
    await rejectMember(trx, accountId, email)
    await rejectTooMany(trx, accountId, email)
    await countChange(trx, accountId, 'invitations', sendLimits)
    const values = { ...member, digest: digestOf(vault, token), invitedBy: loginId, expiresAt: expiry }
    const { id } = await trx
      .insertInto('invitations')
      .values({ accountId, email, ...values })
      .onConflict((conflict) =>
        conflict
          .expression(sql`account_id, lower(email)`)
          .doUpdateSet({ ...values, email, sentAt: sql<Date>`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(trx, { accountId, loginId }, 'invitation.create', { id, email, member })
    return { id, token }
  })
}

/** Returns the email of an invitation. */
export async function readInvitedEmail(db: Database, accountId: number, id: number): Promise<string> {
  const found = await db
    .selectFrom('invitations')
    .select('email')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw invitationNotFound(id)
  return found.email
}

/** Creates a new link for an open or expired invitation. The old link stops working. */
export async function resendInvitation(
  db: Database,
  vault: Vault,
  { accountId, loginId }: Inviter,
  id: number,
): Promise<{ email: string; member: Member; token: string }> {
  const token = createToken()
  return db.transaction().execute(async (trx) => {
    await lockMembers(trx, accountId)
    const found = await trx
      .selectFrom('invitations')
      .select(['email', sql<Role>`role`.as('role'), 'canReveal', 'canExport'])
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (found === undefined) throw invitationNotFound(id)
    const { email, ...member } = found
    await rejectGrant(trx, { accountId, loginId }, member)
    await countChange(trx, accountId, 'invitations', sendLimits)
    await trx
      .updateTable('invitations')
      .set({
        digest: digestOf(vault, token),
        invitedBy: loginId,
        expiresAt: expiry,
        sentAt: sql<Date>`now()`,
      })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .execute()
    await record(trx, { accountId, loginId }, 'invitation.resend', { id, email, member })
    return { email, member, token }
  })
}

export async function revokeInvitation(
  db: Database,
  { accountId, loginId }: Inviter,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = await trx
      .deleteFrom('invitations')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning(['email', sql<Role>`role`.as('role'), 'canReveal', 'canExport'])
      .executeTakeFirst()
    if (revoked === undefined) throw invitationNotFound(id)
    const { email, ...member } = revoked
    await record(trx, { accountId, loginId }, 'invitation.revoke', { id, email, member })
  })
}

/** Lists open and recently expired invitations, newest first. */
export async function listInvitations(db: Database, accountId: number): Promise<ListedInvitation[]> {
  return db
    .selectFrom('invitations')
    .innerJoin('logins', 'logins.id', 'invitations.invitedBy')
    .select([
      'invitations.id',
      'invitations.email',
      sql<Role>`role`.as('role'),
      'canReveal',
      'canExport',
      'logins.alias as invitedBy',
      'sentAt',
      'expiresAt',
    ])
    .where('invitations.accountId', '=', accountId)
    .orderBy('sentAt', 'desc')
    .execute()
}

export interface OpenInvitation extends Inviter {
  id: number
  accountName: string
  invitedBy: string
  email: string
  member: Member
  expiresAt: Date
}

/** Returns the invitation of a token. Throws if it does not count. */
export async function readInvitation(
  db: Database | Trx,
  vault: Vault,
  token: string,
): Promise<OpenInvitation> {
  const found = await db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.accountId')
    .innerJoin('logins', 'logins.id', 'invitations.invitedBy')
    .select([
      'invitations.id',
      'invitations.accountId',
      'invitations.invitedBy as loginId',
      'invitations.email',
      sql<Role>`invitations.role`.as('role'),
      'invitations.canReveal',
      'invitations.canExport',
      'invitations.expiresAt',
      'accounts.name as accountName',
      'logins.alias as invitedBy',
    ])
    .where('invitations.digest', '=', digestOf(vault, token))
    .where(isOpen)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw invalidInvitation()
  const { role, canReveal, canExport, ...invitation } = found
  const member = { role, canReveal, canExport }
  const inviter = await findMember(db, invitation)
  if (inviter === undefined || !mayGrant(inviter, member)) throw invalidInvitation()
  return { ...invitation, member }
}

/** Consumes an invitation in the transaction that adds the member. Of two concurrent calls, only one succeeds. */
export async function consumeInvitation(trx: Trx, vault: Vault, token: string): Promise<OpenInvitation> {
  const { accountId } = await readInvitation(trx, vault, token)
  await lockMembers(trx, accountId)
  const invitation = await readInvitation(trx, vault, token)
  const { numDeletedRows } = await trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where('id', '=', invitation.id)
    .executeTakeFirst()
  // It was revoked meanwhile.
  if (numDeletedRows === 0n) throw invalidInvitation()
  return invitation
}

/** Deletes invitations that expired a while ago. Until then they can be resent. */
export async function pruneInvitations(db: Database): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expiresAt', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}

/** Accounts whose users have proven no mailbox send no email to strangers. */
async function rejectGrant(trx: Trx, inviter: Inviter, member: Member): Promise<void> {
  const verified = await trx
    .selectFrom('logins')
    .select('id')
    .where('id', '=', inviter.loginId)
    .where('emailVerifiedAt', 'is not', null)
    .executeTakeFirst()
  if (verified === undefined)
    throw new ApiError('parameterInvalid', 'Confirm your own email before you invite others.')
  const granter = await findMember(trx, inviter)
  if (granter === undefined || !mayGrant(granter, member))
    throw new ApiError(
      'insufficientRole',
      'You cannot give more than your own role and rights. Ask an owner of the account.',
    )
}

async function rejectMember(trx: Trx, accountId: number, email: string): Promise<void> {
  const existing = await trx
    .selectFrom('memberships')
    .innerJoin('logins', 'logins.id', 'memberships.loginId')
    .select('logins.id')
    .where('memberships.accountId', '=', accountId)
    .where(sql<boolean>`lower(logins.email) = ${email.toLowerCase()}`)
    .executeTakeFirst()
  if (existing !== undefined)
    throw new ApiError('memberExists', 'A member of the account has this email.', { field: 'email' })
}

async function rejectTooMany(trx: Trx, accountId: number, email: string): Promise<void> {
  const { count } = await trx
    .selectFrom('invitations')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('accountId', '=', accountId)
    .where(sql<boolean>`lower(email) <> ${email.toLowerCase()}`)
    .executeTakeFirstOrThrow()
  if (count >= maxInvitations)
    throw new ApiError('tooManyMembers', `Invitation limit reached (${maxInvitations}). Revoke one first.`, {
      details: { limit: maxInvitations },
    })
}

function record(
  trx: Trx,
  { accountId, loginId }: Inviter,
  action: Extract<AuditAction, `invitation.${string}`>,
  { id, email, member }: { id: number; email: string; member: Member },
): Promise<void> {
  const { role, canReveal, canExport } = member
  return recordAudit(trx, {
    accountId,
    actor: `login:${loginId}`,
    action,
    subject: `invitation:${id}`,
    detail: { email, role, can_reveal: canReveal, can_export: canExport },
  })
}

function createToken(): string {
  return randomBytes(32).toString('base64url')
}

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'invitation')
}

function invitationNotFound(id: number): ApiError {
  return new ApiError('notFound', `Invitation ${id} not found. It was accepted, revoked or deleted.`)
}

function invalidInvitation(): ApiError {
  return new ApiError(
    'invalidInvitation',
    'Invitation revoked, expired or already used. Ask the sender for another.',
  )
}
