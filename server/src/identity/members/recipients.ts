import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'

export interface Recipient {
  loginId: number
  alias: string
  email: string
}

const maxRecipients = 200

/** Returns the members of an account who can get notices: those with a verified email. A suspended account has none. */
export function readRecipients(db: Database | Trx, accountId: number): Promise<Recipient[]> {
  return read(
    db,
    accountId,
    sql`SELECT login_id FROM memberships WHERE account_id = ${accountId} ORDER BY login_id LIMIT ${maxRecipients}`,
  )
}

/**
 * Returns those of the users who can get notices about their logins. Former members too: an attacker who controls a login could
 * leave the account with it before the user is told.
 */
export function readUsers(
  db: Database | Trx,
  accountId: number,
  loginIds: readonly number[],
): Promise<Recipient[]> {
  return read(db, accountId, sql`SELECT DISTINCT unnest(${plainArray(loginIds)}::integer[]) AS login_id`)
}

async function read(db: Database | Trx, accountId: number, users: RawBuilder<unknown>): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    SELECT logins.id AS login_id, alias, email FROM (${users}) AS users
    JOIN logins ON logins.id = users.login_id
    JOIN accounts ON accounts.id = ${accountId}
    WHERE email IS NOT NULL AND email_verified_at IS NOT NULL AND accounts.suspended_at IS NULL
    ORDER BY logins.id
  `.execute(db)
  return rows
}
