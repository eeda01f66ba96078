import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'

export interface Recipient {
  loginId: number
  alias: string
  email: string
}

const maxRecipients = 200

/** Returns the members of an account who can get notices: those with a verified email. A suspended account has none. */
export async function readRecipients(db: Database | Trx, accountId: number): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    SELECT logins.id AS login_id, alias, email FROM memberships
    JOIN logins ON logins.id = memberships.login_id
    JOIN accounts ON accounts.id = memberships.account_id
    WHERE memberships.account_id = ${accountId} AND email IS NOT NULL AND email_verified_at IS NOT NULL
      AND accounts.suspended_at IS NULL
    ORDER BY logins.id LIMIT ${maxRecipients}
  `.execute(db)
  return rows
}
