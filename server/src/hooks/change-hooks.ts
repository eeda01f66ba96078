/**
 * All changes of an account's hooks use this, so one commit always contains the change, a higher
 * `accounts.hooks_version`, and the hook's new version in `hook_versions`. Incrementing the version first locks the
 * account's row. So changes of one account are serialized, and each sees the previous one. (`accounts` belongs to
 * identity; this one column belongs to hooks.)
 */
import { sql } from 'kysely'
import type { Actor } from '../db/audit.ts'
import { type ChangeLimits, countChange } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import type { HookRecord } from './hook-record.ts'

export const changeKinds = ['created', 'changed', 'enabled', 'disabled', 'deleted'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface HookChange {
  trx: Trx
  /** Stores the hook as its new version. */
  append: (change: ChangeKind, hook: HookRecord) => Promise<void>
}

export function changeHooks<T>(
  db: Database,
  accountId: number,
  actor: Actor,
  change: (step: HookChange) => Promise<T>,
  /** For changes that an account can repeat without limit; undefined for changes that only stop something. */
  limits?: ChangeLimits,
): Promise<T> {
  return runSerially(accountId, () =>
    db.transaction().execute(async (trx) => {
      const { hooksVersion } = await trx
        .updateTable('accounts')
        .set({ hooksVersion: sql`hooks_version + 1` })
        .where('id', '=', accountId)
        .returning('hooksVersion')
        .executeTakeFirstOrThrow()
      if (limits !== undefined) await countChange(trx, accountId, 'hooks', limits)
      return change({
        trx,
        async append(kind, hook) {
          const { id, createdAt: _, ...shape } = hook
          await trx
            .insertInto('hookVersions')
            .values({ ...shape, accountId, hookId: id, version: hooksVersion, change: kind, actor })
            .execute()
        },
      })
    }),
  )
}

const lastPerAccount = new Map<number, Promise<unknown>>()

/**
 * Runs one change of an account at a time in this process. The database would serialize them anyway, but each waiting
 * transaction holds a connection. A burst of one account would leave none for the others.
 */
async function runSerially<T>(accountId: number, change: () => Promise<T>): Promise<T> {
  const previous = lastPerAccount.get(accountId)
  const current = (async () => {
    await previous?.catch(() => {})
    return change()
  })()
  lastPerAccount.set(accountId, current)
  try {
    return await current
  } finally {
    if (lastPerAccount.get(accountId) === current) lastPerAccount.delete(accountId)
  }
}
