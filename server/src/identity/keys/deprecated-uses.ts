import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

interface DeprecatedUses {
  kind: string
  /** YYYY-MM-DD, by the clock of the database. */
  lastDay: string
  usesIn30Days: number
}

/** Returns the deprecated credentials that an account uses, latest first. */
export async function listDeprecatedUses(db: Database, accountId: number): Promise<DeprecatedUses[]> {
  const found = await sql<DeprecatedUses>`
    SELECT kind, to_char(max(day), 'YYYY-MM-DD') AS last_day,
      coalesce(sum(uses) FILTER (WHERE day > current_date - 30), 0)::float8 AS uses_in30_days
    FROM deprecated_uses
    WHERE account_id = ${accountId}
    GROUP BY kind
    ORDER BY max(day) DESC, kind
  `.execute(db)
  return found.rows
}
