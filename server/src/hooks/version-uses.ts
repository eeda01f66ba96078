/**
 * Records which versions of an account's hooks were used. Written when a worker loads hooks: once per version and
 * worker, before the first event is matched or delivered with them, and never per event.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray, wordArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'

export async function recordUses(
  db: Database,
  uses: ReadonlyArray<{ accountId: number; version: string }>,
): Promise<void> {
  if (uses.length === 0) return
  await sql`/* prepared */
    INSERT INTO hook_version_uses (account_id, version)
    SELECT DISTINCT * FROM unnest(
      ${plainArray(uses.map(({ accountId }) => accountId))}::integer[],
      ${wordArray(uses.map(({ version }) => version))}::bigint[])
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  `.execute(db)
}

/** Whether a version from `from` up to, not including, `before` was used. Null for `before`: no upper bound. */
export function wasUsed(
  accountId: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  before: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT FROM hook_version_uses AS used
    WHERE used.account_id = ${accountId} AND used.version >= ${from} AND (${before} IS NULL OR used.version < ${before}))`
}
