/** Hooks that workers cannot load, stored in a table for accounts and operators to see. */
import { sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import { integer, text, unnestRows } from '../db/rows.ts'
import type { HookProblem } from '../model/hook-problem.ts'

interface HookName {
  accountId: number
  hookId: number
}

interface UnloadableHookName extends HookName {
  problem: HookProblem
}

/** Result of a load: hooks that cannot be loaded, and hooks that can be loaded again. */
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
    SELECT * FROM ${unnestRows('input', hooks, {
      account_id: integer(({ accountId }) => accountId),
      hook_id: integer(({ hookId }) => hookId),
      problem: text(({ problem }) => problem),
    })} ORDER BY account_id, hook_id
    ON CONFLICT (account_id, hook_id) DO UPDATE SET problem = excluded.problem
  `.execute(db)
}

async function clearProblems(db: Database, hooks: readonly HookName[]): Promise<void> {
  await sql`
    DELETE FROM hook_problems USING ${unnestRows('input', hooks, {
      account_id: integer(({ accountId }) => accountId),
      hook_id: integer(({ hookId }) => hookId),
    })}
    WHERE hook_problems.account_id = input.account_id AND hook_problems.hook_id = input.hook_id
  `.execute(db)
}

/** Deletes the problem of a hook that was changed or deleted. A worker that cannot load it reports it again. */
export async function deleteProblem(trx: Trx, accountId: number, hookId: number): Promise<void> {
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

/** Lists problems, longest first, without deleted hooks. */
export async function listProblems(db: Database): Promise<ListedProblem[]> {
  const { rows } = await sql<ListedProblem>`
    SELECT hook_problems.* FROM hook_problems
    JOIN hooks ON hooks.account_id = hook_problems.account_id AND hooks.id = hook_problems.hook_id
    ORDER BY since LIMIT ${maxListed}
  `.execute(db)
  return rows
}
