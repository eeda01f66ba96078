/**
 * Deletes hook versions that explain nothing, so one account cannot grow the history without limit. It keeps:
 * - the first version of a hook and its newest 100,
 * - every version that was in effect when events were matched or delivered, as long as such events may be stored,
 * - of deleted hooks that no event was matched against, the newest 1,000 of an account.
 * Everything that explain reads stays, so its result does not change. Statements are short and lock only the rows
 * they delete.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { drain } from '../runtime/drain.ts'
import { maxUnusedHooks, deletedHookDays } from './hook-history.ts'
import { wasUsed } from './version-uses.ts'

export const minVersionsKept = 100
/** Recent changes are still read by workers and pages. */
const beforeRecent = sql`now() - interval '10 minutes'`
/** Overlap of two runs, in case no worker ran for a while. */
const overlapMs = 3 * dayMs
const maxRowsPerStep = 1_000
const hooksPerStep = 200

interface ChangedHook {
  accountId: number
  hookId: number
}

/** Compacts versions of recently changed hooks. Covers the time between two runs and a little more. */
export function compactRecent(db: Database): Promise<void> {
  return compactChanged(db, sql`now() - interval '1 hour'`, sql`now()`)
}

/** Compacts versions of hooks whose events have left the ledger. */
export async function compactOld(db: Database, retentionDays: number, at: Date): Promise<void> {
  // Events leave in whole days, and a delivery may finish a while after its event was accepted.
  const kept = new Date(at.getTime() - (retentionDays + 2) * dayMs)
  const from = new Date(kept.getTime() - overlapMs)
  await drain(() => deleteUses(db, from, kept))
  await compactChanged(db, from, kept)
  const expired = new Date(kept.getTime() - deletedHookDays * dayMs)
  await drain(() => deleteDeleted(db, new Date(expired.getTime() - overlapMs), expired))
}

type Instant = Date | RawBuilder<unknown>

async function compactChanged(db: Database, from: Instant, until: Instant): Promise<void> {
  let after: { at: string } | undefined
  do {
    const page = await changedHooks(db, after === undefined ? from : sql`${after.at}::timestamptz`, until)
    const hooks = [...new Map(page.map((hook) => [`${hook.accountId}:${hook.hookId}`, hook])).values()]
    for (let first = 0; first < hooks.length; first += hooksPerStep) {
      const batch = hooks.slice(first, first + hooksPerStep)
      await drain(() => deleteUnused(db, batch))
    }
    for (const accountId of new Set(hooks.map((hook) => hook.accountId)))
      await drain(() => deleteNeverUsed(db, accountId))
    after = page.length === maxRowsPerStep ? page.at(-1) : undefined
  } while (after !== undefined)
}

async function changedHooks(
  db: Database,
  after: Instant,
  until: Instant,
): Promise<Array<ChangedHook & { at: string }>> {
  const { rows } = await sql<ChangedHook & { at: string }>`
    SELECT account_id, hook_id, at::text FROM hook_versions WHERE at > ${after} AND at <= ${until}
    ORDER BY at LIMIT ${maxRowsPerStep}
  `.execute(db)
  return rows
}

/** Returns the number of versions deleted. */
async function deleteUnused(db: Database, hooks: readonly ChangedHook[]): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_versions AS versions USING (
      SELECT input.account_id, input.hook_id, old.version
      FROM unnest(
        ${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
        ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[]
      ) AS input (account_id, hook_id)
      CROSS JOIN LATERAL (
        SELECT version FROM hook_versions AS newest
        WHERE newest.account_id = input.account_id AND newest.hook_id = input.hook_id
        ORDER BY version DESC OFFSET ${minVersionsKept - 1} LIMIT 1
      ) AS oldest_kept
      CROSS JOIN LATERAL (
        SELECT version, lag(version) OVER by_version AS previous, lead(version) OVER by_version AS next,
               lead(at) OVER by_version AS ended_at
        FROM hook_versions AS older
        WHERE older.account_id = input.account_id AND older.hook_id = input.hook_id AND older.version <= oldest_kept.version
        WINDOW by_version AS (ORDER BY version)
      ) AS old
      WHERE old.previous IS NOT NULL AND old.ended_at < ${beforeRecent}
        AND NOT ${wasUsed(sql`input.account_id`, sql`old.version`, sql`old.next`)}
      LIMIT ${maxRowsPerStep}
    ) AS gone
    WHERE versions.account_id = gone.account_id AND versions.hook_id = gone.hook_id AND versions.version = gone.version
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes hooks that were deleted before any event was matched against them, except the newest of an account. */
async function deleteNeverUsed(db: Database, accountId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH RECURSIVE ids AS (
      (SELECT hook_id, 1 AS rank FROM hook_versions WHERE account_id = ${accountId} ORDER BY hook_id DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT next.hook_id FROM hook_versions AS next WHERE account_id = ${accountId} AND next.hook_id < ids.hook_id
              ORDER BY next.hook_id DESC LIMIT 1), rank + 1
      FROM ids WHERE ids.hook_id IS NOT NULL AND rank < ${maxUnusedHooks + maxRowsPerStep}
    )
    DELETE FROM hook_versions AS versions USING (
      SELECT ids.hook_id FROM ids
      CROSS JOIN LATERAL (
        SELECT min(version) AS first, max(version) AS last FROM hook_versions AS all_versions
        WHERE all_versions.account_id = ${accountId} AND all_versions.hook_id = ids.hook_id
      ) AS lifetime
      JOIN hook_versions AS ended ON ended.account_id = ${accountId} AND ended.hook_id = ids.hook_id
        AND ended.version = lifetime.last AND ended.change = 'deleted' AND ended.at < ${beforeRecent}
      WHERE rank > ${maxUnusedHooks} AND NOT ${wasUsed(sql`${accountId}`, sql`lifetime.first`, sql`lifetime.last`)}
    ) AS gone
    WHERE versions.account_id = ${accountId} AND versions.hook_id = gone.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes uses of versions that were replaced so long ago that no event of that time is stored. */
async function deleteUses(db: Database, from: Instant, until: Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_version_uses AS versions USING (
      SELECT previous.account_id, previous.version
      FROM hook_version_uses AS later
      CROSS JOIN LATERAL (
        SELECT account_id, version FROM hook_version_uses AS earlier
        WHERE earlier.account_id = later.account_id AND earlier.version < later.version ORDER BY version DESC LIMIT 10
      ) AS previous
      WHERE later.used_at > ${from} AND later.used_at <= ${until}
      LIMIT ${maxRowsPerStep}
    ) AS gone
    WHERE versions.account_id = gone.account_id AND versions.version = gone.version
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes all versions of hooks that were deleted so long ago that explain no longer mentions them. */
async function deleteDeleted(db: Database, from: Instant, until: Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_versions AS versions USING (
      SELECT account_id, hook_id FROM hook_versions
      WHERE change = 'deleted' AND at > ${from} AND at <= ${until} ORDER BY at LIMIT ${hooksPerStep}
    ) AS gone
    WHERE versions.account_id = gone.account_id AND versions.hook_id = gone.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
