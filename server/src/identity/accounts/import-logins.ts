/** Imports logins. They have no password: the user sets one with a reset link. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { boolean, integer, text, timestamptz, unnestNumberedRows, unnestRows } from '../../db/rows.ts'
import { compareFields, type ImportComparison } from '../../model/import-comparison.ts'
import type { Member, Role } from '../../model/role.ts'
import type { Passwords } from './passwords.ts'

export interface ImportedLogin extends Member {
  accountId: number
  alias: string
  /** Null: only the operator can set a password. */
  email: string | null
  createdAt: Date | undefined
}

interface Match {
  ordinal: string
  accountId: number
  alias: string
  email: string | null
  createdAt: Date
  role: Role | null
  canReveal: boolean | null
  canExport: boolean | null
  hasAlias: boolean
}

/** Returns the hash of a random password, which no one knows. Checking it takes as long as for any other login. */
export function unusablePasswordHash(passwords: Passwords): Promise<string> {
  return passwords.hash(randomBytes(32).toString('base64'))
}

/** A login is identified by its alias, ignoring case. */
export async function compareLogins(
  db: Database | Trx,
  logins: readonly ImportedLogin[],
): Promise<ImportComparison[]> {
  if (logins.length === 0) return []
  const { rows } = await sql<Match>`
    SELECT ordinal, logins.account_id, logins.alias, logins.email, logins.created_at,
           role, can_reveal, can_export, lower(logins.alias) = input.alias AS has_alias
    FROM ${unnestNumberedRows('input', logins, {
      alias: text(({ alias }) => alias.toLowerCase()),
      email: text(({ email }) => email?.toLowerCase()),
    })}
    CROSS JOIN LATERAL (
      SELECT * FROM logins WHERE lower(logins.alias) = input.alias
      UNION SELECT * FROM logins WHERE lower(logins.email) = input.email
    ) AS logins
    LEFT JOIN memberships ON memberships.account_id = logins.account_id AND memberships.login_id = logins.id
  `.execute(db)
  const matches = Map.groupBy(rows, ({ ordinal }) => Number(ordinal))
  return logins.map((login, index) => {
    const found = matches.get(index + 1) ?? []
    if (found.some(({ hasAlias }) => !hasAlias)) return { problem: 'Another login already has this email.' }
    const [row] = found
    if (row === undefined) return 'new'
    if (row.accountId !== login.accountId) return { problem: 'A login of another account has this alias.' }
    return compareFields('The login', {
      alias: [login.alias, row.alias],
      email: [login.email, row.email],
      role: [login.role, row.role],
      can_reveal: [login.canReveal, row.canReveal],
      can_export: [login.canExport, row.canExport],
      created_at: [login.createdAt, row.createdAt],
    })
  })
}

/** The operator vouches for the emails, as for those of logins that the operator creates. */
export async function insertLogins(
  trx: Trx,
  logins: readonly ImportedLogin[],
  passwordHash: string,
): Promise<void> {
  if (logins.length === 0) return
  await sql`
    INSERT INTO logins (account_id, alias, email, email_verified_at, password_hash, created_at)
    SELECT account_id, alias, email, CASE WHEN email IS NOT NULL THEN now() END, ${passwordHash},
           coalesce(created_at, now())
    FROM ${unnestRows('input', logins, {
      account_id: integer(({ accountId }) => accountId),
      alias: text(({ alias }) => alias),
      email: text(({ email }) => email),
      created_at: timestamptz(({ createdAt }) => createdAt),
    })}
  `.execute(trx)
  // The logins own their accounts. Exports name other roles.
  await sql`
    UPDATE memberships SET role = input.role, can_reveal = input.can_reveal, can_export = input.can_export
    FROM ${unnestRows('input', logins, {
      alias: text(({ alias }) => alias.toLowerCase()),
      role: text(({ role }) => role),
      can_reveal: boolean(({ canReveal }) => canReveal),
      can_export: boolean(({ canExport }) => canExport),
    })}
    JOIN logins ON lower(logins.alias) = input.alias
    WHERE memberships.login_id = logins.id AND memberships.account_id = logins.account_id
  `.execute(trx)
}
