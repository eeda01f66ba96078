/**
 * Unverified emails of logins. An email belongs to the login once its link is opened in a session of that login, which
 * proves that the same user controls both. Before that, the email is not reserved, so that users cannot block the email
 * of another user, and a link opened by mistake has no effect.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { accountOf, isNamed, isUniqueViolation, validateEmail } from './logins.ts'

export const verificationHours = 24
const maxOpenPerLogin = 5

const isOpen = sql<boolean>`expires_at > now()`

/** Stores a verification and returns the token of its link. */
export async function openVerification(
  db: Database | Trx,
  vault: Vault,
  loginId: number,
  email: string,
): Promise<string> {
  validateEmail(email)
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('emailVerifications')
    .values({
      digest: digestOf(vault, token),
      loginId,
      email,
      expiresAt: sql<Date>`now() + make_interval(hours => ${sql.lit(verificationHours)})`,
    })
    .execute()
  await sql`
    DELETE FROM email_verifications WHERE digest IN (
      SELECT digest FROM email_verifications WHERE login_id = ${loginId}
      ORDER BY created_at DESC OFFSET ${maxOpenPerLogin})
  `.execute(db)
  return token
}

/** Returns the newest email of a login with a pending verification. */
export async function pendingEmail(db: Database, loginId: number): Promise<string | undefined> {
  const pending = await db
    .selectFrom('emailVerifications')
    .select('email')
    .where('loginId', '=', loginId)
    .where(isOpen)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return pending?.email
}

/** Sets the email of the login. Links sent to the old email become invalid. */
export async function confirmEmail(
  db: Database,
  vault: Vault,
  { loginId, token, actor }: { loginId: number; token: string; actor: Actor },
): Promise<{ alias: string; oldEmail: string | null }> {
  return db.transaction().execute(async (trx) => {
    const verified = await trx
      .deleteFrom('emailVerifications')
      .where('digest', '=', digestOf(vault, token))
      .where('loginId', '=', loginId)
      .where(isOpen)
      .returning('email')
      .executeTakeFirst()
    if (verified === undefined)
      throw new ApiError(
        'invalidResetLink',
        'Link invalid or expired, or issued for another login. Request a new link.',
      )
    return replaceEmail(trx, actor, loginId, verified.email)
  })
}

/** Sets an email without verification, for operators. Returns false if no login has this alias or email. */
export function setEmail(db: Database, actor: Actor, name: string, email: string): Promise<boolean> {
  validateEmail(email)
  return db.transaction().execute(async (trx) => {
    const found = await trx.selectFrom('logins').select('id').where(isNamed(name)).executeTakeFirst()
    if (found === undefined) return false
    await replaceEmail(trx, actor, found.id, email)
    return true
  })
}

async function replaceEmail(
  trx: Trx,
  actor: Actor,
  loginId: number,
  email: string,
): Promise<{ alias: string; oldEmail: string | null }> {
  const old = await trx
    .selectFrom('logins')
    .select(['accountId', 'alias', 'email'])
    .where('id', '=', loginId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('logins')
    .set({ email, emailVerifiedAt: sql<Date>`now()` })
    .where('id', '=', loginId)
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error)
        ? new ApiError(
            'parameterInvalid',
            'Another login already has this email. Reset its password instead.',
            { field: 'email' },
          )
        : error
    })
  await trx.deleteFrom('emailVerifications').where('loginId', '=', loginId).execute()
  await trx.deleteFrom('passwordResets').where('loginId', '=', loginId).execute()
  await recordAudit(trx, {
    ...accountOf(old),
    actor,
    action: 'login.set-email',
    subject: `login:${loginId}`,
    detail: { from: old.email, to: email },
  })
  return { alias: old.alias, oldEmail: old.email }
}

/**
 * Marks the email as verified in the transaction of a reset, because the link proves ownership. Returns false if it was
 * verified before. Deletes pending verifications, because the previous user of the login requested them.
 */
export async function verifyEmailByReset(trx: Trx, loginId: number): Promise<boolean> {
  await trx.deleteFrom('emailVerifications').where('loginId', '=', loginId).execute()
  const updated = await trx
    .updateTable('logins')
    .set({ emailVerifiedAt: sql<Date>`now()` })
    .where('id', '=', loginId)
    .where('emailVerifiedAt', 'is', null)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

export async function pruneVerifications(db: Database): Promise<void> {
  await db
    .deleteFrom('emailVerifications')
    .where(sql<boolean>`NOT (${isOpen})`)
    .execute()
}

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'email-verification')
}
