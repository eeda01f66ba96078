/**
 * Emails that somebody says are theirs. One becomes the login's when the link sent to it is opened by somebody who is
 * signed in with this login: that proves that one person has both. Until then it reserves nothing, so nobody can occupy
 * somebody else's email, and whoever opens a link by mistake gives nothing away.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { isTaken, judgeEmail } from './logins.ts'

export const verificationHours = 24
const maxOpenPerLogin = 5

const isOpen = sql<boolean>`expires_at > now()`

/** Returns the token of the link. */
export async function openVerification(
  db: Database | Trx,
  vault: Vault,
  loginId: number,
  email: string,
): Promise<string> {
  judgeEmail(email)
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

/** The newest email of a login that waits to be verified. */
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

/** Makes the email the login's. Links on their way to the old one are void. */
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
      throw new Refusal('linkInvalid', 'This link was used before, is too old, or belongs to another login.')
    const { email } = verified
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
        throw isTaken(error)
          ? new Refusal(
              'parameterInvalid',
              'Another login already has this email. Reset its password instead.',
            )
          : error
      })
    await trx.deleteFrom('emailVerifications').where('loginId', '=', loginId).execute()
    await trx.deleteFrom('passwordResets').where('loginId', '=', loginId).execute()
    await recordAudit(trx, {
      accountId: old.accountId,
      actor,
      action: 'login.set-email',
      subject: `login:${loginId}`,
      detail: { from: old.email, to: email },
    })
    return { alias: old.alias, oldEmail: old.email }
  })
}

/**
 * Within the transaction of a reset: its link proves who owns the mailbox. False: that was proved before. Emails that are
 * still to be verified were given by whoever had the login until now, so they are void.
 */
export async function proveByReset(trx: Trx, loginId: number): Promise<boolean> {
  await trx.deleteFrom('emailVerifications').where('loginId', '=', loginId).execute()
  const proved = await trx
    .updateTable('logins')
    .set({ emailVerifiedAt: sql<Date>`now()` })
    .where('id', '=', loginId)
    .where('emailVerifiedAt', 'is', null)
    .executeTakeFirst()
  return proved.numUpdatedRows > 0n
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
