/** Finds hooks of an account by words of their name or URL, for searches while typing. */
import { sql } from 'kysely'
import { textArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'

export interface FoundHook {
  id: number
  name: string | null
  targetUrl: string
  enabled: boolean
}

/** Further words do not narrow a search that a user types. */
const maxWords = 8

/** Every word must occur in the name or the URL without its query, which can contain credentials. The hook whose id is the text comes first, then names that start with it. */
export async function findHooks(
  db: Database,
  accountId: number,
  text: string,
  max: number,
): Promise<FoundHook[]> {
  const normalized = text.trim().toLowerCase()
  const words = normalized.split(/\s+/).slice(0, maxWords)
  const { rows } = await sql<FoundHook>`
    SELECT id, name, target_url, enabled FROM hooks
    CROSS JOIN LATERAL (SELECT lower(coalesce(name, '') || ' ' || split_part(target_url, '?', 1)) AS text) AS searched
    WHERE account_id = ${accountId} AND (id::text = ${normalized} OR NOT EXISTS (
      SELECT FROM unnest(${textArray(words)}::text[]) AS word WHERE position(word IN searched.text) = 0))
    ORDER BY id::text = ${normalized} DESC, starts_with(lower(coalesce(name, '')), ${normalized}) DESC, id LIMIT ${max}
  `.execute(db)
  return rows
}
