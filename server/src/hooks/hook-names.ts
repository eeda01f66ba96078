/** Reads how users know hooks: their names and URLs. Deleted hooks keep those of their last version. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'

export interface NamedHook {
  id: number
  name: string | null
  targetUrl: string
  isDeleted: boolean
}

/** One statement for all ids. Unknown ids, and those of other accounts, are missing in the result. */
export async function readHookNames(
  db: Database,
  accountId: number,
  ids: Iterable<number>,
): Promise<Map<number, NamedHook>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const { rows } = await sql<NamedHook>`
    SELECT input.id, found.* FROM unnest(${plainArray(unique)}::integer[]) AS input (id)
    CROSS JOIN LATERAL (
      (SELECT name, target_url, false AS is_deleted FROM hooks
       WHERE hooks.account_id = ${accountId} AND hooks.id = input.id)
      UNION ALL
      (SELECT name, target_url, true FROM hook_versions
       WHERE hook_versions.account_id = ${accountId} AND hook_versions.hook_id = input.id
       ORDER BY version DESC LIMIT 1)
      LIMIT 1
    ) AS found
    ORDER BY input.id
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
