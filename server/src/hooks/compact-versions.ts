/**
 * Deletes versions of hooks that explain nothing, so that one account cannot grow the history without end. Kept are:
 * - the first version of a hook and its newest 100,
 * - every version that was in effect when events were matched or delivered, as long as such events may be kept,
 * - of deleted hooks that no event was matched against, the newest 1,000 of an account.
 * Whatever explain reads stays, so that it says the same before and after. Statements are short and lock only what goes.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { dayMs } from '../model/day.ts'
import { untilNone } from '../ops/until-none.ts'
import { maxUnusedHooks, rememberedDays } from './hook-history.ts'
import { wasUsed } from './version-uses.ts'

const minVersionsKept = 100
/** What was changed just now is still looked at by workers and by pages. */
const settled = sql`now() - interval '10 minutes'`
/** Of two runs, in case no worker ran for a while. */
const overlapMs = 3 * dayMs
const maxRowsPerStep = 1_000
const hooksPerStep = 200

interface ChangedHook {
  accountId: number
  hookId: number
}

/** Of hooks that were changed lately; for the time between two runs and a bit more. */
export function compactRecent(db: Database): Promise<void> {
  return compactChanged(db, sql`now() - interval '1 hour'`, sql`now()`)
}

/** Of hooks whose events have left the ledger since. */
export async function compactOld(db: Database, retentionDays: number, at: Date): Promise<void> {
  // Events leave by whole days, and a delivery may end a while after its event was accepted.
  const kept = new Date(at.getTime() - (retentionDays + 2) * dayMs)
  const from = new Date(kept.getTime() - overlapMs)
  await untilNone(() => deleteUses(db, from, kept))
  await compactChanged(db, from, kept)
  const forgotten = new Date(kept.getTime() - rememberedDays * dayMs)
  await untilNone(() => deleteDeleted(db, new Date(forgotten.getTime() - overlapMs), forgotten))
}

type Instant = Date | RawBuilder<unknown>

async function compactChanged(db: Database, from: Instant, until: Instant): Promise<void> {
  let after: { at: string } | undefined
  do {
    const page = await changedHooks(db, after === undefined ? from : sql`${after.at}::timestamptz`, until)
    const hooks = [...new Map(page.map((hook) => [`${hook.accountId}:${hook.hookId}`, hook])).values()]
    for (let first = 0; first < hooks.length; first += hooksPerStep) {
      const some = hooks.slice(first, first + hooksPerStep)
      await untilNone(() => deleteUnused(db, some))
    }
    for (const accountId of new Set(hooks.map((hook) => hook.accountId)))
      await untilNone(() => deleteNeverUsed(db, accountId))
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

/** Returns how many versions were deleted. */
async function deleteUnused(db: Database, hooks: readonly ChangedHook[]): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_versions AS own USING (
      SELECT given.account_id, given.hook_id, old.version
      FROM unnest(
        ${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
        ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[]
      ) AS given (account_id, hook_id)
      CROSS JOIN LATERAL (
        SELECT version FROM hook_versions AS newest
        WHERE newest.account_id = given.account_id AND newest.hook_id = given.hook_id
        ORDER BY version DESC OFFSET ${minVersionsKept - 1} LIMIT 1
      ) AS oldest_kept
      CROSS JOIN LATERAL (
        SELECT version, lag(version) OVER by_version AS previous, lead(version) OVER by_version AS next,
               lead(at) OVER by_version AS ended_at
        FROM hook_versions AS older
        WHERE older.account_id = given.account_id AND older.hook_id = given.hook_id AND older.version <= oldest_kept.version
        WINDOW by_version AS (ORDER BY version)
      ) AS old
      WHERE old.previous IS NOT NULL AND old.ended_at < ${settled}
        AND NOT ${wasUsed(sql`given.account_id`, sql`old.version`, sql`old.next`)}
      LIMIT ${maxRowsPerStep}
    ) AS gone
    WHERE own.account_id = gone.account_id AND own.hook_id = gone.hook_id AND own.version = gone.version
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Hooks that were deleted before any event was matched against them, all but the newest of an account. */
async function deleteNeverUsed(db: Database, accountId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH RECURSIVE ids AS (
      (SELECT hook_id, 1 AS place FROM hook_versions WHERE account_id = ${accountId} ORDER BY hook_id DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT own.hook_id FROM hook_versions AS own WHERE account_id = ${accountId} AND own.hook_id < ids.hook_id
              ORDER BY own.hook_id DESC LIMIT 1), place + 1
      FROM ids WHERE ids.hook_id IS NOT NULL AND place < ${maxUnusedHooks + maxRowsPerStep}
    )
    DELETE FROM hook_versions AS own USING (
      SELECT ids.hook_id FROM ids
      CROSS JOIN LATERAL (
        SELECT min(version) AS first, max(version) AS last FROM hook_versions AS every_one
        WHERE every_one.account_id = ${accountId} AND every_one.hook_id = ids.hook_id
      ) AS life
      JOIN hook_versions AS ended ON ended.account_id = ${accountId} AND ended.hook_id = ids.hook_id
        AND ended.version = life.last AND ended.change = 'deleted' AND ended.at < ${settled}
      WHERE place > ${maxUnusedHooks} AND NOT ${wasUsed(sql`${accountId}`, sql`life.first`, sql`life.last`)}
    ) AS gone
    WHERE own.account_id = ${accountId} AND own.hook_id = gone.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Uses of versions that were followed by another one so long ago that no event of then is kept. */
async function deleteUses(db: Database, from: Instant, until: Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_version_uses AS own USING (
      SELECT before.account_id, before.version
      FROM hook_version_uses AS later
      CROSS JOIN LATERAL (
        SELECT account_id, version FROM hook_version_uses AS earlier
        WHERE earlier.account_id = later.account_id AND earlier.version < later.version ORDER BY version DESC LIMIT 10
      ) AS before
      WHERE later.used_at > ${from} AND later.used_at <= ${until}
      LIMIT ${maxRowsPerStep}
    ) AS gone
    WHERE own.account_id = gone.account_id AND own.version = gone.version
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** All versions of hooks that were deleted so long ago that explain does not mention them any more. */
async function deleteDeleted(db: Database, from: Instant, until: Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hook_versions AS own USING (
      SELECT account_id, hook_id FROM hook_versions
      WHERE change = 'deleted' AND at > ${from} AND at <= ${until} ORDER BY at LIMIT ${hooksPerStep}
    ) AS gone
    WHERE own.account_id = gone.account_id AND own.hook_id = gone.hook_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
