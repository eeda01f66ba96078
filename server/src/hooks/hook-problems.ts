/** Hooks that workers cannot load. Kept in a table, so that owners and operators see what workers meet. */
import { sql } from 'kysely'
import { plainArray, wordArray } from '../db/arrays.ts'
import type { Database, Trx } from '../db/database.ts'
import type { HookProblem } from '../model/hook-problem.ts'

interface HookName {
  accountId: number
  hookId: number
}

interface UnloadableHookName extends HookName {
  problem: HookProblem
}

/** What a load found out: hooks that cannot be loaded, and such that could not be before. */
export interface LoadReport {
  unloadable: UnloadableHookName[]
  loadable: HookName[]
}

export async function saveReport(db: Database, { unloadable, loadable }: LoadReport): Promise<void> {
  if (unloadable.length > 0) await recordProblems(db, unloadable)
  if (loadable.length > 0) await clearProblems(db, loadable)
}

async function recordProblems(db: Database, hooks: readonly UnloadableHookName[]): Promise<void> {
  await sql`
    INSERT INTO hook_problems (account_id, hook_id, problem)
    SELECT * FROM unnest(
      ${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
      ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[],
      ${wordArray(hooks.map(({ problem }) => problem))}::text[]
    ) AS given (account_id, hook_id, problem) ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET problem = excluded.problem
  `.execute(db)
}

async function clearProblems(db: Database, hooks: readonly HookName[]): Promise<void> {
  await sql`
    DELETE FROM hook_problems USING unnest(
      ${plainArray(hooks.map(({ accountId }) => accountId))}::integer[],
      ${plainArray(hooks.map(({ hookId }) => hookId))}::integer[]
    ) AS given (account_id, hook_id)
    WHERE hook_problems.account_id = given.account_id AND hook_problems.hook_id = given.hook_id
  `.execute(db)
}

/** Of a hook that was changed or deleted. A worker that cannot load it says so again. */
export async function forgetProblem(trx: Trx, accountId: number, hookId: number): Promise<void> {
  await trx
    .deleteFrom('hookProblems')
    .where('accountId', '=', accountId)
    .where('hookId', '=', hookId)
    .execute()
}

interface ListedProblem extends UnloadableHookName {
  since: Date
}

const maxListed = 1_000

/** Longest first. Those of hooks that were deleted are left out. */
export async function listProblems(db: Database): Promise<ListedProblem[]> {
  const { rows } = await sql<ListedProblem>`
    SELECT hook_problems.* FROM hook_problems
    JOIN hooks ON hooks.account_id = hook_problems.account_id AND hooks.id = hook_problems.hook_id
    ORDER BY since LIMIT ${maxListed}
  `.execute(db)
  return rows
}
