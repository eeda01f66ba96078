import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { hasErrorCode } from '../../runtime/has-error-code.ts'
import { deleteNetworks } from './known-networks.ts'
import { maxPasswordBytes, type Passwords } from './passwords.ts'

export interface NewLogin {
  alias: string
  email: string
  password: string
}

const minPasswordLength = 10

/** Validates a login before any write. Messages name the field, never its value. */
export function validateLogin(login: NewLogin): void {
  validateAlias(login.alias)
  validateEmail(login.email)
  validatePassword(login.password)
}

export function validateAlias(alias: string): void {
  if (!/^[A-Za-z0-9._-]{2,64}$/.test(alias))
    throw new ApiError('parameterInvalid', 'The alias must have 2 to 64 letters, digits, ".", "-" or "_".', {
      field: 'alias',
    })
}

/** Rejects characters that separate or wrap addresses in a mail header, so that an email has exactly one recipient. */
export function validateEmail(email: string): void {
  if (!/^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}]{1,190}$/u.test(email))
    throw new ApiError('parameterInvalid', 'The email is not valid.', { field: 'email' })
}

export function validatePassword(password: string): void {
  if (Buffer.byteLength(password) > maxPasswordBytes)
    throw new ApiError('parameterInvalid', `The password can have at most ${maxPasswordBytes} bytes.`, {
      field: 'password',
    })
  if (password.length < minPasswordLength)
    throw new ApiError(
      'parameterInvalid',
      `The password must have at least ${minPasswordLength} characters.`,
      { field: 'password' },
    )
}

/** Matches a login by alias or email. Only emails contain `@`, so a name matches at most one login. */
export function isNamed(name: string) {
  const column = name.includes('@') ? 'logins.email' : 'logins.alias'
  return sql<boolean>`lower(${sql.ref(column)}) = ${name.toLowerCase()}`
}

/**
 * Adds a login within the caller's transaction. It owns the account, unless it gets another role in the same transaction.
 * Emails of self-registered logins need verification. Emails set by the operator, or proven by an invitation, do not.
 */
export async function insertLogin(
  trx: Trx,
  actor: Actor,
  accountId: number,
  login: Pick<NewLogin, 'alias' | 'email'> & { isEmailVerified: boolean },
  passwordHash: string,
): Promise<number> {
  const email = login.isEmailVerified ? { email: login.email, emailVerifiedAt: sql<Date>`now()` } : {}
  const added = await trx
    .insertInto('logins')
    .values({ accountId, alias: login.alias, passwordHash, ...email })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined)
    throw new ApiError(
      'parameterInvalid',
      login.isEmailVerified
        ? 'Another login already has this alias or email.'
        : 'Another login already has this alias.',
      { field: 'alias' },
    )
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'login.create',
    subject: `login:${added.id}`,
    detail: { alias: login.alias },
  })
  return added.id
}

export async function createLogin(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  accountId: number,
  login: NewLogin,
): Promise<number> {
  validateLogin(login)
  const passwordHash = await passwords.hash(login.password)
  return db
    .transaction()
    .execute((trx) => insertLogin(trx, actor, accountId, { ...login, isEmailVerified: true }, passwordHash))
}

/** Returns the id of a login by alias or email. */
export async function findLoginId(db: Database | Trx, name: string): Promise<number | undefined> {
  const found = await db.selectFrom('logins').select('id').where(isNamed(name)).executeTakeFirst()
  return found?.id
}

/** Whether a login has this email. */
export async function hasLogin(db: Database, email: string): Promise<boolean> {
  return (await findLoginId(db, email)) !== undefined
}

/** Sets a password. `revoke` revokes the sessions of the old one. Returns false if no login has this alias or email. */
export async function setPassword(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  name: string,
  password: string,
  revoke: (trx: Trx, loginId: number) => Promise<unknown>,
): Promise<boolean> {
  validatePassword(password)
  const passwordHash = await passwords.hash(password)
  return db.transaction().execute(async (trx) => {
    const loginId = await findLoginId(trx, name)
    if (loginId === undefined) return false
    await writePassword(trx, actor, loginId, passwordHash)
    await revoke(trx, loginId)
    return true
  })
}

/** Writes a password within a transaction, which must also revoke the sessions of the old password. */
export async function writePassword(
  trx: Trx,
  actor: Actor,
  loginId: number,
  passwordHash: string,
  detail: { ip?: string; by?: 'link' } = {},
): Promise<{ alias: string; email: string | null }> {
  const login = await trx
    .updateTable('logins')
    .set({ passwordHash })
    .where('id', '=', loginId)
    .returning(['accountId', 'alias', 'email'])
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('passwordResets').where('loginId', '=', loginId).execute()
  await deleteNetworks(trx, loginId)
  await recordAudit(trx, {
    ...accountOf(login),
    actor,
    action: 'login.set-password',
    subject: `login:${loginId}`,
    detail,
  })
  return login
}

/**
 * The account whose audit log records changes of a login: the one that it was created in. Without it, only the operator's
 * export has them.
 */
export function accountOf({ accountId }: { accountId: number | null }): { accountId?: number } {
  return accountId === null ? {} : { accountId }
}

/** 23505 is a violation of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return hasErrorCode(error, '23505')
}
