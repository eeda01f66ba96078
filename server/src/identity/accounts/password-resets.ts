/**
 * Links to a new password. A link holds 256 random bits, the database their keyed digest; it works once and for half an hour.
 * A new password or a new email voids all links of a login; a further request voids none. While a fresh link lies in
 * the mailbox, requests of strangers send no other: so they can neither flood a mailbox nor use anything up, and the
 * owner finds a link that works whoever asked for it.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { isNamed } from './logins.ts'

export const linkMinutes = 30
/** A link this young is not sent again for strangers. It still works for 25 minutes then. */
const freshMinutes = 5

interface Request {
  login: string
  ip: string
  /** The login whose known browser asks: it gets a new link each time, within its own allowance. */
  knownLoginId: number | undefined
}

/** Undefined: nothing is to be sent. Nobody has this name, its account is suspended, or a fresh link was sent. */
export async function openReset(
  db: Database,
  vault: Vault,
  { login: name, ip, knownLoginId }: Request,
): Promise<{ token: string; alias: string; email: string } | undefined> {
  const token = randomBytes(32).toString('base64url')
  return db.transaction().execute(async (trx) => {
    const login = await trx
      .selectFrom('logins')
      .innerJoin('accounts', 'accounts.id', 'logins.accountId')
      .select(['logins.id', 'logins.accountId', 'logins.alias', 'logins.email'])
      .where(isNamed(name))
      .where('accounts.suspendedAt', 'is', null)
      // Of two requests at once one sees the link of the other.
      .forNoKeyUpdate('logins')
      .executeTakeFirst()
    if (login === undefined || login.email === null) return undefined
    if (login.id !== knownLoginId && (await hasFreshLink(trx, login.id))) return undefined
    await trx
      .insertInto('passwordResets')
      .values({
        loginId: login.id,
        digest: digestOf(vault, token),
        expiresAt: sql<Date>`now() + make_interval(mins => ${sql.lit(linkMinutes)})`,
      })
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

async function hasFreshLink(trx: Trx, loginId: number): Promise<boolean> {
  const fresh = await trx
    .selectFrom('passwordResets')
    .select('digest')
    .where('loginId', '=', loginId)
    .where(sql<boolean>`created_at > now() - make_interval(mins => ${sql.lit(freshMinutes)})`)
    .executeTakeFirst()
  return fresh !== undefined
}

/** Refuses what is no open link, and leaves it open. Returns whose it is. */
export async function judgeReset(db: Database, vault: Vault, token: string): Promise<number> {
  const found = await db
    .selectFrom('passwordResets')
    .select('loginId')
    .where('digest', '=', digestOf(vault, token))
    .where(isOpen)
    .executeTakeFirst()
  if (found === undefined) throw linkInvalid()
  return found.loginId
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
