/**
 * Members of an account: users with a role and rights. An account always has an owner, once it has one. Nobody gives more
 * than they have, and nobody changes a member above them. Changes of one account run one after the other.
 */
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { keepBreakGlass, requiresSso } from '../../db/break-glass.ts'
import type { Database, Trx } from '../../db/database.ts'
import { hasSecondFactor } from '../../db/second-factor.ts'
import { ApiError } from '../../model/errors.ts'
import { type Member, mayGrant, mayManage, type Role } from '../../model/role.ts'

export interface Membership {
  accountId: number
  loginId: number
}

export interface ListedMember extends Member {
  loginId: number
  alias: string
  email: string | null
  hasSecondFactor: boolean
  joinedAt: Date
  /** Start of the latest session in the account. */
  usedAt: Date
}

/** Bounds the list and what it costs to check an account. */
const maxMembers = 200
/** Bounds the accounts of a user, for the account switcher. */
const maxAccounts = 100

/** Lists the members, owners first. */
export async function listMembers(db: Database | Trx, accountId: number): Promise<ListedMember[]> {
  const { rows } = await sql<ListedMember>`
    SELECT login_id, alias, email, ${hasSecondFactor} AS has_second_factor, role, can_reveal, can_export,
           joined_at, used_at
    FROM memberships JOIN logins ON logins.id = memberships.login_id
    WHERE memberships.account_id = ${accountId}
    ORDER BY array_position(ARRAY['owner', 'admin', 'developer', 'support', 'viewer'], role), lower(alias)
  `.execute(db)
  return rows
}

export interface MemberAccount {
  id: number
  name: string
  createdAt: Date
  isSuspended: boolean
  role: Role
}

/** Lists the accounts of a user, by name. */
export async function listAccountsOf(db: Database, loginId: number): Promise<MemberAccount[]> {
  const { rows } = await sql<MemberAccount>`
    SELECT accounts.id, accounts.name, accounts.created_at, accounts.suspended_at IS NOT NULL AS is_suspended, role
    FROM memberships JOIN accounts ON accounts.id = memberships.account_id
    WHERE memberships.login_id = ${loginId}
    ORDER BY lower(accounts.name), accounts.id
  `.execute(db)
  return rows
}

/** Returns the accounts of a user, each with whether it has no other member. */
export async function readOwnAccounts(
  trx: Trx,
  loginId: number,
): Promise<Array<{ accountId: number; isAlone: boolean }>> {
  const { rows } = await sql<{ accountId: number; isAlone: boolean }>`
    SELECT account_id, NOT EXISTS (
      SELECT FROM memberships AS other
      WHERE other.account_id = memberships.account_id AND other.login_id <> memberships.login_id) AS is_alone
    FROM memberships WHERE login_id = ${loginId}
    ORDER BY account_id
  `.execute(trx)
  return rows
}

export async function findMember(
  db: Database | Trx,
  { accountId, loginId }: Membership,
): Promise<Member | undefined> {
  return db
    .selectFrom('memberships')
    .select([sql<Role>`role`.as('role'), 'canReveal', 'canExport'])
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .executeTakeFirst()
}

/** Adds a member within a transaction that holds the lock of `lockMembers`. */
export async function insertMember(
  trx: Trx,
  actor: Actor,
  { accountId, loginId }: Membership,
  member: Member,
): Promise<void> {
  const added = await trx
    .insertInto('memberships')
    .values({ accountId, loginId, ...member })
    .onConflict((conflict) => conflict.doNothing())
    .returning('loginId')
    .executeTakeFirst()
  if (added === undefined) throw new ApiError('memberExists', 'The user is already a member of the account.')
  await rejectTooMany(trx, { accountId, loginId })
  await recordMember(trx, actor, 'member.add', { accountId, loginId }, member)
}

/** Gives a login that was created in the transaction its role. Without this, the login owns the account. */
export async function setFirstRole(
  trx: Trx,
  actor: Actor,
  { accountId, loginId }: Membership,
  member: Member,
): Promise<void> {
  await writeMember(trx, { accountId, loginId }, member)
  await rejectTooMany(trx, { accountId, loginId })
  await recordMember(trx, actor, 'member.add', { accountId, loginId }, member)
}

/** Who changes a member. The operator has no limits. */
type Changer = { loginId: number } | 'operator'

/** Changes role and rights of a member. */
export async function changeMember(
  trx: Trx,
  changer: Changer,
  { accountId, loginId }: Membership,
  change: Partial<Member>,
): Promise<void> {
  const { existing, granter } = await lockForChange(trx, changer, { accountId, loginId })
  const requested = { ...existing, ...change }
  const added = {
    role: requested.role,
    canReveal: requested.canReveal && !existing.canReveal,
    canExport: requested.canExport && !existing.canExport,
  }
  if (granter !== undefined && !(mayManage(granter, existing.role) && mayGrant(granter, added)))
    throw insufficientRights()
  if (existing.role === 'owner' && requested.role !== 'owner') await rejectLastOwner(trx, accountId)
  await writeMember(trx, { accountId, loginId }, requested)
  if (existing.role === 'owner' && changer !== 'operator') await keepBreakGlass(trx, accountId)
  await recordMember(trx, actorOf(changer), 'member.change', { accountId, loginId }, requested)
}

/**
 * Removes a member, or lets one leave. The deprecated credential `u` and `p` of the login no longer acts in the account. The
 * caller also revokes sessions and authorizations in the same transaction.
 */
export async function removeMember(
  trx: Trx,
  changer: Changer,
  { accountId, loginId }: Membership,
): Promise<void> {
  const isLeaving = changer !== 'operator' && changer.loginId === loginId
  const { existing, granter } = await lockForChange(trx, isLeaving ? 'operator' : changer, {
    accountId,
    loginId,
  })
  if (granter !== undefined && !mayManage(granter, existing.role)) throw insufficientRights()
  if (existing.role === 'owner') await rejectLastOwner(trx, accountId)
  // In the order of a sign-in, which locks the login and then the membership.
  await trx.selectFrom('logins').select('id').where('id', '=', loginId).forNoKeyUpdate().execute()
  await trx
    .deleteFrom('memberships')
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .execute()
  if (existing.role === 'owner' && changer !== 'operator') await keepBreakGlass(trx, accountId)
  // Entries of the audit log keep the name.
  await sql`
    INSERT INTO former_members (account_id, login_id, alias)
    SELECT ${accountId}, id, alias FROM logins WHERE id = ${loginId}
    ON CONFLICT (account_id, login_id) DO UPDATE SET alias = excluded.alias, left_at = now()
  `.execute(trx)
  await trx
    .updateTable('logins')
    .set({ accountId: null })
    .where('id', '=', loginId)
    .where('accountId', '=', accountId)
    .execute()
  await recordMember(trx, actorOf(changer), 'member.remove', { accountId, loginId }, existing)
}

/** Makes another member an owner and the present owner an admin. The new owner has the rights of both. */
export async function transferOwnership(
  trx: Trx,
  { accountId, loginId }: Membership,
  newOwnerId: number,
): Promise<void> {
  await lockMembers(trx, accountId)
  const [present, next] = [
    await findMember(trx, { accountId, loginId }),
    await findMember(trx, { accountId, loginId: newOwnerId }),
  ]
  if (present?.role !== 'owner') throw insufficientRights()
  if (next === undefined || newOwnerId === loginId) throw memberNotFound()
  const owner: Member = {
    role: 'owner',
    canReveal: present.canReveal || next.canReveal,
    canExport: present.canExport || next.canExport,
  }
  await writeMember(trx, { accountId, loginId: newOwnerId }, owner)
  await writeMember(trx, { accountId, loginId }, { ...present, role: 'admin' })
  await keepBreakGlass(trx, accountId)
  const actor: Actor = `login:${loginId}`
  await recordMember(trx, actor, 'account.transfer', { accountId, loginId: newOwnerId }, owner)
}

/** Serializes changes of members, so that two owners cannot remove each other. */
export async function lockMembers(trx: Trx, accountId: number): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

/** Records the start of a session, and keeps the membership until the transaction ends. */
export async function touchMembership(trx: Trx, { accountId, loginId }: Membership): Promise<void> {
  const touched = await trx
    .updateTable('memberships')
    // Later than `joined_at`, also in the transaction in which the user joins.
    .set({ usedAt: sql<Date>`clock_timestamp()` })
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .executeTakeFirst()
  if (touched.numUpdatedRows === 0n) throw noMembership()
}

/** A new login has no browser that it was used with. An old one without sessions may have been forgotten by its user. */
const newLoginDays = 7

/** Whether the login is new and was never used to sign in. */
export async function isFirstSignIn(trx: Trx, loginId: number): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    SELECT created_at > now() - ${newLoginDays} * interval '1 day' AND NOT EXISTS (
      SELECT FROM memberships WHERE memberships.login_id = logins.id AND used_at > joined_at) AS is_first
    FROM logins WHERE id = ${loginId}
  `.execute(trx)
  return rows[0]?.isFirst ?? false
}

export function memberNotFound(): ApiError {
  return new ApiError('notFound', 'Member not found.')
}

export function noMembership(): ApiError {
  return new ApiError('noMembership', 'You are a member of no account. Ask an admin for an invitation.')
}

/** Returns the account in which a sign-in continues: the one used last that is not suspended and needs no single sign-on, if there is one. */
export async function chooseAccount(db: Database | Trx, loginId: number): Promise<number> {
  const [account] = (
    await sql<{ id: number; isSuspended: boolean }>`
      SELECT accounts.id, accounts.suspended_at IS NOT NULL AS is_suspended
      FROM memberships JOIN accounts ON accounts.id = memberships.account_id
      WHERE memberships.login_id = ${loginId}
      ORDER BY accounts.suspended_at IS NOT NULL, ${requiresSso}, used_at DESC, accounts.id LIMIT 1
    `.execute(db)
  ).rows
  if (account === undefined) throw noMembership()
  if (account.isSuspended) throw new ApiError('accountSuspended', 'This account is suspended.')
  return account.id
}

async function lockForChange(trx: Trx, changer: Changer, { accountId, loginId }: Membership) {
  await lockMembers(trx, accountId)
  const existing = await findMember(trx, { accountId, loginId })
  if (existing === undefined) throw memberNotFound()
  if (changer === 'operator') return { existing, granter: undefined }
  if (changer.loginId === loginId)
    throw new ApiError('insufficientRole', 'You cannot change your own role or rights. Ask another admin.')
  // Read again: the role may have changed since the call was authorized.
  const granter = await findMember(trx, { accountId, loginId: changer.loginId })
  if (granter === undefined) throw noMembership()
  return { existing, granter }
}

/** Counts after the insertion, which the caller rolls back. */
async function rejectTooMany(trx: Trx, { accountId, loginId }: Membership): Promise<void> {
  const { members, accounts } = await trx
    .selectFrom(sql`(SELECT 1)`.as('one'))
    .select([
      sql<number>`(SELECT count(*)::integer FROM memberships WHERE account_id = ${accountId})`.as('members'),
      sql<number>`(SELECT count(*)::integer FROM memberships WHERE login_id = ${loginId})`.as('accounts'),
    ])
    .executeTakeFirstOrThrow()
  if (members > maxMembers)
    throw tooMany(`Member limit reached (${maxMembers}). Remove one first.`, maxMembers)
  if (accounts > maxAccounts)
    throw tooMany(`The user is a member of ${maxAccounts} accounts, which is the limit.`, maxAccounts)
}

async function rejectLastOwner(trx: Trx, accountId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('memberships')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('accountId', '=', accountId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  if (count <= 1)
    throw new ApiError(
      'lastOwner',
      'The account needs an owner. Transfer the ownership to another member first.',
    )
}

async function writeMember(trx: Trx, { accountId, loginId }: Membership, member: Member): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ ...member, ...(member.role !== 'owner' && { isBreakGlass: false }) })
    .where('accountId', '=', accountId)
    .where('loginId', '=', loginId)
    .execute()
}

function recordMember(
  trx: Trx,
  actor: Actor,
  action: 'account.transfer' | 'member.add' | 'member.change' | 'member.remove',
  { accountId, loginId }: Membership,
  { role, canReveal, canExport }: Member,
): Promise<void> {
  return recordAudit(trx, {
    accountId,
    actor,
    action,
    subject: `login:${loginId}`,
    detail: { role, can_reveal: canReveal, can_export: canExport },
  })
}

function actorOf(changer: Changer): Actor {
  return changer === 'operator' ? 'operator' : `login:${changer.loginId}`
}

function tooMany(message: string, limit: number): ApiError {
  return new ApiError('tooManyMembers', message, { details: { limit } })
}

function insufficientRights(): ApiError {
  return new ApiError(
    'insufficientRole',
    'You cannot give or change more than your own role and rights. Ask an owner of the account.',
  )
}
