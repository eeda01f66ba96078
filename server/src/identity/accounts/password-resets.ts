/**
 * Password reset links. A link contains 256 random bits, and the database stores their keyed digest. It works once within
 * 30 minutes. A new password or email invalidates all links of a login, a further request invalidates none. While a recent
 * link exists, requests from unknown browsers send no other one. So attackers cannot flood a mailbox, and the user always
 * finds a working link.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { ApiError } from '../../model/errors.ts'
import type { Vault } from '../../vault/vault.ts'
import { accountOf, isNamed } from './logins.ts'

export const linkMinutes = 30
/** A newer link is not replaced for unknown browsers. It still works for at least 25 minutes. */
const freshMinutes = 5

interface Request {
  login: string
  ip: string
  /** Login of a known browser. It gets a new link for each request, within its own allowance. */
  knownLoginId: number | undefined
}

/** Creates a link. Returns undefined for an unknown name, a login of suspended accounts only, no verified email, or a recent link. */
export async function openReset(
  db: Database,
  vault: Vault,
  { login: name, ip, knownLoginId }: Request,
): Promise<{ token: string; alias: string; email: string } | undefined> {
  const token = randomBytes(32).toString('base64url')
  return db.transaction().execute(async (trx) => {
    const login = await trx
      .selectFrom('logins')
      .select(['logins.id', 'logins.accountId', 'logins.alias', 'logins.email'])
      .where(isNamed(name))
      .where(isUsable)
      // Serializes concurrent requests, so that the second sees the link of the first.
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
      ...accountOf(login),
      actor: 'visitor',
      action: 'login.request-reset',
      subject: `login:${login.id}`,
      detail: { ip },
    })
    return { token, alias: login.alias, email: login.email }
  })
}

/** Without an account, a user can still accept an invitation. */
const isUsable = sql<boolean>`(
  EXISTS (
    SELECT FROM memberships JOIN accounts ON accounts.id = memberships.account_id
    WHERE memberships.login_id = logins.id AND accounts.suspended_at IS NULL)
  OR NOT EXISTS (SELECT FROM memberships WHERE memberships.login_id = logins.id))`

async function hasFreshLink(trx: Trx, loginId: number): Promise<boolean> {
  const fresh = await trx
    .selectFrom('passwordResets')
    .select('digest')
    .where('loginId', '=', loginId)
    .where(sql<boolean>`created_at > now() - make_interval(mins => ${sql.lit(freshMinutes)})`)
    .executeTakeFirst()
  return fresh !== undefined
}

/** Returns the login of a valid link without consuming it. Throws for an invalid link. */
export async function checkReset(db: Database, vault: Vault, token: string): Promise<number> {
  const found = await db
    .selectFrom('passwordResets')
    .select('loginId')
    .where('digest', '=', digestOf(vault, token))
    .where(isOpen)
    .executeTakeFirst()
  if (found === undefined) throw invalidResetLink()
  return found.loginId
}

/** Consumes a link and returns its login. Of two concurrent calls, only one succeeds. */
export async function consumeReset(trx: Trx, vault: Vault, token: string): Promise<number> {
  const consumed = await trx
    .deleteFrom('passwordResets')
    .where('digest', '=', digestOf(vault, token))
    .where(isOpen)
    .returning('loginId')
    .executeTakeFirst()
  if (consumed === undefined) throw invalidResetLink()
  return consumed.loginId
}

export async function pruneExpiredResets(db: Database): Promise<void> {
  await db
    .deleteFrom('passwordResets')
    .where(sql<boolean>`NOT (${isOpen})`)
    .execute()
}

const isOpen = sql<boolean>`expires_at > now()`

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'password-reset')
}

function invalidResetLink(): ApiError {
  return new ApiError('invalidResetLink', 'Reset link invalid or expired. Request a new link.')
}
