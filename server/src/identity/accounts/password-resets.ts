/**
 * Links to a new password. The link holds 256 random bits, the database their keyed digest; it works once and for half an
 * hour, and a newer one, a new password or a new e-mail address voids it.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { isNamed } from './logins.ts'

export const linkMinutes = 30

/** Undefined: nobody has this alias or e-mail address, or the account is suspended. */
export async function openReset(
  db: Database,
  vault: Vault,
  { login: name, ip }: { login: string; ip: string },
): Promise<{ token: string; alias: string; email: string } | undefined> {
  const token = randomBytes(32).toString('base64url')
  return db.transaction().execute(async (trx) => {
    const login = await trx
      .selectFrom('logins')
      .innerJoin('accounts', 'accounts.id', 'logins.accountId')
      .select(['logins.id', 'logins.accountId', 'logins.alias', 'logins.email'])
      .where(isNamed(name))
      .where('accounts.suspendedAt', 'is', null)
      .executeTakeFirst()
    if (login === undefined) return undefined
    const link = {
      digest: digestOf(vault, token),
      expiresAt: sql<Date>`now() + make_interval(mins => ${sql.lit(linkMinutes)})`,
    }
    await trx
      .insertInto('passwordResets')
      .values({ loginId: login.id, ...link })
      .onConflict((conflict) => conflict.column('loginId').doUpdateSet(link))
      .execute()
    await recordAudit(trx, {
      accountId: login.accountId,
      actor: 'visitor',
      action: 'login.ask-for-link',
      subject: `login:${login.id}`,
      detail: { ip },
    })
    return { token, alias: login.alias, email: login.email }
  })
}

/** Refuses what is no open link, and leaves it open. */
export async function judgeReset(db: Database, vault: Vault, token: string): Promise<void> {
  const found = await db
    .selectFrom('passwordResets')
    .select('loginId')
    .where('digest', '=', digestOf(vault, token))
    .where(isOpen)
    .executeTakeFirst()
  if (found === undefined) throw linkInvalid()
}

/** Uses the link up: of two at once only one gets the login. */
export async function takeReset(trx: Trx, vault: Vault, token: string): Promise<number> {
  const taken = await trx
    .deleteFrom('passwordResets')
    .where('digest', '=', digestOf(vault, token))
    .where(isOpen)
    .returning('loginId')
    .executeTakeFirst()
  if (taken === undefined) throw linkInvalid()
  return taken.loginId
}

export async function forgetExpiredResets(db: Database): Promise<void> {
  await db
    .deleteFrom('passwordResets')
    .where(sql<boolean>`NOT (${isOpen})`)
    .execute()
}

const isOpen = sql<boolean>`expires_at > now()`

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'password-reset')
}

function linkInvalid(): Refusal {
  return new Refusal(
    'linkInvalid',
    'This link was used before, is too old, or is not complete. Ask for another.',
  )
}
